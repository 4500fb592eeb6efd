//! Molecules with sites: what a file says of them, and what it cannot say.

use super::read as read_with;
use crate::{Model, PlacementMethod, parse};
use jostle_core::rules::{Action, Case, Cut, ScheduledAction, TimedAction};
use jostle_core::sites::{Attached, SiteChange, SitePattern};

const HEAD: &str =
    "[space]\ndimension = 3\nedges = '200 nm'\n[run]\ntimestep = '1 ns'\nsteps = 10\n";

const SPECIES: &str = r#"
[[species]]
name = "L"
radius = "1 nm"
diffusion = "1 um^2/s"
count = 5
sites = [{ name = "r" }, { name = "r" }]
[[species]]
name = "R"
radius = "1 nm"
diffusion = "1 um^2/s"
count = { "R(y~u)" = 7, "R(y~p,l)" = 3 }
sites = [{ name = "l" }, { name = "y", states = ["u", "p"] }, { name = "d" }]
[[species]]
name = "C"
radius = "1 nm"
diffusion = "1 um^2/s"
count = 2
"#;

fn text(rules: &[&str]) -> String {
    let tables = rules.iter().enumerate().map(|(n, rule)| {
        let name = if rule.contains("name =") { String::new() } else { format!("name = 'r{n}'\n") };
        format!("[[rule]]\n{name}{rule}\n")
    });
    format!("{HEAD}{SPECIES}{}", tables.collect::<String>())
}

fn read(text: &str) -> Model {
    read_with(text, &[])
}

fn model(rules: &[&str]) -> Model {
    read(&text(rules))
}

fn faults(rules: &[&str]) -> String {
    match parse(&text(rules), "test", &[]) {
        Ok(_) => String::new(),
        Err(faults) => faults.to_string(),
    }
}

/// What a model means is what its resolved text means.
fn assert_resolves(model: &Model) {
    let again = read(&model.source.resolved);
    assert_eq!(again.species, model.species);
    assert_eq!(again.rules(), model.rules(), "{}", model.source.resolved);
    let placed = |model: &Model| -> Vec<_> {
        model.placement.iter().map(|p| (p.species, p.sites, p.count())).collect()
    };
    assert_eq!(placed(&again), placed(model));
}

#[test]
fn sites_are_packed_and_placed() {
    let model = model(&[]);
    let receptor = &model.species[1].sites;
    let phosphorylated = receptor.in_state(1, 1);
    let placed: Vec<_> = model.placement.iter().map(|p| (p.species, p.sites, &p.how)).collect();
    let random = |count| PlacementMethod::Random { count };
    assert_eq!(
        placed,
        [
            (0, 0, &random(5)),
            (1, 0, &random(7)),
            (1, phosphorylated, &random(3)),
            (2, 0, &random(2))
        ]
    );
    let names: Vec<_> = model.species[0].sites.list().iter().map(|site| &site.name).collect();
    assert_eq!(names, ["r#1", "r#2"]);
    assert_resolves(&model);
}

/// A bond that is made or breaks may come with a change of the states of the two that it joins, and
/// means the same written out, whichever molecules of one species stand beside these.
#[test]
fn states_may_change_with_a_bond() {
    let model = model(&[
        "reaction = 'L(r) + R(l,y~u) <-> L(r!1).R(l!1,y~p)'\nrate = '1 nm^3/us'\nunbind = '1 /s'",
        "reaction = 'R(d!1,y~u,l!2).L(r!2,r!3).R(l!3).R(d!1,y~u) -> R(d,y~u,l!2).L(r!2,r!3).R(l!3) + R(d,y~p)'\n\
         rate = '2 /s'",
        "name = 'pair'\ndo = 'bind'\non = ['R(d,y~u)', 'R(d,y~p)']\nat = ['d', 'd']\nmerge = 'bond'\n\
         products = ['R(d!1,y~p).R(d!1,y~u)']\nprobability = 0.1",
        "do = 'unbind'\non = 'R(d!1,y~p).R(d!1)'\nproducts = ['R(d,y~u)', 'R(d)']\nrate = '1 /s'",
    ]);
    let sites = &model.species[1].sites;
    let set = |to: usize| SiteChange { mask: sites.state_mask(1), value: sites.in_state(1, to) };
    let none = SiteChange::default();
    let rules = model.rules();
    let changes = |case: &Case<2>| [case.change(0), case.change(1)];
    assert_eq!(rules.contact[0].cases.iter().map(changes).collect::<Vec<_>>(), [[none, set(1)]; 2]);
    assert_eq!(changes(&rules.contact[1].cases[0]), [set(1), set(0)]);
    let ends = |n: usize| match &rules.timed[n].action {
        TimedAction::Unbind { ends, .. } => ends.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(ends(0).iter().map(changes).collect::<Vec<_>>(), [[none, set(0)]; 2]);
    assert_eq!(ends(1).iter().map(changes).collect::<Vec<_>>(), [[none, set(1)]; 2]);
    assert_eq!(changes(&ends(2)[0]), [set(0), none]);
    // A partner in the last rule is in any state, and stays in it.
    assert!(!ends(1)[0].is_one_either_way() && !rules.contact[1].cases[0].is_one_either_way());
    assert_resolves(&model);
    let bind = "do = 'bind'\non = ['R(d,y~u)', 'R(d)']\nmerge = 'bond'\nprobability = 0.1\n";
    for (rule, said) in [
        (format!("{bind}at = ['d', 'd']\nproducts = ['R(d,y~p)', 'R(d)']"), "of a binding is the complex"),
        (format!("{bind}at = ['d', 'l']\nproducts = ['R(d!1,y~p).R(d!1)']"), "`at` says something else"),
        (
            "do = 'bind'\non = ['C', 'C']\nmerge = 'bond'\nproducts = ['C', 'C']\nprobability = 0.1".into(),
            "only states of molecules with sites change",
        ),
        (
            "do = 'unbind'\non = 'R(d!1,y~p).R(d!1)'\nproducts = ['R(d!1,y~u).R(d!1)']\nrate = '1 /s'".into(),
            "`products` of an unbinding are the two that part",
        ),
        (
            "do = 'unbind'\nof = 'r0'\nproducts = ['R(d)']\nrate = '1 /s'".into(),
            "give the complex whose bond breaks",
        ),
    ] {
        let found = faults(&[rule.as_str()]);
        assert!(found.contains(said), "{rule}: {found}");
    }
}

#[test]
fn a_binding_is_a_case_for_each_pair_of_sites() {
    let model = model(&[
        "reaction = 'L(r) + R(l,y~p) <-> L(r!1).R(l!1,y~p)'\nrate = '1 nm^3/us'\nunbind = '1 /s'",
        "do = 'bind'\non = ['R(l!+)', 'R']\nat = ['d', 'd']\nmerge = 'bond'\nprobability = 0.1",
        "reaction = 'R(d!1,y~u).R(d!1) -> R(d,y~u) + R(d)'\nrate = '2 /s'",
    ]);
    let [ligand, receptor] = [0, 1].map(|n: usize| &model.species[n].sites);
    let rules = model.rules();
    assert_eq!(rules.contact[0].action, Action::Bond);
    let cases = &rules.contact[0].cases;
    assert_eq!(cases.iter().map(Case::joins).collect::<Vec<_>>(), [Some([0, 0]), Some([1, 0])]);
    let free = |mask| SitePattern { mask, ..SitePattern::default() };
    assert_eq!(cases[1].pattern(0), Some(&free(ligand.bound(1))));
    assert_eq!(
        cases[1].pattern(1),
        Some(&SitePattern {
            mask: receptor.bound(0) | receptor.bound(1) | receptor.state_mask(1),
            value: receptor.in_state(1, 1),
            attached: vec![],
        })
    );
    // The site that binds has to be free, mentioned or not.
    let [first, second] = [0, 1].map(|n| rules.contact[1].cases[0].pattern(n).unwrap());
    assert_eq!(
        (first.mask, first.value),
        (receptor.bound(0) | receptor.bound(2), receptor.bound(0))
    );
    assert_eq!(*second, free(receptor.bound(2)));
    let TimedAction::Unbind { of, cut: Cut::Any, ends } = &rules.timed[1].action else {
        panic!("it breaks bonds")
    };
    assert_eq!((of.as_slice(), ends[0].joins()), ([1].as_slice(), Some([2, 2])));
    assert_eq!(ends[0].pattern(0).unwrap().attached.len(), 1);
    assert_resolves(&model);
}

#[test]
fn bonds_that_break_one_way_have_the_rate_that_their_making_has() {
    let made = "reaction = 'L(r) + R(l) -> L(r!1).R(l!1)'\n";
    let broken = "reaction = 'L(r!1).R(l!1,y~p) -> L(r) + R(l,y~p)'\n";
    let macroscopic = [format!("{made}k_on = '1e-3 um^3/s'"), format!("{broken}k_off = '2 /s'")];
    let model = model(&macroscopic.each_ref().map(String::as_str));
    let TimedAction::Unbind { of, .. } = &model.rules().timed[0].action else {
        panic!("it breaks")
    };
    assert_eq!((of.as_slice(), model.rules().timed[0].rate), ([0].as_slice(), 2e-6));
    assert_resolves(&model);
    let mixed = [format!("{made}rate = '1 nm^3/us'"), format!("{broken}k_off = '2 /s'")];
    let error = faults(&mixed.each_ref().map(String::as_str));
    assert!(error.contains("`k_off` belongs with `k_on`"), "{error}");
}

#[test]
fn states_change_in_time_in_a_complex_and_at_contact() {
    let model = model(&[
        "reaction = 'L(r) + R(l) -> L(r!1).R(l!1)'\nprobability = 0.5",
        "reaction = 'R(y~u) <-> R(y~p)'\nrate = '1 /s'\nback = '2 /s'",
        "reaction = 'L(r!1,r).R(l!1,y~u) -> L(r!1,r).R(l!1,y~p)'\nrate = '3 /s'",
        "do = 'convert'\non = ['R(y~p)', 'R(y~u)']\nproducts = ['R(y~p)', 'R(y~p)']\nprobability = 0.5",
        "reaction = 'C + R(y~p) -> C + R(y~u)'\nprobability = 0.5",
        "reaction = '0 -> R(y~p)'\nrate = '1 /nm^3/s'",
        "reaction = 'R(y~p,l!+) -> 0'\nrate = '1 /s'",
        "reaction = 'R(l,y,d) -> C'\nrate = '1 /s'",
    ]);
    let receptor = &model.species[1].sites;
    let set = |to| SiteChange { mask: receptor.state_mask(1), value: receptor.in_state(1, to) };
    let rules = model.rules();
    let TimedAction::Convert { cases } = &rules.timed[2].action else { panic!("it converts") };
    // The other site of the ligand has to be free: two ways, one for each of its sites.
    assert_eq!(cases.len(), 2);
    assert_eq!((cases[1].species, cases[1].products.as_slice()), ([1], [1].as_slice()));
    assert_eq!(cases[1].change(0), set(1));
    let pattern = cases[1].pattern(0).unwrap();
    let [Attached { site: 0, species: 0, at: 1, .. }] = pattern.attached.as_slice() else {
        panic!("{pattern:?}")
    };
    assert_eq!(rules.contact[1].cases[0].change(1), set(1));
    assert_eq!(rules.contact[2].cases[0].species, [2, 1]);
    assert_eq!(rules.timed[3].action, TimedAction::Create { species: 1, sites: set(1).value });
    assert_resolves(&model);
}

#[test]
fn the_schedule_adds_molecules_in_states() {
    let model = read(&format!(
        "{}[[schedule]]\nat = '1 ns'\nadd = {{ species = 'R(y~p)', count = 2 }}\n",
        text(&[])
    ));
    let added = &model.rules().schedule[0].action;
    let code = model.species[1].sites.in_state(1, 1);
    assert_eq!(*added, ScheduledAction::Add { species: 1, sites: code, count: 2, region: None });
    assert_resolves(&model);
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let bind = |text: &str| format!("reaction = '{text}'\nprobability = 0.1");
    for (rule, said) in [
        (bind("L(r!1!2) + R(l) -> L(r!1).R(l!1)"), "column 7: site \"r\" is bound twice"),
        (bind("L(q) + R(l) -> L(q!1).R(l!1)"), "L has no site \"q\"; it has r#1, r#2"),
        (
            bind("L(r) + R(y~x,l) -> L(r!1).R(y~x,l!1)"),
            "site \"y\" has no state \"x\"; it has u, p",
        ),
        (bind("L(r) + X(l) -> L(r!1).X(l!1)"), "there is no species \"X\""),
        (bind("L(r,r,r) + R(l) -> L(r!1,r,r).R(l!1)"), "appears more often than L has such sites"),
        (bind("L(r) + R(l) -> L(r!1).R(l!2)"), "bond 1 has one end"),
        (bind("C(x) + R(l) -> C(x!1).R(l!1)"), "C has no site \"x\"; it has no sites"),
        (
            bind("L(r,r!1).R(l!1,y~u) + R(l) -> L(r!2,r!1).R(l!1,y~p).R(l!2)"),
            "the state of R changes, which is at neither end of the bond",
        ),
        (bind("L(r) + R(l) + C -> C"), "at most two can meet at a time"),
        ("reaction = 'L(r!1).R(l!1) <-> L(r) + R(l)'\nrate = '1 /s'".into(), "the other way round"),
        (
            "reaction = 'L(r!1).R(l!1) -> L(r) + R(l)'\nrate = '1 /s'".into(),
            "no rule makes such a bond",
        ),
        (
            "reaction = 'R(y~u) -> R(y~p)'\nrate = '1 /s'\nremoves = 'complexes'".into(),
            "no molecule goes, with its complex or without",
        ),
        (bind("R(d!1,y~u).R(d!1,y~u) + C -> R(d!1,y~p).R(d!1,y~p) + C"), "alike and change alike"),
        (bind("R(y~u) + R(y~p) -> R(y~p)"), ""),
        (bind("R(y~u) + R(d) -> R(d)"), "write first which of two"),
        ("do = 'unbind'\non = 'R'\nrate = '1 /s'".into(), "names the complex whose bond breaks"),
        ("reaction = '*(y~u) -> *(y~p)'\nrate = '1 /s'".into(), "stands for several species"),
        ("do = 'pass'\non = ['R(y~u)', 'C']".into(), "write the names of species"),
        (
            "do = 'bind'\non = ['R(d)', 'R(d)']\nmerge = 'bond'\nprobability = 0.1".into(),
            "`at` is missing",
        ),
        (
            "do = 'bind'\non = ['R(d!+)', 'R']\nat = ['d', 'd']\nmerge = 'bond'\nprobability = 0.1"
                .into(),
            "it is bound already",
        ),
        ("reaction = 'L + R -> C'\nprobability = 1\nname = 'x'".into(), ""),
        (
            "do = 'bind'\non = ['L', 'C']\nmerge = 'coalesce'\nproduct = 'C'\nprobability = 0.1"
                .into(),
            "L has sites, which a coalesced particle would lose",
        ),
    ] {
        let found = faults(&[&rule]);
        assert!(found.contains(said), "{rule}\nsaid: {found}");
        assert!(said.is_empty() || found.contains("rule."), "{found}");
    }
    for (sites, said) in [
        ("[{ name = 'a' }, { name = 'a', states = ['u', 'p'] }]", "twice with different states"),
        ("[{ name = 'a b' }]", "a word of letters, digits and underscores"),
        ("[{ name = 'a', states = ['u'] }]", "never changes"),
        ("[{ name = 'a', states = ['u', 'u'] }]", "state \"u\" appears twice"),
    ] {
        let text = text(&[]).replace("[{ name = \"r\" }, { name = \"r\" }]", sites);
        let found = parse(&text, "test", &[]).unwrap_err().to_string();
        assert!(found.contains(said), "{sites}: {found}");
    }
    let many = vec!["{ name = 's' }"; 65].join(", ");
    let text = text(&[]).replace("[{ name = \"r\" }, { name = \"r\" }]", &format!("[{many}]"));
    let found = parse(&text, "test", &[]).unwrap_err().to_string();
    assert!(found.contains("need 65 bits"), "{found}");
}

/// Each half of a symmetric complex can be touched. Where nothing changes in it that would count
/// twice; what changes one half, or is one molecule in all ways, counts as it is written.
#[test]
fn a_catalyst_of_several_molecules_that_are_alike_is_refused() {
    let meet = |left: &str, partner: &str| {
        format!(
            "reaction = '{left}(y~u) + {partner} -> {left}(y~p) + {partner}'\nk_on = '10 nm^3/us'"
        )
    };
    let refused = [
        ("R(d!1).R(d!1)", "once for each", "`R(d!+)`, with 1/2 of the rate"),
        ("R(d,l!1).L(r!1,r!2).R(d,l!2)", "2 molecules", "`R(d,l!+)`"),
        ("L(r!1).L(r!1)", "`L(r!1).L(r!1)` has 2 molecules that are alike", "`L(r!+)`"),
    ];
    for (partner, how_often, remedy) in refused {
        let found = faults(&[&meet("R", partner)]);
        assert!(found.contains("test:27: rule.r0.reaction: "), "{found}");
        assert!(found.contains(how_often) && found.contains(remedy), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    for partner in ["R(d!+)", "R(y~u,d!1).R(y~p,d!1)", "R(l!1,d!2).L(r!1).R(d!2)"] {
        assert_eq!(faults(&[&meet("R", partner)]), "", "{partner}");
    }
    let bind =
        "reaction = 'L(r) + R(d!1,l).R(d!1,l) -> L(r!2).R(d!1,l!2).R(d!1,l)'\nk_on = '10 nm^3/us'";
    assert_eq!(faults(&[bind]), "");
    // Both receptors of the ligand are one pattern, whichever of its sites is named first.
    let middle = model(&[&meet("R", "L(r!1,r!2).R(l!1).R(l!2)")]);
    assert_eq!(middle.rules().contact[0].cases.len(), 1);
}

/// A phosphorylated receptor lets go of what it has bound before.
#[test]
fn ways_back_break_the_bonds_that_they_describe_whichever_rule_made_them() {
    let model = model(&[
        "reaction = 'L(r) + R(l,y~u) <-> L(r!1).R(l!1,y~u)'\nrate = '2 nm^3/us'\nunbind = '1 /s'",
        "reaction = 'L(r) + R(l,y~p) <-> L(r!1).R(l!1,y~p)'\nrate = '1 nm^3/us'\nunbind = '3 /s'",
        "reaction = 'R(d) + R(d) <-> R(d!1).R(d!1)'\nrate = '1 nm^3/us'\nunbind = '1 /s'",
    ]);
    let breaks = |n: usize| match &model.rules().timed[n].action {
        TimedAction::Unbind { of, ends, .. } => (of.clone(), ends.len()),
        _ => panic!("it breaks bonds"),
    };
    // Ligands have two sites that are alike; nothing else makes bonds between two receptors.
    assert_eq!([breaks(0), breaks(1), breaks(2)], [(vec![0, 1], 2), (vec![1, 0], 2), (vec![2], 0)]);
    assert_resolves(&model);
}

#[test]
fn patterns_that_can_never_fit_are_warned_about() {
    let warnings = |rules: &[&str]| model(rules).warnings().join("\n");
    let bind = "reaction = 'L(r) + R(l) -> L(r!1).R(l!1)'\nprobability = 0.5";
    for (rules, said) in [
        (
            vec![bind, "reaction = 'R(d!+,y~u) -> R(d!+,y~p)'\nrate = '1 /s'"],
            "\"r1\" never applies: nothing ever binds site \"d\" of R",
        ),
        (
            vec![bind, "reaction = 'L(r!1).R(d!1,y~u) -> L(r!1).R(d!1,y~p)'\nrate = '1 /s'"],
            "nothing ever binds site \"d\" of R",
        ),
        (vec![bind, "reaction = 'R(l!1,y~u).L(r!1) -> R(l!1,y~p).L(r!1)'\nrate = '1 /s'"], ""),
    ] {
        let found = warnings(&rules);
        match said {
            "" => assert!(!found.contains("never applies"), "{found}"),
            said => assert!(found.contains(said), "{rules:?}: {found}"),
        }
    }
    let text = text(&["reaction = 'R(y~p) -> R(y~u)'\nrate = '1 /s'"])
        .replace("count = { \"R(y~u)\" = 7, \"R(y~p,l)\" = 3 }", "count = 7");
    let found = read(&text).warnings().join("\n");
    assert!(found.contains("no R is ever in state \"p\" at site \"y\""), "{found}");
}

#[test]
fn a_site_has_one_bond_at_the_start() {
    let text = |bonds: &str| {
        let species = |name: &str, sites: &str, positions: &str| {
            format!(
                "[[species]]\nname = '{name}'\nradius = '1 nm'\ndiffusion = '1 um^2/s'\nsites = [{sites}]\n\
                 placement = {{ positions = [{positions}] }}\n"
            )
        };
        format!(
            "{HEAD}{}{}[[rule]]\nname = 'bind'\ndo = 'bind'\nmerge = 'bond'\non = ['A(s)', 'B(t)']\nat = ['s', 't']\n\
             probability = 0.1\n[clusters]\nbonds = [{bonds}]\n",
            species("A", "{ name = 's' }, { name = 's' }", "[50, 50, 50]"),
            species("B", "{ name = 't' }", "[52, 50, 50], [48, 50, 50], [50, 52, 50]"),
        )
    };
    let bond = |n: usize| format!("['A', 1, 'B', {n}, 'bind']");
    let two = read(&text(&[bond(1), bond(2)].join(", ")));
    assert_eq!(two.sites_of_first_bonds(two.bonds()), [Some([0, 0]), Some([1, 0])]);
    let three = parse(&text(&[bond(1), bond(2), bond(3)].join(", ")), "test", &[]);
    let error = three.unwrap_err().to_string();
    assert!(error.contains("the bond between A number 1 and B number 3 finds no pair"), "{error}");
}
