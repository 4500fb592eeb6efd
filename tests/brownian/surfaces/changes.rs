//! Whatever comes to a surface, leaves it, is made, grows or is let go there gets a place where
//! there is room: after each step every pair is tested, and that every particle that lives on a
//! surface is on it.

use jostle::brownian::Tally;
use jostle::environment::Form;
use jostle::environment::{Manner, Shape};
use jostle::model::{self, Model};
use jostle::observe::{NoObserver, View};
use jostle::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle::run;
use jostle::space::{Domain, Vector};

use super::worlds::{anchor, setup, start};

/// What length rounding may cost. \[nm\]
const ROUNDING: f64 = 1e-8;

const FORMS: [&str; 4] = [
    "plane = { axis = 'z', at = '20 nm' }",
    "sphere = { radius = '12 nm' }",
    "cylinder = { axis = 'z', radius = '9 nm', length = '30 nm' }",
    "cylinder = { axis = 'x', radius = '9 nm', ends = 'open' }",
];

/// A box with a membrane of this form, and what else there is.
fn world(form: &str, more: &str) -> Model {
    let text = format!(
        "[space]\ndimension = 3\nedges = '40 nm'\nboundary = ['periodic', 'periodic', 'reflecting']\n\
         [run]\ntimestep = '10 ns'\nsteps = 500\nseed = 3\n[[surface]]\nname = 'mem'\n{form}\n{more}"
    );
    model::parse(&text, "changes.toml", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn species(name: &str, radius: f64, diffusion: f64, more: &str) -> String {
    format!(
        "[[species]]\nname = '{name}'\nradius = {radius}\ndiffusion = '{diffusion} um^2/s'\n{more}\n"
    )
}

/// No particles overlap, and every particle is on its surface.
fn look(model: &Model, view: &View<'_, 3>) {
    let p = view.particles;
    let alive: Vec<usize> = (0..p.len()).filter(|&i| p.alive[i]).collect();
    for (n, &i) in alive.iter().enumerate() {
        let place = p.position[i];
        if let Some(anchor) = model.surroundings().anchor(p.species[i]) {
            let off = match &model.surroundings().surfaces[anchor.surface as usize].form {
                Form::Plane { axis, at } => place[*axis] - at,
                Form::Ball { centre, radius } => {
                    view.domain.nearest_image(place - Vector(*centre)).norm() - radius
                }
                Form::Rod { centre, rod } => {
                    rod.distance(view.domain.nearest_image(place - Vector(*centre))).0
                }
                other => panic!("{other:?}"),
            };
            assert!(off.abs() < ROUNDING, "step {}: {} is {off} nm off", view.clock.step, p.id[i]);
        }
        for &j in &alive[..n] {
            let gap =
                view.domain.nearest_image(p.position[j] - place).norm() - p.radius[i] - p.radius[j];
            let species = [i, j].map(|i| p.species[i]);
            assert!(
                gap > -ROUNDING || model.rules().pass(species[0], species[1]),
                "step {}: {} and {} of species {species:?} overlap by {} nm",
                view.clock.step,
                p.id[i],
                p.id[j],
                -gap
            );
        }
    }
}

/// Runs a model, looking after each step.
fn watched(model: &Model) -> Tally {
    let mut engine = run::engine::<3>(model).expect("a start");
    for _ in 0..model.run.steps {
        engine.step(&mut NoObserver).expect("a step");
        look(model, &engine.view());
    }
    engine.tally()
}

#[test]
fn what_is_converted_onto_a_surface_finds_room_there() {
    for form in FORMS {
        for products in
            ["['R', 'R']", "['Q', 'R']", "['R', 'Q']", "['Q', 'L', 'R']", "['R']", "['W', 'R']"]
        {
            let model = world(
                &format!("{form}\nmeets = 'ignore'"),
                &[
                    species("R", 1.3, 2.0, "on = 'mem'"),
                    species("Q", 1.3, 2.0, "on = 'mem'\ncount = 12"),
                    species("L", 1.3, 10.0, "count = 80"),
                    species("W", 1.6, 2.0, ""),
                    format!(
                        "[[rule]]\nname = 'land'\ndo = 'convert'\non = ['L', 'Q']\nproducts = {products}\n\
                         probability = 0.5\n"
                    ),
                ]
                .concat(),
            );
            let tally = watched(&model);
            assert!(tally.converted >= 5, "{form} {products}: {tally:?}");
        }
    }
}

#[test]
fn what_grows_on_a_surface_makes_room_for_itself() {
    for form in FORMS {
        for (meets, faces) in [("ignore", "both"), ("reflect", "inside"), ("reflect", "outside")] {
            let model = world(
                &format!("{form}\nmeets = '{meets}'"),
                &[
                    species("Q", 1.0, 2.0, &format!("on = 'mem'\nfaces = '{faces}'\ncount = 12")),
                    species("H", 1.5, 2.0, &format!("on = 'mem'\nfaces = '{faces}'")),
                    species("L", 1.2, 10.0, "count = 80"),
                    "[[rule]]\nname = 'feed'\ndo = 'convert'\non = ['Q', 'L']\nproducts = ['H', 'L']\n\
                     probability = 0.5\n[[rule]]\nname = 'shrink'\ndo = 'convert'\non = 'H'\nproducts = ['Q']\n\
                     rate = '3 /us'\n"
                        .to_owned(),
                ]
                .concat(),
            );
            let tally = watched(&model);
            assert!(tally.converted >= 5, "{form}: {tally:?}");
        }
    }
}

#[test]
fn what_is_born_beside_one_that_leaves_a_surface_is_on_it() {
    for form in FORMS {
        for meets in ["ignore", "reflect"] {
            let model = world(
                &format!("{form}\nmeets = '{meets}'"),
                &[
                    species("A", 1.2, 2.0, "on = 'mem'\ncount = 12"),
                    species("R", 1.0, 2.0, "on = 'mem'"),
                    species("X", 1.4, 10.0, "count = 60"),
                    "[[rule]]\nname = 'bud'\ndo = 'convert'\non = 'A'\nproducts = ['X', 'R']\nrate = '0.5 /us'\n\
                     [[rule]]\nname = 'back'\ndo = 'convert'\non = ['X', 'R']\nproducts = ['A']\n\
                     probability = 0.3\n"
                        .to_owned(),
                ]
                .concat(),
            );
            let tally = watched(&model);
            assert!(tally.converted >= 8, "{form} {meets}: {tally:?}");
        }
    }
}

#[test]
fn what_lets_go_of_a_surface_or_on_it_has_room() {
    let mut unbound = 0;
    for form in FORMS {
        for (meets, faces) in [("ignore", "both"), ("reflect", "inside"), ("reflect", "outside")] {
            for (pair, product) in
                [("['A', 'B']", "P"), ("['A', 'A']", "P"), ("['A', 'B']", "A{full}")]
            {
                let states = "states = ['free', 'full']";
                let model = world(
                    &format!("{form}\nmeets = '{meets}'"),
                    &[
                        species(
                            "A",
                            1.8,
                            2.0,
                            &format!("on = 'mem'\nfaces = '{faces}'\n{states}\nplacement = {{ random = 12, state = 'free' }}"),
                        ),
                        species("B", 1.2, 5.0, "count = 60"),
                        species("P", 2.0, 2.0, &format!("on = 'mem'\nfaces = '{faces}'")),
                        format!(
                            "[[rule]]\nname = 'bind'\ndo = 'bind'\nmerge = 'coalesce'\non = {}\n\
                             product = '{product}'\nprobability = 0.7\nunbind = '5 /us'\n",
                            pair.replace("'A'", "'A{free}'")
                        ),
                    ]
                    .concat(),
                );
                unbound += watched(&model).unbound;
            }
        }
    }
    assert!(unbound >= 40, "{unbound}");
}

#[test]
fn pieces_of_what_is_cut_on_a_surface_are_on_it() {
    for form in FORMS {
        for how in ["at = 'any'", "at = 'end'", "minimum = 9", "minimum = 9\ndissolve = 'S'"] {
            let model = world(
                &format!("{form}\nmeets = 'ignore'"),
                &[
                    species("A", 1.2, 3.0, "on = 'mem'\ncount = 25"),
                    species("S", 1.1, 3.0, ""),
                    "[[species]]\nname = 'F'\non = 'mem'\n".to_owned(),
                    "[[rule]]\nname = 'join'\ndo = 'bind'\nmerge = 'coalesce'\nprobability = 0.7\ncases = [\n\
                     { on = ['A', 'A'], product = 'F' },\n{ on = ['A', 'F'], product = 'F' },\n]\n"
                        .to_owned(),
                    format!("[[rule]]\nname = 'cut'\ndo = 'fragment'\non = 'F'\nrate = '2 /us'\n{how}\n"),
                    "[[rule]]\nname = 'arrive'\ndo = 'create'\nproduct = 'A'\nrate = '0.001 /nm^2/us'\n"
                        .to_owned(),
                ]
                .concat(),
            );
            let tally = watched(&model);
            assert!(tally.cut >= 5 && tally.created >= 1, "{form} {how}: {tally:?}");
        }
    }
}

/// Models that would ask for it are refused; an engine that is given such rules lets no particle
/// go.
#[test]
fn no_particle_is_put_on_a_surface_from_afar() {
    let shape = Shape::Plane { axis: 2, at: 5.0 };
    let environment = anchor(shape, &[Manner::Ignore; 2], &[Some(1.0), None]);
    let kinds = vec![super::worlds::species("A", 1.0, 2.0), super::worlds::species("P", 1.0, 9.0)];
    let bind = ContactRule::coalesce("bind", [0, 0], 1, Chance::Probability(1.0));
    let timed = vec![TimedRule::unbind("part", 0, 3.0)];
    let rules = RuleSet { contact: vec![bind], timed, ..RuleSet::default() };
    let domain = Domain::new([20.0; 3], [true, true, false]);
    let particles: Vec<_> = (0..16u8)
        .map(|n| (0, Vector([2.5 + 5.0 * f64::from(n % 4), 2.5 + 5.0 * f64::from(n / 4), 5.0])))
        .collect();
    let mut engine = start(setup(domain, environment, kinds, rules, 0.01, 4), &particles);
    for _ in 0..500 {
        engine.step(&mut NoObserver).expect("a step");
    }
    let tally = engine.tally();
    assert!(tally.bound >= 4 && tally.unbound == 0 && tally.refused >= 4, "{tally:?}");
}
