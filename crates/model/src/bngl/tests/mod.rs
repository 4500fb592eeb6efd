//! Whole files: what is read, written and refused.

mod actions;
mod amounts;
mod compartments;
mod complexes;
mod fixed;
mod labels;
mod law;
mod laws;
mod parameters;
mod room;
mod several;
mod sites;
mod wholes;

use super::*;

const GEOMETRY: &str = "box = ['1 um', '1 um', '1 um']\ntime_step = '1 us'\nuntil = '1 s'\n\
                        default = { radius = '5 nm', diffusion = '10 um^2/s' }\n";

const TYPES: &str = "begin parameters\nk 1e-3\nend parameters\nbegin molecule types\n\
                     A(b,s~u~p)\nB(a,a2)\nK(a~u~p,r)\nR(k,y~u~p,d)\nL(r,r,r)\nX()\nY()\nend molecule types\n";

fn with_rule(rule: &str) -> String {
    format!("{TYPES}begin reaction rules\n{rule}\nend reaction rules\n")
}

fn imported(text: &str, geometry: &str) -> Result<Imported, ImportFaults> {
    import([text, "m.bngl"], [geometry, "g.toml"])
}

/// What stands below `[[rule]]` in the model of one rule.
fn rule_text(rule: &str, geometry: &str) -> String {
    let text =
        imported(&with_rule(rule), geometry).unwrap_or_else(|faults| panic!("{rule}: {faults}"));
    let (_, rules) = text.text.split_once("[[rule]]").unwrap();
    rules.split_once('\n').unwrap().1.trim_end().to_owned()
}

#[test]
fn each_kind_of_rule_becomes_one_of_the_model() {
    for (rule, expected) in [
        (
            "bind: A(b)+B(a)<->A(b!1).B(a!1) k, 2*0.5",
            "name = \"bind\"\nreaction = \"A(b) + B(a) <-> A(b!1).B(a!1)\"\nk_on = \"602214.076 /M/s\"\n\
             k_off = \"1 /s\"",
        ),
        (
            "A(b) + B(a) -> A(b!1).B(a!1) k",
            "name = \"R1\"\nreaction = \"A(b) + B(a) -> A(b!1).B(a!1)\"\nk_on = \"602214.076 /M/s\"",
        ),
        (
            "A(b) + B(a) -> A(b!1).B(a!1) k\nA(b!1,s~p).B(a!1) -> A(b,s~p) + B(a) 0.1",
            "name = \"R1\"\nreaction = \"A(b) + B(a) -> A(b!1).B(a!1)\"\nk_on = \"602214.076 /M/s\"\n\n\
             [[rule]]  # line 15: 0.1\nname = \"R2\"\nreaction = \"A(b!1,s~p).B(a!1) -> A(b,s~p) + B(a)\"\n\
             k_off = \"0.1 /s\"",
        ),
        (
            // A product is released, and a bond comes with a state.
            "R(k) + K(r) -> R(k!1).K(r!1) k\nR(k!1,y~u).K(r!1) -> R(k,y~p) + K(r) 0.1",
            "name = \"R1\"\nreaction = \"R(k) + K(r) -> R(k!1).K(r!1)\"\nk_on = \"602214.076 /M/s\"\n\n\
             [[rule]]  # line 15: 0.1\nname = \"R2\"\nreaction = \"R(k!1,y~u).K(r!1) -> R(k,y~p) + K(r)\"\n\
             k_off = \"0.1 /s\"",
        ),
        (
            "A(b,s~u) + B(a) <-> A(b!1,s~p).B(a!1) k, 2",
            "name = \"R1\"\nreaction = \"A(b,s~u) + B(a) <-> A(b!1,s~p).B(a!1)\"\n\
             k_on = \"602214.076 /M/s\"\nk_off = \"2 /s\"",
        ),
        (
            "L(r,r!+,r) + R(d) -> L(r!1,r!+,r).R(d!1) k",
            "name = \"R1\"\nreaction = \"L(r,r!+,r) + R(d) -> L(r!1,r!+,r).R(d!1)\"\nk_on = \"602214.076 /M/s\"",
        ),
        (
            "off: A(b!7).B(a!7) <-> A(b) + B(a) 0.1,k",
            "name = \"off\"\nreaction = \"A(b) + B(a) <-> A(b!7).B(a!7)\"\nk_on = \"602214.076 /M/s\"\n\
             k_off = \"0.1 /s\"",
        ),
        ("A(s~u) -> A(s~p) 3", "name = \"R1\"\nreaction = \"A(s~u) -> A(s~p)\"\nrate = \"3 /s\""),
        (
            "flip: A(s~u) <-> A(s~p) 3,4",
            "name = \"flip\"\nreaction = \"A(s~u) -> A(s~p)\"\nrate = \"3 /s\"\n\n\
             [[rule]]  # line 14: 4\nname = \"flip_back\"\nreaction = \"A(s~p) -> A(s~u)\"\nrate = \"4 /s\"",
        ),
        (
            "K(r!1).R(k!1,y~u) -> K(r!1).R(k!1,y~p) 1e-9",
            "name = \"R1\"\nreaction = \"K(r!1).R(k!1,y~u) -> K(r!1).R(k!1,y~p)\"\nrate = \"1e-9 /s\"",
        ),
        (
            "K(a~p) + R(y~u!?) -> K(a~p) + R(y~p!?) k",
            "name = \"R1\"\nreaction = \"K(a~p) + R(y~u!?) -> K(a~p) + R(y~p!?)\"\nk_on = \"602214.076 /M/s\"",
        ),
        ("0 -> A(b,s~u) 5", "name = \"R1\"\nreaction = \"0 -> A(b,s~u)\"\nrate = \"5 /um^3/s\""),
        ("A(s~p,b) -> 0 1", "name = \"R1\"\nreaction = \"A(s~p,b) -> 0\"\nrate = \"1 /s\""),
        ("A() -> 0 1 DeleteMolecules", "name = \"R1\"\nreaction = \"A() -> 0\"\nrate = \"1 /s\""),
        (
            "L(r,r,r!+)+R(d) -> L(r!1,r,r!+).R(d!1) k",
            "name = \"R1\"\nreaction = \"L(r,r,r!+) + R(d) -> L(r!1,r,r!+).R(d!1)\"\nk_on = \"602214.076 /M/s\"",
        ),
        (
            "R(y~u,k!1).K(r!1) -> K(r!1).R(k!1,y~p) + A(b,s~u) 1",
            "name = \"R1\"\nreaction = \"R(y~u,k!1).K(r!1) -> R(y~p,k!1).K(r!1) + A(b,s~u)\"\nrate = \"1 /s\"",
        ),
        (
            "K(a~p) + A(s~u) -> K(a~p) + A(s~u) + X() k",
            "name = \"R1\"\nreaction = \"K(a~p) + A(s~u) -> K(a~p) + A(s~u) + X()\"\nk_on = \"602214.076 /M/s\"",
        ),
        (
            "R(d!3,k!1).K(r!1,a~u).B(a!3) -> B(a!1).R(k,d!1) 1",
            "name = \"R1\"\nreaction = \"R(d!3,k!1).K(r!1,a~u).B(a!3) -> R(d!3,k).B(a!3)\"\nrate = \"1 /s\"",
        ),
        ("A(b) -> B(a,a2) 1", "name = \"R1\"\nreaction = \"A(b) -> B(a,a2)\"\nrate = \"1 /s\""),
        (
            "A(b,s~u) -> B(a,a2) 1",
            "name = \"R1\"\nreaction = \"A(b,s~u) -> B(a,a2)\"\nrate = \"1 /s\"",
        ),
        (
            "A(b,s~u) + K(a~u) -> A(b,s~u) k DeleteMolecules",
            "name = \"R1\"\nreaction = \"A(b,s~u) + K(a~u) -> A(b,s~u)\"\nk_on = \"602214.076 /M/s\"",
        ),
        ("make: X()->X()+Y() 1", "name = \"make\"\nreaction = \"X -> X + Y\"\nrate = \"1 /s\""),
        (
            "X() + X <-> Y k,1",
            "name = \"R1\"\nreaction = \"X + X <-> Y\"\nk_on = \"602214.076 /M/s\"\nk_off = \"1 /s\"",
        ),
        (
            // What is created holds no parts, so it cannot fall apart as what has coalesced does.
            "X() + X <-> Y k,1\n0 -> Y() 1",
            "name = \"R1\"\nreaction = \"X + X -> Y\"\nk_on = \"602214.076 /M/s\"\n\n\
             [[rule]]  # line 14: 1\nname = \"R1_back\"\nreaction = \"Y -> X + X\"\nrate = \"1.00039805 /s\"\n\n\
             [[rule]]  # line 15: 1\nname = \"R2\"\nreaction = \"0 -> Y()\"\nrate = \"1 /um^3/s\"",
        ),
        ("X <-> Y 2,1", "name = \"R1\"\nreaction = \"X <-> Y\"\nrate = \"2 /s\"\nback = \"1 /s\""),
        ("X -> 0 2", "name = \"R1\"\nreaction = \"X() -> 0\"\nrate = \"2 /s\""),
        ("3 steps (1): X -> Y 2", "name = \"R1\"\nreaction = \"X -> Y\"\nrate = \"2 /s\""),
    ] {
        let found = rule_text(rule, GEOMETRY);
        let found = found.replace("3_steps_1", "R1");
        assert_eq!(found, expected, "{rule}");
    }
}

#[test]
fn rates_keep_their_meaning_in_other_units_and_dimensions() {
    let bind = "A(b) + B(a) <-> A(b!1).B(a!1) k, 1";
    let molar = GEOMETRY.replace("until", "rates = '/M/s'\ntime_unit = 'min'\nuntil");
    assert!(rule_text(bind, &molar).contains("k_on = \"0.001 /M/min\"\nk_off = \"1 /min\""));
    let plane = GEOMETRY.replace(", '1 um']", "]").replace("1 um", "2 um");
    assert!(rule_text(bind, &plane).contains("rate = \"0.004 um^2/s\"\nunbind = \"1 /s\""));
    assert!(rule_text("0 -> A(b,s~u) 5", &plane).contains("rate = \"1.25 /um^2/s\""));
    let line = GEOMETRY.replace(", '1 um', '1 um']", "]");
    assert!(rule_text(bind, &line).contains("rate = \"0.001 um/s\""));
}

/// The engine counts the ways in which patterns of sites fit, as BNGL does. Of particles of a species
/// without sites it counts pairs, N (N - 1) / 2: twice the rate where each way round counts in BNGL.
#[test]
fn like_with_like_has_the_rate_that_bionetgen_gives_it() {
    let one = "k_on = \"602214.076 /M/s\"";
    let two = "k_on = \"1204428.15 /M/s\"";
    for (rule, key) in [
        // 0.5 kp N (N - 1) in BioNetGen: kp for each pair.
        ("R(d) + R(d) -> R(d!1).R(d!1) k", one),
        ("R(y~u) + R(y~u) -> R(y~p) + R(y~p) k", one),
        ("X + X -> Y k", one),
        // kp N (N - 1): each of the two may be the one that changes.
        ("R(y~u) + R(y~u) -> R(y~p) + R(y~u) k", one),
        ("X + X -> X + Y k", two),
        // Two different bonds, each with its own rate.
        ("R(d) + R(k) -> R(d!1).R(k!1) k", one),
        // Which is which is plain.
        ("R(y~p) + R(y~u) -> R(y~p) + R(y~p) k", one),
        ("R(d,y~p) + R(d,y~u) -> R(d!1,y~p).R(d!1,y~u) k", one),
    ] {
        let found = rule_text(rule, GEOMETRY);
        assert!(found.contains(key), "{rule}: {found}");
    }
}

#[test]
fn what_particles_cannot_do_is_refused_by_line_and_column() {
    for (rule, column, said) in [
        ("A(b)+B(a,a2!1).X() -> 0 1", 6, "bond 1 has one end"),
        (
            "A(b!1).B(a!1,a2!2).R(k!2,y~u) -> A(b) + B(a,a2!2).R(k!2,y~p) 1",
            1,
            "the state of R changes together with a bond that does not join it",
        ),
        (
            "A(s~u).B() -> A(s~p).B() 1\nA(b)+B(a) -> A(b!1).B(a!1) k\nB(a)+B(a2) -> B(a!1).B(a2!1) k",
            1,
            "does not say by which bonds",
        ),
        ("B(a,a2) -> B(a!1,a2!1) 1", 1, "a molecule cannot bind itself"),
        (
            "A(b!1).B(a!1,a2!2).R(k!2,d!3).R(d!3,k) -> A(b!1).B(a!1,a2!2).R(k!2,d).R(d,k) 1",
            1,
            "stay in one complex",
        ),
        ("R(d!1,k).R(d!1,k!2).K(r!2) -> R(d!1,k!3).R(d!1,k!2).K(r!2) 1", 31, "bond 3 has one end"),
        ("R(k!1).K(r!1,a~u) -> R(k!1) 1", 22, "bond 1 has one end"),
        ("A(b) + B(a) + R(d) -> A(b!1).B(a!1) + R(d) 1", 1, "there are 3 reactants"),
        (
            "A(s~u) + R(d!1).R(d!1) -> A(s~p) + R(d!1).R(d!1) 1",
            1,
            "would count once for each: write the rule for one of them, `R(d!+)`, with 1/2",
        ),
        (
            "R(k!+,d!1).R(k!+,d!1) + A(s~u) -> R(k!+,d!1).R(k!+,d!1) + A(s~p) 1",
            1,
            "has 2 molecules that are alike",
        ),
        ("A(b) -> 0 1", 1, ""),
        ("A(b) + A(b) -> 0 1", 1, "two A go or become others where they meet"),
        ("A(b,s~u) -> A(b,s~u) + K(a~u,r!1).R(k!1,y~u,d) 1", 1, "a complex is created"),
        (
            "A(s~u) + R(d!1,y~u).R(d!1,y~u) -> A(s~u) + R(d!1,y~p).R(d!1,y~p) 1",
            1,
            "has 2 molecules that are alike and change alike",
        ),
        ("A() + R(d!1).R(d!1) -> R(d) + R(d) 1", 1, "a bond breaks and a molecule goes at once"),
        (
            "A(b!1).B(a!1) + R(k!1).K(r!1) -> K(r) 1",
            1,
            "a whole complex goes here, and a part of `R(k!1).K(r!1)`",
        ),
        ("0 -> A(b,s~u) + X() 1", 1, "several molecules are created at once"),
        ("0 -> A(b!1,s~u).B(a!1,a2) 1", 1, "a complex is created"),
        ("0 -> A(b) 1", 1, "site `s` of `A` is missing"),
        ("0 -> A(b,s) 1", 1, "the state of site `s` of `A` is missing"),
        ("A(s~u) -> A(s~p) k2", 18, "there is no parameter `k2`; did you mean `k`?"),
        ("A(s~u) -> A(s~p)", 17, "the rate constant of the rule is missing"),
        ("A(s~u) -> A(s~p) 1,2", 21, "one rate constant, not 2"),
        ("A(s~u) <-> A(s~p) 1", 20, "the second is missing"),
        ("A(s~u) -> A(s~p) -1", 18, "the rate constant is -1"),
        ("A(s~u) -> A(s~x) 1", 11, "no state `x`; its states: u, p"),
        ("A(t~u) -> A(t~p) 1", 1, "`A` has no site `t`; its sites: b, s"),
        ("C() -> 0 1", 1, "there is no molecule type `C`"),
        ("L(r,r,r,r) -> 0 1", 1, "`L` has 3 and not 4 sites `r`"),
        ("A(s~u)@EC -> A(s~p)@EC 1", 1, "there is no compartment `EC`"),
        ("@EC:A(s~u) -> A(s~p) 1", 1, "there is no compartment `EC`"),
        ("A(s~u@EC) -> A(s~p) 1", 6, "the two stand behind a molecule"),
        ("@EC A(s~u) -> A(s~p) 1", 5, "stands between `@` and `:`"),
        (
            "A%1(s~u) + A%2(s~u) -> A%2(s~p) + A%1(s~u) 1",
            1,
            "label `2` joins what stands in another order",
        ),
        ("L(r%x,r%y) + A(b) -> L(r%y,r%x!1).A(b!1) k", 1, "label `y` joins"),
        ("A%(s~u) -> A(s~p) 1", 2, "behind `%` a label is needed"),
        ("A(s~u) -> A(s~p) Sat(k,2,3)", 18, "`Sat` has more constants than the rule has reactants"),
        ("A(s~u) -> A(s~p) MM(k,2)", 18, "`MM` is for a substrate and an enzyme"),
        ("A(s~u) -> A(s~p) Hill(k,2)", 18, "`Hill` takes 3 numbers"),
        ("A(s~u) -> A(s~p) 2*MM(k,2)", 20, "`MM` is a rate law"),
        ("A(s~u) + A(s~u) -> A(s~p) + A(s~p) k TotalRate", 36, "two of one pattern"),
        ("A(s~u) -> A(s~p) k exclude_reactants(1,B)", 20, "lists of patterns"),
        ("A(s~u) = A(s~p) k", 8, "found \"=\" where `->` or `<->` is needed"),
        ("A(s~u) -> A(s~p) k nonsense", 20, "\"nonsense\" is not expected here"),
        ("{MatchOnce}L(r) + A(b) -> L(r!1).A(b!1) k", 12, "{MatchOnce} is not possible"),
        ("{Fixed}A(s~u) -> A(s~p) k", 1, "modifiers in braces"),
        (
            "L(r,r!2).R(d!2) + A(b) -> L(r!1,r!2).R(d!2).A(b!1) k",
            1,
            "`L(r,r!2)` fits in several ways",
        ),
        ("A(b) + B(a) -> A(b!1).B(a!1) 10", 1, "only meet at 4πDR = 1.514e9 /M/s"),
        ("A(s~u) -> A(s~p) k*lost", 20, "`lost` is an observable that is left out"),
        (
            "A(s~u) -> A(s~p) f()",
            1,
            "depends on `obs`, which cannot be counted: its molecules must",
        ),
        ("A(s~u) -> A(s~p) g", 18, "function with arguments"),
    ] {
        let text = with_rule(rule)
            + "begin observables\nMolecules obs A().B()\nMolecules lost A(q)\nend observables\nbegin functions\nf() = 2*obs\ng(x) = x\n\
               end functions\n";
        // `A(b) -> 0` may be meant, since no rule binds A.
        if said.is_empty() {
            assert!(imported(&text, GEOMETRY).is_ok());
            continue;
        }
        let is_slow = said.contains("4πDR");
        let geometry = match is_slow {
            true => GEOMETRY.replace("until", "room = true\nuntil"),
            false => GEOMETRY.replace("10 um", "1e5 um"),
        };
        let faults = imported(&text, &geometry).err().unwrap_or_else(|| panic!("{rule} is taken"));
        let faults = faults.to_string();
        let first = faults.lines().next().unwrap_or_default();
        assert!(first.starts_with(&format!("m.bngl:14:{column}: ")), "{rule}: {faults}");
        assert!(first.contains(said), "{rule}: {faults}");
    }
}

#[test]
fn everything_else_is_refused_where_it_is() {
    let seeds = |text: &str| format!("{TYPES}begin seed species\n{text}\nend seed species\n");
    for (text, place, said) in [
        (seeds("A(b) 1"), "14:1", "site `s` of `A` is missing"),
        (seeds("A(b,s~u)"), "14:9", "how many there are of it is missing"),
        (seeds("A(b,s~u) -1"), "14:10", "a number of zero or more"),
        (seeds("$A(b,s~u) 1"), "14:1", "a fixed number of molecules"),
        (seeds("A(b!1,s~u).B(a!1,a2) 1"), "14:1", "binds A at b and B at a"),
        (seeds("A(b,s~u).B(a,a2) 1"), "14:1", "hangs together by one chain of bonds"),
        (seeds("B(a!1,a2!1) 1"), "14:1", "hangs together by one chain of bonds"),
        (seeds("A(b,s~u) 1e17"), "14:1", "too many"),
        (seeds("A(b,s~u) 1 2"), "14:12", "\"2\" is not expected here"),
        (
            "begin parameters\na b\nb a+1\nend parameters\n".to_owned(),
            "2:1",
            "`a` depends on itself",
        ),
        (
            "begin parameters\na 1\na 2\nend parameters\n".to_owned(),
            "3:1",
            "already been defined in line 2",
        ),
        (
            "begin parameters\na 1 2\nend parameters\n".to_owned(),
            "2:5",
            "\"2\" is not expected here",
        ),
        (
            "begin parameters\n= 1\nend parameters\n".to_owned(),
            "2:1",
            "the name of a parameter is needed",
        ),
        ("begin parameters\n".to_owned(), "1:7", "`end parameters` is missing"),
        ("end rules\n".to_owned(), "1:1", "`end rules` ends no block"),
        ("begin paramters\nx\nend paramters\n".to_owned(), "1:7", "did you mean `parameters`?"),
        (
            "begin compartments\nEC 1 1\nCP 3 1\nend compartments\n".to_owned(),
            "2:4",
            "3 (a volume) or 2 (a membrane)",
        ),
        ("begin energy patterns\nend energy patterns\n".to_owned(), "1:7", "energies of patterns"),
        ("begin population types\nend population types\n".to_owned(), "1:7", "populations"),
        ("begin population maps\nend population maps\n".to_owned(), "1:7", "populations"),
        (
            "begin molecule types\nA(b!1).B(a!1)\nend molecule types\n".to_owned(),
            "2:1",
            "a line of its own",
        ),
        ("begin molecule types\nA(b!+)\nend molecule types\n".to_owned(), "2:1", "has a bond"),
        (
            "begin molecule types\nA(b)\nA(c)\nend molecule types\n".to_owned(),
            "3:1",
            "already been declared",
        ),
        (
            "begin molecule types\nA(b~u,b)\nend molecule types\n".to_owned(),
            "2:1",
            "different states",
        ),
        (
            "begin molecule types\nA(b~u~u)\nend molecule types\n".to_owned(),
            "2:1",
            "declared twice",
        ),
        (
            "begin molecule types\nA(b\nend molecule types\n".to_owned(),
            "2:4",
            "a `,` or `)` is missing",
        ),
        ("begin functions\n(x) = 1\nend functions\n".to_owned(), "2:1", "the name of a function"),
        ("begin parameters\na a__FREE\nend parameters\n".to_owned(), "2:3", "PyBNF fits"),
        ("setConcentration(\"A\",1)\n".to_owned(), "1:19", "no molecule type `A`"),
        (
            "setConcentration(A,1)\n".to_owned(),
            "1:18",
            "found \"A\" where a name in quotes is needed",
        ),
        ("setParameter(\"k\",1)\n".to_owned(), "1:15", "no parameter `k` that could be set"),
        ("setParameter(\"k\" 1)\n".to_owned(), "1:18", "where a comma is needed"),
        (
            seeds("A(b,s~u) 3") + "addConcentration(\"A(s~u,b)\", -4)\n",
            "16:19",
            "there would be -1 of it",
        ),
        (
            "setOption(\"NumberPerQuantityUnit\",6.02e23)\n".to_owned(),
            "1:1",
            "`units` in the geometry file",
        ),
        ("readFile({file=>\"m.bngl\"})\n".to_owned(), "1:1", "import that file"),
        ("fly({a=>1})\n".to_owned(), "1:1", "a command `fly` is not known"),
        ("A(b) + B(a)\n".to_owned(), "1:1", "only commands"),
    ] {
        let faults = imported(&text, GEOMETRY).unwrap_err().to_string();
        assert!(
            faults
                .lines()
                .any(|line| line.starts_with(&format!("m.bngl:{place}: ")) && line.contains(said)),
            "{text}: {faults}"
        );
    }
}

#[test]
fn all_faults_of_both_files_come_at_once() {
    let text = format!(
        "{}begin seed species\nQ() 1\nend seed species\n",
        with_rule("A(z)->0 1\nB(a)->0 m")
    );
    let geometry =
        "box = ['1 um']\nradius = 3\n[species.D]\nradius = '1 s'\n[default]\nradius = '1 nm'\n";
    let faults = imported(&text, geometry).unwrap_err().to_string();
    for said in [
        "m.bngl:14:1: `A` has no site `z`",
        "m.bngl:15:9: there is no parameter `m`",
        "m.bngl:18:1: there is no molecule type `Q`",
        "g.toml: `time_step` is missing",
        "g.toml:2: radius: this key is not known",
        "g.toml:3: species.D: there is no molecule type `D` in the BNGL file",
        "g.toml:4: species.D.radius: found \"1 s\"",
        "`A` has no diffusion: give it under `[species.A]`",
    ] {
        assert!(faults.contains(said), "{said} is missing in\n{faults}");
    }
}

#[test]
fn what_does_no_harm_is_noted() {
    let text = with_rule("{MatchOnce}A(s~u) -> A(s~p) k\nA(s~p) -> A(s~u) 0")
        + "begin seed species\nA(b,s~u) 1.6\nend seed species\n\
           begin observables\nMolecules A A(q)\nend observables\n\
           version(\"2.2\");\nsimulate({method=>\"ssa\",\nt_end=>40,n_steps=>4})\n";
    let geometry = GEOMETRY.replace("until = '1 s'\n", "");
    let Imported { text, notes } = imported(&text, &geometry).unwrap();
    let expected = [
        "m.bngl:14:12: {MatchOnce} is left out",
        "m.bngl:15:1: rule `R2` is left out where its rate constant `0` is 0",
        "m.bngl:18:1: 1.6 molecules are rounded to 2",
        "m.bngl:21:13: observable `A` is left out: `A` has no site `q`",
        "m.bngl:24:1: `simulate` is left out",
    ];
    assert_eq!(notes.len(), expected.len(), "{notes:#?}");
    for (note, expected) in notes.iter().zip(expected) {
        assert!(note.starts_with(expected), "{note}");
    }
    assert!(text.contains("until = \"40 s\"\n"), "{text}");
    assert!(!text.contains("R2"));
}

#[test]
fn the_model_file_is_pleasant_to_read() {
    let text = "begin model\nbegin parameters\n  1 kon  2e-3  # per molecule\n  2 koff = kon*50 # per second\n\
                end parameters\nbegin molecule types\nEGF(r)\nEGFR(l,Y1~u~p,Y2~u~p~q)\nL(r,r)\n\
                end molecule types\nbegin seed species\nEGFR(l,Y2~u,Y1~u) 100\nEGFR(l,Y1~p,Y2~u) 5\n\
                EGF(r) 2*10\nL(r,r) 3\nEGF(r!1).EGFR(l!1,Y1~u,Y2~u) 0\nend seed species\nbegin observables\n\
                Molecules Bound EGFR(l!+), EGFR(Y1~p!?)\nend observables\nbegin functions\nback() = koff/2\n\
                end functions\nbegin reaction rules\nbind: EGF(r) + EGFR(l) <-> \\\n EGF(r!1).EGFR(l!1) kon, back()\n\
                end reaction rules\nend model\ngenerate_network({overwrite=>1})\n";
    let geometry = "box = [1000, 1000, 1000]\nboundary = 'reflecting'\ntime_step = '1 us'\nuntil = '1 s'\n\
                    default = { radius = '1.5 nm', diffusion = '50 um^2/s' }\n[species.EGFR]\nradius = 3\n";
    let expected = r#"# Made by `jostle import` of m.bngl, with the box, radii and diffusion coefficients of g.toml.
title = "m"

[space]
dimension = 3
edges = ["1000.0 nm", "1000.0 nm", "1000.0 nm"]
boundary = "reflecting"

[run]
timestep = "1 us"
until = "1 s"
# Molecules take no room, as in BNGL: where they do not react they pass through each other.
interactions = "reactive"

[[species]]
name = "EGF"
radius = "1.5 nm"
diffusion = "50 um^2/s"
count = 20
sites = [{ name = "r" }]

[[species]]
name = "EGFR"
radius = "3.0 nm"
diffusion = "50 um^2/s"
count = { "EGFR(l,Y1~u,Y2~u)" = 100, "EGFR(l,Y1~p,Y2~u)" = 5 }
sites = [
    { name = "l" },
    { name = "Y1", states = ["u", "p"] },
    { name = "Y2", states = ["u", "p", "q"] },
]

[[species]]
name = "L"
radius = "1.5 nm"
diffusion = "50 um^2/s"
count = 3
sites = [{ name = "r" }, { name = "r" }]

[[rule]]  # line 25: kon, back()
name = "bind"
reaction = "EGF(r) + EGFR(l) <-> EGF(r!1).EGFR(l!1)"
k_on = "1204428.15 /M/s"
k_off = "0.05 /s"

[[observable]]
name = "Bound"
patterns = ["EGFR(l!+)", "EGFR(Y1~p!?)"]
"#;
    assert_eq!(imported(text, geometry).unwrap().text, expected);
}

#[test]
fn types_that_are_not_declared_follow_from_their_use() {
    let text = "begin species\nA(b,s~u) 1\nB(a) 1\nend species\nbegin reaction rules\nA(s~u) -> A(s~p) 1\n\
                A(b)+B(a)->A(b!1).B(a!1) 1\nend reaction rules\n";
    let network = read(text, "m.bngl").unwrap();
    assert_eq!(network.types[0].sites[1].states, ["u", "p"]);
    assert_eq!(network.types.len(), 2);
}

/// Whatever stands in a file, it is read or refused, and quickly.
#[test]
fn no_text_is_too_much() {
    let many = "A(".repeat(20_000);
    let sites = format!("A({})", vec!["b"; 60].join(","));
    let alike = ["L(r,r,r)"; 7].join(".");
    let partners: String = (0..20).map(|n| format!(".L(r!{n},r,r)")).collect();
    let bonds: Vec<String> = (0..20).map(|n| format!("c!{n}")).collect();
    let comb = format!("C({}){partners}", bonds.join(","));
    let c =
        format!("begin molecule types\nL(r,r,r)\nC({})\nend molecule types\n", ["c"; 20].join(","));
    let comb = format!("{c}begin reaction rules\n{comb} -> 0 1\nend reaction rules\n");
    let chain: String = (0..5000).map(|n| format!("p{n} p{}+1\n", n + 1)).collect();
    for text in [
        comb,
        with_rule(&many),
        with_rule(&format!("{sites} -> 0 1")),
        format!(
            "begin molecule types\n{sites}\nend molecule types\nbegin reaction rules\n{sites} -> 0 1\nend reaction rules\n"
        ),
        with_rule(&format!("{alike} -> 0 1")),
        format!("begin parameters\n{chain}end parameters\n"),
        "\u{0}\u{feff}é".to_owned(),
        "begin".to_owned(),
        "begin reaction rules\n\\\n".to_owned(),
        "simulate({\n\n".to_owned(),
    ] {
        let _ = imported(&text, GEOMETRY);
    }
}
