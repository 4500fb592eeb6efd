//! Potentials are read as they are written, and faults are told.

use super::*;

fn model(potential: &str) -> Result<Model, String> {
    let text = format!(
        "[space]\ndimension = 3\nedges = '60 nm'\nboundary = 'periodic'\n[run]\ntimestep = '10 ns'\nsteps = 10\n\
         [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '10 um^2/s'\ncount = 5\n\
         [[species]]\nname = 'B'\nradius = '3 nm'\ndiffusion = '10 um^2/s'\nstates = ['on', 'off']\ncount = 5\n\
         [[species]]\nname = 'AB'\n\
         [[rule]]\nname = 'join'\ndo = 'bind'\nmerge = 'coalesce'\non = ['A', 'B{{off}}']\nproduct = 'AB'\nprobability = 0.1\n\
         [[potential]]\nname = 'attract'\n{potential}"
    );
    parse(&text, "test", &[]).map_err(|faults| faults.to_string())
}

fn refused(potential: &str, words: &[&str]) {
    let message = model(potential).err().unwrap_or_else(|| panic!("accepted: {potential}"));
    for word in words {
        assert!(message.contains(word), "\"{word}\" is not in\n{message}");
    }
}

#[test]
fn shells_of_all_pairs_follow_from_names_and_patterns() {
    let model = model("between = [['A', 'B{on}'], 'B']\nsteps = [{ to = '7 nm', energy = '-1.5 kT' }, { to = '90 A', energy = '0.5 kT' }]").unwrap();
    let pairs = model.potentials()[0].pairs();
    assert_eq!(pairs, [[0, 1], [0, 2], [1, 1], [1, 2]]);
    let potentials = model.stepped_potentials();
    let well = potentials.of(2, 1).unwrap();
    assert_eq!((well.edges(), well.in_shell(0), well.in_shell(1)), (&[7.0, 9.0][..], -1.5, 0.5));
    assert!(potentials.of(0, 0).is_none() && potentials.of(2, 2).is_none());
}

#[test]
fn square_wells_and_shoulders_are_single_shells() {
    for (square, energy) in [
        ("square_well = { to = '7 nm', depth = '1.5 kT' }", -1.5),
        ("square_shoulder = { to = '7 nm', height = '2 kT' }", 2.0),
    ] {
        let named = model(&format!("between = ['A', 'A']\n{square}")).unwrap();
        let steps =
            format!("between = ['A', 'A']\nsteps = [{{ to = '7 nm', energy = '{energy} kT' }}]");
        assert_eq!(named.potentials(), model(&steps).unwrap().potentials());
    }
}

#[test]
fn smooth_potentials_begin_at_the_contact_of_each_pair() {
    let model = model(
        "between = ['*', 'A']\nyukawa = { strength = '4 kT', length = '1 nm' }\ncutoff = '9 nm'\nshells = 10",
    );
    // AB has no radius.
    assert!(model.is_err_and(|message| message.contains("AB has no radius of its own")));
    let model = self::model("between = [['A', 'B'], 'A']\nyukawa = { strength = '4 kT', length = '1 nm' }\ncutoff = '9 nm'\nshells = 10").unwrap();
    let potentials = model.stepped_potentials();
    for (pair, contact) in [([0, 0], 4.0), ([0, 1], 5.0)] {
        let stepped = potentials.of(pair[0], pair[1]).unwrap();
        assert_eq!(stepped.edges().len(), 10);
        assert!((stepped.edges()[0] - contact - (9.0 - contact) / 10.0).abs() < 1e-12);
        assert!((2.5..4.0).contains(&stepped.in_shell(0)), "{}", stepped.in_shell(0));
    }
}

#[test]
fn forms_take_what_they_are_named_for() {
    let form = |text: &str| model(&format!("between = ['A', 'A']\n{text}"));
    let at = |text: &str, r: f64| {
        let model = form(text).unwrap();
        model.stepped_potentials().energy(0, 0, r)
    };
    // Beyond its minimum there is no such repulsion, and no cut-off is needed.
    let soft = form("wca = { depth = '1 kT', diameter = '5 nm' }").unwrap();
    assert!((soft.potentials()[0].energy.range() - 5.0 * 2_f64.powf(1.0 / 6.0)).abs() < 1e-12);
    let morse = "morse = { depth = '2 kT', width = '1 nm', distance = '6 nm' }\ncutoff = '12 nm'\nshells = 1000";
    assert!((at(morse, 6.0) + 2.0).abs() < 1e-3, "{}", at(morse, 6.0));
    let barrier = "gaussian = { height = '3 kT', width = '1 nm', distance = '7 nm' }\ncutoff = '12 nm'\nshells = 1000";
    assert!((at(barrier, 7.0) - 3.0).abs() < 1e-3, "{}", at(barrier, 7.0));
    let charges = "debye_hueckel = { charge_product = 10, salt = '150 mM' }\ncutoff = '12 nm'\nlaw = 'bounces'";
    // A Debye length of 0.786 nm, and contact at 4 nm.
    let energy = form(charges).unwrap().pair_potentials().energy(0, 0, 4.0);
    assert!((energy - 7.14 / 4.0 / (1.0 + 2.0 / 0.786_f64).powi(2)).abs() < 1e-3, "{energy}");
    refused(
        "between = ['A', 'A']\nmorse = { depth = '2 kT', width = '1 nm' }",
        &["`cutoff` is missing"],
    );
    refused("between = ['A', 'A']\nwca = { depth = '2 kT' }", &["`diameter` is missing"]);
}

#[test]
fn bounces_take_the_smooth_energy() {
    let text = "between = ['A', 'A']\nlennard_jones = { depth = '1 kT' }\ncutoff = '10 nm'\nlaw = 'bounces'";
    let model = model(text).unwrap();
    let potentials = model.pair_potentials();
    assert!(potentials.of(0, 0).unwrap().edges().is_empty() && potentials.climbs(0, 0).len() == 1);
    assert!((potentials.energy(0, 0, 4.0 * 2_f64.powf(1.0 / 6.0)) + 1.0).abs() < 1e-12);
    assert_eq!((model.energy_at_contact([0, 0]), potentials.energy(0, 0, 10.0)), (0.0, 0.0));
    refused(&format!("{text}\nshells = 8"), &["`shells` does not go with `law = \"bounces\"`"]);
    refused(
        "between = ['A', 'A']\nsquare_well = { to = '7 nm', depth = '1 kT' }\nlaw = 'bounces'",
        &["`law` does not go with `square_well`"],
    );
    refused(
        &format!("{text}\n[[schedule]]\nname = 'later'\nat = '50 ns'\nswitch_off = 'attract'"),
        &["potential.attract.law", "the schedule (later) switches this potential"],
    );
    // Where they live on a sphere, paths are not straight.
    let sphere = "[space]\ndimension = 3\nedges = '60 nm'\nboundary = 'periodic'\n[run]\ntimestep = '10 ns'\nsteps = 10\n\
                  [[surface]]\nname = 'cell'\nsphere = { centre = ['30 nm', '30 nm', '30 nm'], radius = '20 nm' }\n\
                  [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '10 um^2/s'\ncount = 5\non = 'cell'\n\
                  [[potential]]\nname = 'attract'\n";
    let message = parse(&format!("{sphere}{text}"), "test", &[]).unwrap_err().to_string();
    assert!(message.contains("A lives on a curved surface"), "{message}");
}

#[test]
fn what_is_no_potential_is_refused() {
    let steps = "steps = [{ to = '7 nm', energy = '-1 kT' }]";
    refused(steps, &["`between` is missing"]);
    refused(&format!("between = ['A', 'C']\n{steps}"), &["C"]);
    refused(&format!("between = ['A']\n{steps}"), &["two partners"]);
    refused("between = ['A', 'A']", &["exactly one of `square_well"]);
    refused("between = ['A', 'A']\nsteps = []", &["at least one shell"]);
    refused(
        "between = ['A', 'A']\nsteps = [{ to = '7 nm', energy = '-1 kT' }, { to = '6 nm', energy = '-1 kT' }]",
        &["6.0 nm does not exceed the end of the shell before, 7.0 nm"],
    );
    refused(
        "between = ['A', 'A']\nsteps = [{ to = '3.9 nm', energy = '-1 kT' }]",
        &["A and A touch at 4.0 nm", "3.9 nm"],
    );
    refused(
        "between = ['A', 'A']\nsteps = [{ to = '30 nm', energy = '-1 kT' }]",
        &["reaches 30.0 nm", "shortest periodic edge", "60.0 nm"],
    );
    refused(
        "between = ['A', 'A']\nsteps = [{ to = '7 nm', energy = '-1 kJ' }]",
        &["an energy in kT is needed"],
    );
    for (depth, found) in
        [("1", "has no unit"), ("'90 deg'", "is an angle"), ("'5 %'", "is a plain number")]
    {
        refused(
            &format!("between = ['A', 'A']\nsquare_well = {{ to = '7 nm', depth = {depth} }}"),
            &[found, "an energy in kT is needed, for example \"1.5 kT\""],
        );
    }
    refused(
        "between = ['A', 'A']\nsteps = [{ to = '7 nm', energy = '-1000 kT' }]",
        &["up to 500 kT"],
    );
    refused(
        "between = ['A', 'A']\nyukawa = { strength = '1 kT', length = '1 nm' }",
        &["`cutoff` is missing"],
    );
    refused(
        &format!("between = ['A', 'A']\ncutoff = '8 nm'\n{steps}"),
        &["`cutoff` does not go with `steps`"],
    );
    refused(
        "between = ['A', 'A']\nsquare_well = { to = '7 nm', depth = '1 kT' }\nshells = 8",
        &["`shells` does not go with `square_well`"],
    );
    refused(
        "between = ['A', 'A']\nsquare_well = { to = '7 nm', depth = '-1 kT' }",
        &["found -1 kT, but the depth of a well is positive", "square_shoulder"],
    );
    refused(
        &format!("between = ['A', 'A']\n{steps}\nsquare_well = {{ to = '7 nm', depth = '1 kT' }}"),
        &["exactly one of `square_well"],
    );
    refused(
        "between = ['A', 'A']\ntable = [{ at = '5 nm', energy = '1 kT' }]",
        &["there are 1 rows; at least 2"],
    );
    refused("between = ['A', 'A']\ntable = 'none.csv'", &["none.csv"]);
    refused(
        &format!(
            "between = ['A', 'A']\n{steps}\n[[rule]]\nname = 'through'\ndo = 'pass'\non = ['A', 'A']"
        ),
        &["A and A pass or ignore each other"],
    );
}

#[test]
fn a_step_that_is_long_for_a_shell_is_warned_of() {
    let fine = model("between = ['A', 'A']\nsteps = [{ to = '7 nm', energy = '-1 kT' }]").unwrap();
    assert!(
        fine.warnings().iter().all(|warning| !warning.contains("shell")),
        "{:?}",
        fine.warnings()
    );
    let coarse =
        model("between = ['A', 'A']\nsteps = [{ to = '4.1 nm', energy = '-1 kT' }]").unwrap();
    let warnings = coarse.warnings();
    assert!(warnings.iter().any(|w| w.contains("get in and out too fast")), "{warnings:?}");
}

#[test]
fn pairs_with_a_potential_do_not_ignore_each_other() {
    let text = "[space]\ndimension = 3\nedges = '60 nm'\nboundary = 'periodic'\n\
                [run]\ntimestep = '10 ns'\nsteps = 10\ninteractions = 'reactive'\n\
                [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '10 um^2/s'\ncount = 5\n\
                [[species]]\nname = 'B'\nradius = '2 nm'\ndiffusion = '10 um^2/s'\ncount = 5\n\
                [[potential]]\nname = 'attract'\nbetween = ['A', 'B']\nsteps = [{ to = '7 nm', energy = '-1 kT' }]";
    let model = parse(text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let ignoring: Vec<_> = model.rules().ignoring().collect();
    assert_eq!(ignoring, [[0, 0], [1, 1]]);
}

/// A macroscopic constant beside a potential is refused with the intrinsic one that means the same: with
/// D = 40 nm²/µs, R = 2 nm and a well of 3 kT to 4 nm, 1/k_D = (e^-3 (1/2 - 1/4) + 1/4)/(4 pi D).
#[test]
fn macroscopic_constants_beside_a_potential_are_refused_with_intrinsic_ones() {
    let text = |rule: &str, depth: &str| {
        format!(
            "[space]\ndimension = 3\nedges = '60 nm'\n[run]\ntimestep = '0.1 ns'\nsteps = 1\n[[species]]\nname = 'A'\n\
             radius = '1 nm'\ndiffusion = '20 um^2/s'\ncount = 3\n[[species]]\nname = 'B'\nradius = '1 nm'\n\
             diffusion = '20 um^2/s'\ncount = 3\n[[potential]]\nname = 'w'\nbetween = ['A', 'B']\n\
             square_well = {{ to = '4 nm', depth = '{depth}' }}\n[[rule]]\nname = 'r'\n{rule}\n"
        )
    };
    let faults =
        |rule: &str| crate::parse(&text(rule, "3 kT"), "m.toml", &[]).unwrap_err().to_string();
    let convert = "reaction = 'A + B -> A'\n";
    let most = 4.0 * std::f64::consts::PI * 40.0 / (0.25 * libm::exp(-3.0) + 0.25);
    let rate = 332.0 / (1.0 - 332.0 / most) * libm::exp(-3.0);
    let said = faults(&format!("{convert}k_on = '332 nm^3/us'"));
    let expected = format!("`rate = \"{} nm^3/us\"`", jostle_core::words::digits(rate, 6));
    assert!(said.contains("rule.r.k_on") && said.contains(&expected), "{said} {expected}");
    let said = faults(&format!("{convert}k_on = '{} nm^3/us'", most * 1.01));
    assert!(said.contains("at most"), "{said}");
    let bind = "do = 'bind'\nmerge = 'bond'\non = ['A', 'B']\nrate = '10 nm^3/us'\n";
    let said = faults(&format!("{bind}K_D = '1 mM'"));
    assert!(said.contains("rule.r.K_D") && said.contains("x 20.09"), "{said}");
    let said =
        faults(&format!("{bind}[[rule]]\nname = 'off'\ndo = 'unbind'\nof = 'r'\nK_D = '1 mM'"));
    assert!(said.contains("rule.off.K_D") && said.contains("x 20.09"), "{said}");
    for rule in [format!("{convert}rate = '{rate} nm^3/us'"), format!("{bind}unbind = '1 /us'")] {
        assert!(crate::parse(&text(&rule, "3 kT"), "m.toml", &[]).is_ok(), "{rule}");
    }
}

/// Of A and B in a box that is periodic along x alone, with a plane across it and a ball in the middle.
fn beside(potential: &str) -> Result<Model, String> {
    let text = format!(
        "[space]\ndimension = 3\nedges = '60 nm'\nboundary = ['periodic', 'reflecting', 'reflecting']\n\
         [run]\ntimestep = '10 ns'\nsteps = 10\n\
         [[surface]]\nname = 'sheet'\nplane = {{ axis = 'x', at = '20 nm' }}\nmeets = 'ignore'\n\
         [[surface]]\nname = 'ball'\nsphere = {{ radius = '10 nm' }}\nmeets = 'ignore'\n\
         [[surface]]\nname = 'rod'\ncylinder = {{ axis = 'x', radius = '5 nm', length = '20 nm' }}\nmeets = 'ignore'\n\
         [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '10 um^2/s'\ncount = 5\n\
         [[species]]\nname = 'P'\nradius = '1 nm'\ndiffusion = '10 um^2/s'\ncount = 5\n\
         [[potential]]\nname = 'field'\n{potential}"
    );
    parse(&text, "test", &[]).map_err(|faults| faults.to_string())
}

#[test]
fn potentials_beside_surfaces_are_fields_of_the_environment() {
    let text = "between = ['*', ['sheet', 'z-']]\nlinear = { length = '6 nm' }";
    let model = beside(text).unwrap();
    let [field] = model.surface_potentials() else { panic!("one is needed") };
    assert_eq!((field.species.len(), field.beside.len()), (2, 2));
    // Half-way to the next image of the sheet.
    assert!((field.cutoff - 0.4995 * 60.0).abs() < 1e-9, "{}", field.cutoff);
    let environment = model.surroundings().environment::<3>(&model.species);
    let domain = jostle_core::space::Domain::new([60.0; 3], [true, false, false]);
    let at = |place: [f64; 3]| environment.energy_at(&domain, 0, jostle_core::space::Vector(place));
    assert!((at([2.0, 5.0, 6.0]) - (18.0 + 6.0) / 6.0).abs() < 1e-9, "{}", at([2.0, 5.0, 6.0]));
    // As it is written out it means the same.
    let again = parse(&model.source.resolved, "again", &[]).unwrap();
    assert_eq!(again.surface_potentials(), model.surface_potentials());
    assert!(model.potentials().is_empty());
    let turned = beside("between = [['sheet', 'z-'], '*']\nlinear = { length = '6 nm' }").unwrap();
    assert_eq!(turned.surface_potentials(), model.surface_potentials());
    let trap = beside("between = ['P', 'ball']\nharmonic = { width = '4 nm' }").unwrap();
    assert!((trap.surface_potentials()[0].cutoff - (0.4995 * 60.0 - 10.0)).abs() < 1e-9);
}

#[test]
fn what_is_no_potential_beside_a_surface_is_refused() {
    let linear = "linear = { length = '6 nm' }";
    let cases = [
        (format!("between = ['A', 'rod']\n{linear}"), "\"rod\" is neither a plane nor a sphere"),
        (format!("between = ['A', 'x-']\n{linear}"), "no faces along x, which is periodic"),
        (
            format!("between = ['A', 'sheat']\n{linear}"),
            "no species, surface or face of the box \"sheat\", did you mean \"sheet\"? declared: A, P, sheet, ball, rod",
        ),
        (format!("between = ['A', ['ball', 'P']]\n{linear}"), "write two potentials"),
        (
            format!("between = ['A', 'sheet']\n{linear}\ncutoff = '31 nm'"),
            "two images of the surface",
        ),
        (
            format!("between = ['A', 'ball']\n{linear}\ncutoff = '20 nm'"),
            "two images of the surface",
        ),
        (
            format!("between = ['A', 'ball']\n{linear}\ncutoff = '2 nm'"),
            "touches the surface at 2.0 nm",
        ),
        (format!("between = ['A', 'ball']\n{linear}\nshells = 8"), "leave `shells` out"),
        (format!("between = ['A', 'ball']\n{linear}\nlaw = 'shells'"), "leave `law` out"),
        (
            "between = ['A', 'ball']\nsquare_well = { to = '5 nm', depth = '1 kT' }".to_owned(),
            "`square_well` does not go with a surface",
        ),
        (
            "between = ['A', 'ball']\nmorse = { depth = '1 kT', width = '2 nm' }".to_owned(),
            "`cutoff` is missing",
        ),
        ("between = ['A', 'ball']\nlinear = { length = '0 nm' }".to_owned(), "found 0 nm"),
        (
            format!(
                "between = ['A', 'ball']\n{linear}\n[[schedule]]\nname = 'later'\nat = '50 ns'\nswitch_off = 'field'"
            ),
            "only potentials with `law = \"shells\"`",
        ),
    ];
    for (potential, words) in cases {
        let message = beside(&potential).err().unwrap_or_else(|| panic!("accepted: {potential}"));
        assert!(message.contains(words), "\"{words}\" is not in\n{message}");
    }
}
