//! The law of the import: what it writes is never refused, since what is refused is said where the
//! BNGL file says it.

use std::fmt::Write;

use super::*;

/// Molecules diffuse so fast that every rate constant is within reach.
const FAST: &str = "box = ['1 um', '1 um', '1 um']\ntime_step = '1e-7 us'\nuntil = '1 ms'\n\
                    default = { radius = '5 nm', diffusion = '1e6 um^2/s' }\n";

/// A site and its states.
type SiteKind = (&'static str, &'static [&'static str]);

/// Complexes at the start, and a rule that makes their bond.
const PAIR: [&str; 2] = ["A(b!1,s~u).B(a!1,c~x,d~q) 3\n", "A(b) + B(a) <-> A(b!1).B(a!1) k, 1\n"];
const DIMER: [&str; 2] =
    ["L(r!1,r,t~p).L(r,r!1,t~u) 2\n", "L(r,r) + L(r,r) -> L(r!1,r).L(r!1,r) k\n"];

/// Molecule types with their sites and states: some sites are alike, one has one state.
const KINDS: [(&str, &[SiteKind]); 5] = [
    ("A", &[("b", &[]), ("s", &["u", "p"])]),
    ("B", &[("a", &[]), ("c", &["x"]), ("d", &["u", "p", "q"])]),
    ("L", &[("r", &[]), ("r", &[]), ("t", &["u", "p"])]),
    ("X", &[]),
    ("Y", &[]),
];

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    fn happens(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// A site of a pattern before and after.
#[derive(Clone)]
struct Spec {
    name: &'static str,
    states: [Option<&'static str>; 2],
    bonds: [String; 2],
}

struct Member {
    name: &'static str,
    sites: Vec<Spec>,
}

fn member(dice: &mut Dice) -> Member {
    let (name, sites) = KINDS[dice.below(KINDS.len())];
    let mut found = Vec::new();
    for (name, states) in sites {
        if dice.happens(3) {
            continue;
        }
        let state = (!states.is_empty() && !dice.happens(3)).then(|| dice.one(states));
        let bond = dice.one(&["", "", "", "!+", "!?"]).to_owned();
        found.push(Spec { name, states: [state; 2], bonds: [bond.clone(), bond] });
    }
    Member { name, sites: found }
}

/// Complexes of one or two molecules; those of two are joined where both have a site.
fn complex(dice: &mut Dice, bond: &mut usize) -> Vec<Member> {
    let mut complex = vec![member(dice)];
    if dice.happens(3) {
        complex.push(member(dice));
        *bond += 1;
        for member in &mut complex {
            let count = member.sites.len();
            if count > 0 {
                let site = dice.below(count);
                member.sites[site].bonds = [format!("!{bond}"), format!("!{bond}")];
            }
        }
    }
    complex
}

/// The states that a site can have.
fn states(member: &Member, site: &Spec) -> &'static [&'static str] {
    let kind = KINDS.iter().find(|(name, _)| *name == member.name);
    let found = kind.and_then(|(_, sites)| sites.iter().find(|(name, _)| *name == site.name));
    found.map_or(&[], |(_, states)| states)
}

/// Changes one thing, or a bond and a state.
fn change(dice: &mut Dice, side: &mut [Vec<Member>], bond: &mut usize) {
    let kinds: [&[usize]; 7] = [&[0], &[1], &[2], &[1, 0], &[2, 0], &[0, 0], &[]];
    kinds[dice.below(7)].iter().for_each(|kind| change_one(dice, side, bond, *kind));
}

/// Changes a state, makes a bond, or breaks one, where there is a place for it.
fn change_one(dice: &mut Dice, side: &mut [Vec<Member>], bond: &mut usize, kind: usize) {
    *bond += 1;
    let mut ends = 0;
    for member in
        side.iter_mut().flat_map(|complex| complex.iter_mut().take(1 + usize::from(kind == 2)))
    {
        for n in 0..member.sites.len() {
            let states = states(member, &member.sites[n]);
            let site = &mut member.sites[n];
            let is_numbered = site.bonds[0].starts_with('!') && !"!+!?".contains(&site.bonds[0]);
            match kind {
                0 if states.len() > 1 && ends == 0 && !dice.happens(3) => {
                    let (from, to) = (dice.below(states.len()), dice.below(states.len()));
                    site.states = [Some(states[from]), Some(states[to])];
                    ends += 1;
                }
                1 if ends < 2 && !is_numbered => {
                    site.bonds = [String::new(), format!("!{bond}")];
                    ends += 1;
                    break;
                }
                2 if is_numbered => site.bonds[1].clear(),
                _ => {}
            }
        }
    }
}

/// A side of a rule, before or after.
fn side(side: &[Vec<Member>], when: usize, join: &str) -> String {
    let molecule = |member: &Member| {
        let site = |site: &Spec| {
            let state = site.states[when].map_or_else(String::new, |state| format!("~{state}"));
            format!("{}{state}{}", site.name, site.bonds[when])
        };
        let sites: Vec<String> = member.sites.iter().map(site).collect();
        format!("{}({})", member.name, sites.join(","))
    };
    let complex = |complex: &Vec<Member>| {
        complex.iter().map(molecule).collect::<Vec<_>>().join(if when == 0 { "." } else { join })
    };
    match side {
        [] => "0".to_owned(),
        side => {
            side.iter().map(complex).collect::<Vec<_>>().join(if when == 0 { " + " } else { join })
        }
    }
}

/// A molecule as it can be made: all sites free, each in a state.
fn whole(dice: &mut Dice) -> Vec<Member> {
    let (name, sites) = KINDS[dice.below(KINDS.len())];
    let site = |dice: &mut Dice, (name, states): &SiteKind| Spec {
        name,
        states: [(!states.is_empty()).then(|| dice.one(states)); 2],
        bonds: [String::new(), String::new()],
    };
    vec![Member { name, sites: sites.iter().map(|known| site(dice, known)).collect() }]
}

fn rule(dice: &mut Dice) -> String {
    let mut bond = 0;
    let count = [0, 1, 1, 2, 2][dice.below(5)];
    let mut reactants: Vec<_> = (0..count).map(|_| complex(dice, &mut bond)).collect();
    change(dice, &mut reactants, &mut bond);
    let (mut left, mut right) = (side(&reactants, 0, "."), "0".to_owned());
    match dice.below(7) {
        0 if count < 2 => {}
        3 if count > 0 => {
            let (some, is_one) = without_some(dice, &reactants);
            let join = if is_one { "." } else { " + " };
            let some: Vec<_> = some.into_iter().filter(|complex| !complex.is_empty()).collect();
            right = side(&some, 1, join);
        }
        1 => {
            let product = whole(dice);
            right = side(&[product], 0, ".");
        }
        2 => {
            let product = whole(dice);
            left = side(&[product], 0, ".");
        }
        _ if count == 0 => {
            let product = whole(dice);
            right = side(&[product], 0, ".");
        }
        _ => {
            let is_bound = right_is_one(&reactants);
            right = side(&reactants, 1, if is_bound { "." } else { " + " });
        }
    }
    let (arrow, second) = if dice.happens(3) { ("<->", ", 2") } else { ("->", "") };
    let rate = dice.one(&["1e-3", "0", "k", "if(k>1,1e-2,5)", "20*k"]);
    let behind = dice.one(&["", "", " DeleteMolecules"]);
    format!("{left} {arrow} {right} {rate}{second}{behind}")
}

/// The same complexes without some of their molecules, whose partners are free; whether they are joined.
fn without_some(dice: &mut Dice, reactants: &[Vec<Member>]) -> (Vec<Vec<Member>>, bool) {
    let goes: Vec<Vec<bool>> =
        reactants.iter().map(|complex| complex.iter().map(|_| dice.happens(2)).collect()).collect();
    let numbered = |bond: &String| bond.len() > 1 && !"!+!?".contains(bond.as_str());
    let members = || reactants.iter().zip(&goes).flat_map(|(of, goes)| of.iter().zip(goes));
    let lost: Vec<String> = members()
        .filter(|(_, goes)| **goes)
        .flat_map(|(member, _)| member.sites.iter().map(|site| site.bonds[1].clone()))
        .filter(numbered)
        .collect();
    let mut is_one = false;
    let mut kept = |member: &Member| {
        let mut sites = member.sites.clone();
        for site in &mut sites {
            if lost.contains(&site.bonds[1]) {
                site.bonds[1].clear();
            }
            is_one |= numbered(&site.bonds[1]);
        }
        Member { name: member.name, sites }
    };
    let mut found = Vec::new();
    for (complex, goes) in reactants.iter().zip(&goes) {
        let stay = complex.iter().zip(goes).filter(|(_, goes)| !**goes);
        found.push(stay.map(|(member, _)| kept(member)).collect());
    }
    (found, is_one)
}

/// Whether bonds hold together what is there afterwards.
fn right_is_one(reactants: &[Vec<Member>]) -> bool {
    let sites = reactants.iter().flatten().flat_map(|member| &member.sites);
    let numbered = |site: &&Spec| site.bonds[1].len() > 1 && !"!+!?".contains(&site.bonds[1]);
    sites.filter(numbered).count() > 1
}

fn model(dice: &mut Dice) -> String {
    let many = dice.one(&["0", "2"]);
    let mut text = "begin parameters\nk 1e-3\nend parameters\nbegin molecule types\n".to_owned();
    for (name, sites) in KINDS {
        let site = |(name, states): &SiteKind| {
            states.iter().fold((*name).to_owned(), |site, state| format!("{site}~{state}"))
        };
        let sites: Vec<String> = sites.iter().map(site).collect();
        let _ = writeln!(text, "{name}({})", sites.join(","));
    }
    let none = ["", ""];
    let [seed, binder] = [none, none, none, PAIR, DIMER][dice.below(5)];
    text = text
        + "end molecule types\nbegin seed species\n"
        + seed
        + "A(b,s~u) 10\nB(a,c~x,d~q) 3.5\nL(r,r,t~p) 4\nX() "
        + many
        + "\nend seed species\nbegin reaction rules\n";
    for _ in 0..1 + dice.below(3) {
        let _ = writeln!(text, "{}", rule(dice));
    }
    text += binder;
    text += "end reaction rules\nsimulate({t_end=>10*k})\n";
    if dice.happens(4) {
        let block = "begin compartments\nV 3 2*k\nend compartments\nbegin seed species";
        text = text.replace("begin seed species", block).replace("X() ", "X()@V ");
    }
    text
}

/// The same molecules in compartments: two volumes, or one, with a membrane.
fn in_compartments(dice: &mut Dice) -> String {
    let mut text =
        "begin parameters\nk 1e-3\nend parameters\nbegin compartments\nV 3 6\nM 2 2 V\n".to_owned();
    text += dice.one(&["W 3 3 M\n", "W 3 3 M\n", "W 3 3 M\nN 2 1 W\nU 3 1 N\n"]);
    text += "end compartments\nbegin seed species\n";
    let seeds = ["A(b,s~u)", "B(a,c~x,d~q)", "L(r,r,t~p)", "X()", "Y()"];
    let mut homes = Vec::new();
    for seed in seeds {
        let home: &[&str] = [&["V"][..], &["W"], &["M"], &["M"], &["V", "W"]][dice.below(5)];
        home.iter().for_each(|place| text += &format!("{seed}@{place} 4\n"));
        homes.push((&seed[..1], home));
    }
    text += "end seed species\nbegin reaction rules\n";
    for _ in 0..1 + dice.below(3) {
        let rule = match dice.below(6) {
            0 => format!("{0}()@V -> {0}()@W k", dice.one(&["X", "Y"])),
            1 => format!(
                "{0}()@V <-> {0}()@W 3, {1}",
                dice.one(&["X", "A"]),
                dice.one(&["1.5", "k"])
            ),
            _ => rule(dice),
        };
        // Some molecules are said to be where their type is, now and then anywhere.
        let mut rest = rule.as_str();
        while let Some(at) = rest.find(')') {
            let name = rest[..at].rfind('(').and_then(|open| rest[..open].chars().last());
            text += &rest[..=at];
            rest = &rest[at + 1..];
            let home = homes.iter().find(|(known, _)| name == known.chars().next());
            if let Some((_, home)) = home.filter(|_| !rest.starts_with('@') && dice.happens(3)) {
                let place =
                    if dice.happens(6) { dice.one(&["V", "M", "W", "Z"]) } else { dice.one(home) };
                text += &format!("@{place}");
            }
        }
        text += rest;
        text.push('\n');
    }
    text + "end reaction rules\nsimulate({t_end=>10*k})\n"
}

#[test]
fn nothing_in_compartments_is_written_that_would_be_refused() {
    let (mut round, mut flat, mut open, mut refused) = (0, 0, 0, Vec::new());
    for seed in 0..2_000 {
        let text = in_compartments(&mut Dice(seed));
        let geometry = match seed % 4 {
            0 => FAST.replace("until", "room = true\nuntil"),
            1 => FAST.replace("until", "compartments = 'layers'\nuntil"),
            _ => FAST.to_owned(),
        };
        match imported(&text, &geometry) {
            Ok(found) => {
                round += usize::from(found.text.contains("sphere = "));
                flat += usize::from(found.text.contains("plane = "));
                open += usize::from(found.text.contains("permeability"));
                let again = crate::parse(&found.text, "m.toml", &[]);
                assert!(again.is_ok(), "{text}\n{}\n{}", found.text, again.unwrap_err());
                assert!(!found.text.contains('@'), "{text}\n{}", found.text);
            }
            Err(faults) => {
                let faults = faults.to_string();
                assert!(faults.lines().all(|line| line.starts_with("m.bngl:")), "{text}\n{faults}");
                assert!(!faults.contains("``") && !faults.contains("is ?"), "{text}\n{faults}");
                if faults.contains("that is made of this is refused") {
                    refused.push(format!("{text}\n{faults}"));
                }
            }
        }
    }
    println!("{round} round, {flat} flat, {open} with permeabilities");
    assert!(
        refused.is_empty(),
        "{} models:\n{}",
        refused.len(),
        refused[..refused.len().min(3)].join("\n")
    );
    assert!(round > 100 && flat > 100 && open > 50, "{round} round, {flat} flat, {open} open");
}

#[test]
fn nothing_is_written_that_would_be_refused() {
    let (mut taken, mut bound, mut refused) = (0, 0, Vec::new());
    for seed in 0..2_000 {
        let text = model(&mut Dice(seed));
        let geometry = match seed % 4 {
            0 => FAST.replace("until", "room = true\nuntil"),
            1 => FAST.replace(", '1 um']", "]"),
            2 => FAST.replace(", '1 um', '1 um']", "]"),
            _ => FAST.to_owned(),
        };
        match imported(&text, &geometry) {
            Ok(found) => {
                taken += 1;
                bound += usize::from(found.text.contains("[[molecule]]"));
                let again = crate::parse(&found.text, "m.toml", &[]);
                assert!(again.is_ok(), "{text}\n{}\n{}", found.text, again.unwrap_err());
            }
            Err(faults) => {
                let faults = faults.to_string();
                assert!(faults.lines().all(|line| line.starts_with("m.bngl:")), "{text}\n{faults}");
                // Import says in terms of BNGL why something is impossible.
                if faults.contains("that is made of this is refused") {
                    refused.push(format!("{text}\n{faults}"));
                }
            }
        }
    }
    assert!(refused.is_empty(), "{} models:\n{}", refused.len(), refused[0]);
    assert!(taken > 300 && bound > 30, "{taken} models are taken, {bound} with complexes");
}
