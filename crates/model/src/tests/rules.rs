//! Every rule and every entry of a schedule is read, and written so that it reads back.

use super::{pairs, read};
use crate::{Model, measure, parse};
use jostle_core::rules::*;

pub(super) const ALL: &str = r#"
title = "all rules"
[space]
dimension = 3
edges = "200 nm"
[run]
timestep = "1 ns"
until = "1 ms"
[[species]]
name = "Sup35"
radius = "2.5 nm"
diffusion = "10 um^2/s"
states = ["soluble", "prion"]
state = { prion = { diffusion = "8 um^2/s" } }
count = { soluble = 20, prion = 3 }
[[species]]
name = "Hsp104"
radius = "4 nm"
diffusion = "5 um^2/s"
count = 5
[[species]]
name = "Aggregate"
[[species]]
name = "X"
radius = "1 nm"
diffusion = "20 um^2/s"
[[rule]]
name = "through"
on = ["X", "X"]
do = "pass"
[[rule]]
name = "grow"
do = "bind"
merge = "bond"
on = ["Sup35{prion}", "Sup35{prion}"]
k_on = "1e7 /M/s"
cluster_size = ["1..4", "2.."]
max_bonds = 2
during = ["1 us", "2 us"]
k_off = "1 /s"
[[rule]]
name = "merge"
do = "bind"
merge = "coalesce"
on = ["Hsp104", "X"]
product = "Aggregate"
rate = "10 nm^3/us"
cluster_size = 3
[[rule]]
name = "template"
do = "convert"
on = ["Sup35{soluble}", "Sup35{prion}"]
products = ["Sup35{prion}", "Sup35{prion}"]
rate = "20 nm^3/us"
during = [["0 us", "1 us"], ["3 us", "4 us"]]
[[rule]]
name = "erase"
do = "annihilate"
cases = [{ on = ["X", "Sup35"] }, { on = ["X", "Aggregate"] }]
probability = "1 %"
[[rule]]
name = "cut"
do = "fragment"
on = ["Hsp104", "Sup35{prion}"]
rate = "5 nm^3/us"
at = "end"
minimum = 3
dissolve = "Sup35"
[[rule]]
name = "fray"
do = "unbind"
of = "grow"
k_off = "2 /s"
which = "end"
cluster_size = "..9"
[[rule]]
name = "turn"
do = "convert"
on = ["Sup35{soluble}"]
products = ["Sup35{prion}", "X"]
rate = "0.1 /s"
[[rule]]
name = "rot"
do = "decay"
on = "Sup35"
rate = "3 /s"
cluster_size = "2"
[[rule]]
name = "make"
do = "create"
product = "Sup35"
rate = "6 /um^3/us"
region = { from = ["0 nm", 0, 0], to = ["100 nm", "0.2 um", 50] }
[[rule]]
name = "brew"
do = "create"
product = "X"
rate = "5 nM/s"
[[rule]]
name = "snap"
do = "fragment"
on = "Sup35"
rate = "0.3 /s"
minimum = 2
[[schedule]]
name = "gdn"
at = "2 us"
every = "90 us"
switch_off = "cut"
[[schedule]]
at = "3 us"
switch_on = "cut"
[[schedule]]
at = 4
set = { rule = "grow", k_on = "2e7 /M/s" }
[[schedule]]
at = 5
set = { rule = "brew", rate = "1 nM/s" }
[[schedule]]
at = 6
set = { rule = "erase", probability = 0.5 }
[[schedule]]
at = 7
set = { rule = "grow_unbind", k_off = "7 /s" }
[[schedule]]
at = 8
add = { species = "Sup35{prion}", count = 4, region = { from = [0, 0, 0], to = [50, 50, 50] } }
[[schedule]]
at = 9
divide = { keep = 0.5 }
[[schedule]]
at = 10
divide = { volume_fraction = 0.4, axis = "y" }
[output]
log_species = ["Sup35"]
"#;

fn size(from: u32, to: u32) -> std::ops::RangeInclusive<u32> {
    from..=to
}

#[test]
fn contact_rules_mean_what_they_say() {
    let rules = read(ALL, &[]).rules().clone();
    let names = ["through", "grow", "merge", "template", "erase", "cut"];
    assert_eq!(rules.names()[..6], names);
    let [_, grow, merge, template, erase, cut] = rules.contact.as_slice() else {
        panic!("six rules")
    };
    let Chance::Macroscopic(k_on) = grow.chance else { panic!("macroscopic") };
    assert!((k_on - 10.0 / 0.602214076).abs() < 1e-9);
    let condition = |size, valence| Condition { size, valence };
    let expected = [condition(size(1, 4), Some(2)), condition(size(2, u32::MAX), Some(2))];
    assert_eq!((&grow.conditions, &grow.windows), (&expected, &vec![[1.0, 2.0]]));
    assert_eq!(merge.cases, [Case::new([2, 4], &[3])]);
    assert_eq!(merge.conditions[1], condition(size(3, 3), None));
    assert_eq!(template.cases, [Case::new([0, 1], &[1, 1])]);
    assert_eq!(template.windows, [[0.0, 1.0], [3.0, 4.0]]);
    assert_eq!((erase.action, erase.chance), (Action::Convert, Chance::Probability(0.01)));
    assert_eq!(
        erase.cases.iter().map(|case| case.species).collect::<Vec<_>>(),
        [[4, 0], [4, 1], [4, 3]]
    );
    let how = Fragmentation { cut: Cut::End, minimum: 3, dissolved: Some(0) };
    assert_eq!(cut.action, Action::Cut(how));
}

#[test]
fn rules_in_time_mean_what_they_say() {
    let rules = read(ALL, &[]).rules().clone();
    let names: Vec<_> = rules.timed.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["grow_unbind", "fray", "turn", "rot", "make", "brew", "snap"]);
    let [undo, fray, turn, rot, make, brew, snap] = rules.timed.as_slice() else {
        panic!("seven rules")
    };
    assert_eq!((&undo.action, undo.rate), (&TimedAction::unbind(&[1], Cut::Any), 1e-6));
    assert_eq!((&fray.action, &fray.size), (&TimedAction::unbind(&[1], Cut::End), &size(1, 9)));
    assert_eq!(turn.action, TimedAction::Convert { cases: vec![Case::new([0], &[1, 4])] });
    assert_eq!(
        rot.action,
        TimedAction::Convert { cases: vec![Case::new([0], &[]), Case::new([1], &[])] }
    );
    assert_eq!(rot.size, size(2, 2));
    let region =
        Region { from: [0.0; 3], to: [100.0, 200.0, 50.0], sides: Vec::new(), volume: 1e6 };
    assert_eq!(
        (&make.action, make.region.clone()),
        (&TimedAction::Create { species: 0, sites: 0 }, Some(region))
    );
    assert!((make.rate - 6e-9).abs() < 1e-20 && (brew.rate - 5e-9 * 0.602214076e-6).abs() < 1e-20);
    let how = Fragmentation { minimum: 2, ..Fragmentation::default() };
    assert_eq!(snap.action, TimedAction::Fragment { species: vec![0, 1], how });
}

#[test]
fn the_schedule_means_what_it_says() {
    let rules = read(ALL, &[]).rules().clone();
    let entry =
        |n: usize| (rules.schedule[n].name.as_str(), rules.schedule[n].at, rules.schedule[n].every);
    assert_eq!(entry(0), ("gdn", 2.0, Some(90.0)));
    assert_eq!(entry(1), ("schedule_2", 3.0, None));
    let actions: Vec<_> = rules.schedule.iter().map(|entry| &entry.action).collect();
    assert_eq!(*actions[0], ScheduledAction::Switch { rule: 5, on: false });
    assert_eq!(*actions[1], ScheduledAction::Switch { rule: 5, on: true });
    let Chance::Macroscopic(k_on) = rules.contact[1].chance else { panic!("macroscopic") };
    assert_eq!(*actions[2], ScheduledAction::SetRate { rule: 1, rate: 2.0 * k_on });
    let ScheduledAction::SetRate { rule, rate } = *actions[3] else { panic!("a rate") };
    assert_eq!(rules.name(rule), "brew");
    assert!((rate * 5.0 - rules.timed[5].rate).abs() < 1e-24);
    assert_eq!(*actions[4], ScheduledAction::SetRate { rule: 4, rate: 0.5 });
    assert_eq!(*actions[5], ScheduledAction::SetRate { rule: 6, rate: 7e-6 });
    let region = Some(Region { from: [0.0; 3], to: [50.0; 3], sides: Vec::new(), volume: 125e3 });
    assert_eq!(*actions[6], ScheduledAction::Add { species: 1, sites: 0, count: 4, region });
    assert_eq!(*actions[7], ScheduledAction::Divide(Division::Keep(0.5)));
    assert_eq!(*actions[8], ScheduledAction::Divide(Division::Volume { fraction: 0.4, axis: 1 }));
}

#[test]
fn all_rules_read_back_as_they_are() {
    let set = [
        ("rule.cut.rate", "6 nm^3/us"),
        ("rule.make.rate", "1 /um^3/us"),
        ("rule.grow.k_on", "2e6 /M/s"),
        ("schedule.gdn.at", "2.5 us"),
        ("schedule[7].divide", "{ keep = 0.25 }"),
        ("schedule.3.set.rate", "3 nM/s"),
        ("schedule[2]", "{ at = '1 us', set = { rule = 'turn', rate = '0.2 /s' } }"),
        ("species.Sup35.count.prion", "4"),
    ];
    for overrides in [&[][..], &set] {
        let model = read(ALL, overrides);
        let mut again = read(&model.source.resolved, &[]);
        assert_eq!(again.source.resolved, model.source.resolved);
        again.source = model.source.clone();
        assert_eq!(again, model);
    }
    let model = read(ALL, &set);
    assert_eq!(model.rules().contact[5].chance, Chance::Intrinsic(6.0));
    let Chance::Macroscopic(k_on) = model.rules().contact[1].chance else { panic!("macroscopic") };
    assert!((k_on - 2.0 / 0.602214076).abs() < 1e-9);
    assert_eq!(model.rules().schedule[0].at, 2.5);
    assert_eq!(model.rules().schedule[7].action, ScheduledAction::Divide(Division::Keep(0.25)));
    // The resolved text can be overridden too.
    let again = read(
        &model.source.resolved,
        &[("schedule.gdn.at", "3 us"), ("rule.cut.rate", "7 nm^3/us")],
    );
    assert_eq!(
        (again.rules().schedule[0].at, again.rules().contact[5].chance),
        (3.0, Chance::Intrinsic(7.0))
    );
}

#[test]
fn rules_that_can_never_apply_are_reported() {
    let model = read(ALL, &[("species.Hsp104.count", "0"), ("run.until", "8 us")]);
    let warnings = model.warnings().join("\n");
    for expected in [
        "rule \"merge\" never applies: nothing produces Hsp104",
        "rule \"cut\" never applies: nothing produces Hsp104",
        "schedule \"schedule_7\" never happens: it is set for 8.0 us, but the run ends at 8.0 us",
    ] {
        assert!(warnings.contains(expected), "{expected}\nnot in\n{warnings}");
    }
    assert!(!warnings.contains("\"erase\" never"), "{warnings}");
    assert!(!warnings.contains("\"through\" never"), "{warnings}");
}

#[test]
fn rules_for_species_that_surfaces_keep_apart_are_reported() {
    let text = |meets: &str| {
        let species = [("In", "inside"), ("Out", "outside"), ("On", "on")].map(|(name, side)| {
            format!(
                "[[species]]\nname = '{name}'\nradius = '1 nm'\ndiffusion = '1 um^2/s'\ncount = 5\n{side} = 'cell'\n"
            )
        });
        let rules = [("never", "In", "Out"), ("inner", "In", "On"), ("outer", "On", "Out")].map(|(name, a, b)| {
            format!("[[rule]]\nname = '{name}'\non = ['{a}', '{b}']\ndo = 'convert'\nproducts = []\nprobability = 1\n")
        });
        format!(
            "[space]\ndimension = 3\nedges = '100 nm'\n[run]\ntimestep = '1 ns'\nsteps = 1\n[[surface]]\n\
             name = 'cell'\nsphere = {{ radius = '30 nm' }}\nmeets = {meets}\n{}{}",
            species.concat(),
            rules.concat()
        )
    };
    let warned = |meets: &str| read(&text(meets), &[]).warnings().join("\n");
    let warnings = warned("'reflect'");
    let expected = "rule \"never\" applies only if something else brings one to the other: In, inside \"cell\", \
        and Out, \
                    outside \"cell\", start on two sides that neither leaves";
    assert!(warnings.contains(expected), "{warnings}");
    assert_eq!(warnings.matches("applies only if").count(), 1, "{warnings}");
    assert!(!warned("{ permeability = '1 um/s' }").contains("applies only if"));
}

#[test]
fn a_rate_that_the_schedule_sets_has_to_be_possible() {
    let set = |value: &str| {
        let set = pairs(&[("schedule[2].set", value)]);
        parse(ALL, "test.toml", &set).map_or_else(|faults| faults.to_string(), |_| String::new())
    };
    assert!(set("{ rule = 'cut', rate = '1e12 /M/s' }").contains("the time step can be at most"));
    assert!(set("{ rule = 'grow', k_on = '1e12 /M/s' }").contains("4 pi D R"));
    assert!(set("{ rule = 'grow', rate = '1 nm^3/us' }").contains("is defined by its `k_on`"));
    assert!(set("{ rule = 'brew', rate = '1 /s' }").contains("a rate of creation in 3D"));
    assert!(set("{ rule = 'through', rate = '1 /s' }").contains("must apply during the whole run"));
    assert!(set("{ rule = 'gdn', rate = '1 /s' }").contains("there is no rule \"gdn\""));
    assert_eq!(set("{ rule = 'erase', probability = 1 }"), "");
}

#[test]
fn more_rules_than_the_log_can_number_are_refused() {
    let with = |count: usize| {
        let rules = |n: usize| {
            format!("[[rule]]\nname = 'rot{n}'\ndo = 'decay'\non = 'X'\nrate = '1 /s'\n")
        };
        let text = ALL.split("[[rule]]").next().unwrap().to_owned()
            + &(0..count).map(rules).collect::<String>();
        // An aggregate of unknown size needs a rule that makes it.
        let set = pairs(&[
            ("species.Aggregate.radius", "9 nm"),
            ("species.Aggregate.diffusion", "1 um^2/s"),
        ]);
        parse(&text, "test.toml", &set).map_or_else(|faults| faults.to_string(), |_| String::new())
    };
    assert_eq!(with(65_000), "");
    let said = with(65_001);
    assert!(said.contains("there are 65001 rules") && said.contains("at most 65000"), "{said}");
}

/// A and D of `/kd_bind` in one box, with these rules.
fn bound(rules: &str) -> Model {
    let mut text =
        "[space]\ndimension = 3\nedges = '2 um'\n[run]\ntimestep = '50 us'\nsteps = 9\n".to_owned();
    for (name, diffusion, count) in [("A", 10, 5), ("D", 0, 5), ("AD", 0, 0)] {
        text += &format!(
            "[[species]]\nname = '{name}'\nradius = '30 nm'\ndiffusion = '{diffusion} um^2/s'\ncount = {count}\n"
        );
    }
    read(&(text + rules), &[])
}

const BIND: &str =
    "[[rule]]\nname = 'bind'\ndo = 'bind'\nmerge = 'coalesce'\non = ['A', 'D']\nproduct = 'AD'\n";

#[test]
fn k_off_and_k_d_say_the_same() {
    let rate = |rules: &str| bound(rules).rules().timed[0].rate;
    let k_off = rate(&format!("{BIND}k_on = '4 um^3/s'\nk_off = '50 /s'\n"));
    assert_eq!(k_off, 5e-5);
    // 50/4 per µm³
    let constant = rate(&format!("{BIND}k_on = '4 um^3/s'\nK_D = '12.5 /um^3'\n"));
    assert!((constant / k_off - 1.0).abs() < 1e-12, "{constant}");
    // Beside the intrinsic rate it is k_d/k_a.
    let intrinsic = rate(&format!("{BIND}rate = '4 um^3/s'\nK_D = '12.5 /um^3'\n"));
    assert!((intrinsic / k_off - 1.0).abs() < 1e-12, "{intrinsic}");
    // [A]^2/[A2] = 2 k_off/k_on
    let alike = "[[rule]]\nname = 'pair'\ndo = 'bind'\nmerge = 'bond'\non = ['A', 'A']\n";
    let alike = rate(&format!("{alike}k_on = '4 um^3/s'\nK_D = '12.5 /um^3'\n"));
    assert!((2.0 * alike / k_off - 1.0).abs() < 1e-12, "{alike}");
}

/// Heads and tails of one species are as different as A and B; equal sites and sites that are called
/// alike are not.
#[test]
fn a_constant_of_head_to_tail_is_that_of_two_that_differ() {
    let rate = |sites: &str, reaction: &str, k: &str| {
        let text = format!(
            "[space]\ndimension = 3\nedges = '9 nm'\n[run]\ntimestep = '5 ns'\nsteps = 1\n[[species]]\nname = 'A'\n\
             radius = '1.2 nm'\ndiffusion = '10 um^2/s'\ncount = 2\nsites = [{sites}]\n\
             [[rule]]\nname = 'r'\nreaction = '{reaction}'\n{k} = '30 nm^3/us'\nK_D = '0.01 /nm^3'\n"
        );
        let model = parse(&text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"));
        model.rules().timed[0].rate
    };
    let two = "{ name = 'h' }, { name = 't' }";
    let cases = [
        (two, "A(h) + A(t) <-> A(h!1).A(t!1)", 0.3),
        (two, "A(h) + A(h) <-> A(h!1).A(h!1)", 0.15),
        ("{ name = 'r' }, { name = 'r' }", "A(r) + A(r) <-> A(r!1).A(r!1)", 0.15),
        ("{ name = 'r', states = ['u', 'p'] }", "A(r~u) + A(r~p) <-> A(r~u!1).A(r~p!1)", 0.3),
    ];
    for (sites, reaction, expected) in cases {
        for k in ["rate", "k_on"] {
            let found = rate(sites, reaction, k);
            assert!((found / expected - 1.0).abs() < 1e-12, "{reaction} with {k}: {found}");
        }
    }
}

#[test]
fn the_kind_of_an_unbinding_rate_is_kept() {
    let undo = "[[rule]]\nname = 'undo'\ndo = 'unbind'\nof = 'bind'\nk_off = '50 /s'\n";
    let set = "[[schedule]]\nat = '1 us'\nset = { rule = 'undo', k_off = '5 /s' }\n";
    let model = bound(&format!("{BIND}k_on = '4 um^3/s'\n{undo}{set}"));
    assert_eq!(model.rules().schedule[0].action, ScheduledAction::SetRate { rule: 1, rate: 5e-6 });
    assert!(model.source.resolved.contains("k_off = \"5e-5 /us\""), "{}", model.source.resolved);
    let again = read(&model.source.resolved, &[]);
    assert_eq!(again.rules(), model.rules());
    assert_eq!(again.source.resolved, model.source.resolved);
    // What is set on the command line takes the place of its like.
    let text = format!("{BIND}k_on = '4 um^3/s'\nK_D = '1 nM'\n");
    let model = bound(&text);
    let over = [("rule.bind.k_off".to_owned(), "1 /s".to_owned())];
    let changed =
        parse(&model.source.text, "test", &over).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(changed.rules().timed[0].rate, 1e-6);
}

#[test]
fn a_reaction_means_the_rules_that_it_is_short_for() {
    let short = |rules: &str| bound(rules).rules().clone();
    let long = format!("{BIND}k_on = '4 um^3/s'\nk_off = '50 /s'\ncluster_size = '1'\n");
    let one = "[[rule]]\nname = 'bind'\nreaction = 'A + D <-> AD'\nk_on = '4 um^3/s'\nk_off = '50 /s'\n\
               cluster_size = '1'\n";
    assert_eq!(short(one), short(&long));
    for (reaction, rest, table) in [
        ("A + D -> AD", "k_on = '1 um^3/s'", "do = 'convert'\non = ['A', 'D']\nproducts = ['AD']"),
        ("2 A -> 0", "k_on = '1 um^3/s'", "do = 'annihilate'\non = ['A', 'A']"),
        ("AD -> A + D", "rate = '1 /s'", "do = 'convert'\non = 'AD'\nproducts = ['A', 'D']"),
        ("A -> 0", "rate = '1 /s'\nduring = ['0 s', '1 s']", "do = 'decay'\non = 'A'"),
        ("0 -> A", "rate = '1 /um^3/s'", "do = 'create'\nproduct = 'A'"),
    ] {
        let head = "[[rule]]\nname = 'it'\n";
        let (one, long) = (
            format!("{head}reaction = '{reaction}'\n{rest}\n"),
            format!("{head}{table}\n{rest}\n"),
        );
        assert_eq!(short(&one), short(&long), "{reaction}");
    }
    let both = short("[[rule]]\nreaction = '0 <-> A'\nrate = '1 /um^3/s'\nback = '2 /s'\n");
    let names: Vec<_> = both.timed.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["0_to_A", "0_to_A_back"]);
    assert_eq!(both.timed[1].action, TimedAction::Convert { cases: vec![Case::new([0], &[])] });
    assert_eq!(both.timed[1].rate, 2e-6);
    let held =
        short("[[rule]]\nreaction = '0 <-> A'\nconcentration = '0.5 /um^3'\nback = '2 /s'\n");
    assert_eq!(held, both);
    for (rule, said) in [
        (
            "'0 <-> A'\nconcentration = '1 nM'\nback = '2 /s'\nrate = '1 nM/s'",
            "keep one of the two",
        ),
        ("'0 <-> A'\nconcentration = '1 nM'", "`back` is missing"),
        ("'0 -> A'\nconcentration = '1 nM'\nrate = '1 nM/s'", "goes one way: write `<->`"),
        (
            "'A <-> 0'\nconcentration = '1 nM'\nrate = '2 /s'\nback = '1 nM/s'",
            "does not have this key",
        ),
        ("'0 <-> A'\nconcentration = '1 nM/s'\nback = '2 /s'", "a concentration"),
    ] {
        let text = format!("{}[[rule]]\nreaction = {rule}\n", bound("").source.text);
        let found = parse(&text, "test", &[]).unwrap_err().to_string();
        assert!(found.contains(said) && found.lines().count() == 1, "{rule}: {found}");
    }
}

#[test]
fn a_rule_is_set_by_the_name_of_its_reaction() {
    let text = bound("[[rule]]\nreaction = 'A -> D'\nrate = '1 /s'\n").source.text;
    let set = [("rule.A_to_D.rate".to_owned(), "3 /s".to_owned())];
    let model = parse(&text, "test", &set).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(model.rules().timed[0].rate, 3e-6);
    assert_eq!(read(&model.source.resolved, &[]).rules(), model.rules());
}

#[test]
fn new_particles_are_placed_on_the_sides_of_their_species_within_the_region_of_the_rule() {
    let text = "[space]\ndimension = 3\nedges = '100 nm'\nboundary = 'reflecting'\n[run]\ntimestep = '1 ns'\n\
                steps = 1\n[[surface]]\nname = 'cell'\nsphere = { radius = '40 nm' }\n[[surface]]\nname = 'core'\n\
                sphere = { radius = '20 nm' }\n[[surface]]\nname = 'sheet'\nplane = { axis = 'z', at = '50 nm' }\n\
                species = { A = 'ignore' }\n[[species]]\nname = 'A'\nradius = '1 nm'\n\
                diffusion = '1 nm^2/us'\ninside = 'cell'\n[[rule]]\nname = 'make'\nreaction = '0 -> A'\n\
                rate = '1e-6 /nm^3/us'\n[[schedule]]\nat = '0.5 ns'\nadd = { species = 'A', count = 3 }\n";
    let ball = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    let slab = std::f64::consts::PI * 10.0 * (1600.0 - 100.0 / 12.0);
    let side = |surface, inside| Side { surface, inside };
    let cell = side(0, true);
    for (region, sides, volume, from_z) in [
        ("", vec![cell], ball(40.0), 10.0),
        ("{ inside = 'cell' }", vec![cell], ball(40.0), 10.0),
        ("{ outside = 'core' }", vec![cell, side(1, false)], ball(40.0) - ball(20.0), 10.0),
        (
            "{ outside = ['core'], above = 'sheet' }",
            vec![cell, side(1, false), side(2, true)],
            0.5 * (ball(40.0) - ball(20.0)),
            50.0,
        ),
        ("{ from = [0, 0, 45], to = [100, 100, 55] }", vec![cell], slab, 45.0),
    ] {
        let set = [("rule.make.region", region), ("schedule[0].add.region", region)];
        let model = read(text, if region.is_empty() { &[] } else { &set });
        let made = model.rules().timed[0].region.clone().unwrap();
        assert_eq!((&made.sides, made.from[2]), (&sides, from_z), "{region}");
        assert!((made.volume / volume - 1.0).abs() < 1e-4, "{region}: {} {volume}", made.volume);
        let ScheduledAction::Add { region: added, .. } = &model.rules().schedule[0].action else {
            panic!("it adds")
        };
        assert_eq!(added.as_ref(), Some(&made), "{region}");
        assert!((model.room_for(0, Some(&made)) - made.volume).abs() < 1e-9);
        assert!((measure::share_in(&model, 0, &made) * ball(40.0) / volume - 1.0).abs() < 1e-4);
        let again = read(&model.source.resolved, &[]);
        assert_eq!(again.source.resolved, model.source.resolved, "{region}");
        assert_eq!(again.rules().timed[0].region.as_ref(), Some(&made), "{region}");
    }
    let text = text.replace("[[schedule]]", "region = { outside = 'cell' }\n[[schedule]]");
    let faults = parse(&text, "model.toml", &[]).unwrap_err().to_string();
    assert!(faults.contains("rule.make.reaction: there is no room for it"), "{faults}");
}

/// The messages are in tests/refusals.
#[test]
fn complexes_that_have_not_formed_are_refused_where_it_is_not_known_what_they_hold() {
    let reads = |rule: &str, more: &str| {
        let text = format!(
            "[space]\ndimension = 3\nedges = '1 um'\n[run]\ntimestep = '1 ns'\nsteps = 1\n[[species]]\nname = 'A'\n\
             radius = '2 nm'\ndiffusion = '1 um^2/s'\ncount = 3\n[[species]]\nname = 'C'\nradius = '2 nm'\n\
             diffusion = '1 um^2/s'\n{more}[[rule]]\nname = 'bind'\nreaction = '{rule}'\nrate = '20 nm^3/us'\n"
        );
        let unbind = if rule.contains("<->") { "unbind = '1 /us'\n" } else { "" };
        parse(&(text + unbind), "model.toml", &[]).map_err(|faults| faults.to_string())
    };
    let created = "[[rule]]\nname = 'make'\nreaction = '0 -> C'\nrate = '1 nM/s'\n";
    let added = "[[schedule]]\nname = 'more'\nat = '0.5 ns'\nadd = { species = 'C', count = 1 }\n";
    let another = "[[species]]\nname = 'B'\nradius = 1\ndiffusion = 1\n[[rule]]\nname = 'other'\nmerge = 'coalesce'\n\
                   do = 'bind'\non = ['A', 'B']\nproduct = 'C'\nrate = '1 nm^3/us'\n";
    for (more, key) in
        [("count = 2\n", "species.C.count"), (created, "rule.make"), (added, "schedule.more")]
    {
        assert!(reads("A + A <-> C", more).is_ok(), "{more}");
        let fault = reads("A + A <-> C", &format!("{more}{another}")).unwrap_err();
        assert!(fault.contains(key) && fault.contains("of A and A by \"bind\""), "{fault}");
        assert!(reads("A + A -> C", &format!("{more}{another}")).is_ok(), "{more}");
    }
    // Seeds of what grows.
    assert!(reads("A + C <-> C", "count = 2\n").is_ok());
}
