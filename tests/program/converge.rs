//! The same noise at several time steps: what free particles do is then the same, and what is left
//! is what longer steps do wrong; `jostle converge` measures it.

use jostle::brownian::Brownian;
use jostle::space::Vector;
use jostle::species::Drift;
use jostle_lab::validate::world::{World, advance, on_lattice, unwrapped};
use serde_json::Value;

use crate::program::{folder, jostle, repository};

/// Where the particles of a world are after `steps` steps, and after the same time in steps so many
/// times shorter, whose draws the longer ones add up.
fn ends<const D: usize>(world: &World<D>, steps: usize, finer: u64) -> [Vec<Vector<D>>; 2] {
    let particles = on_lattice(world.domain.edges()[0], 60, world.species.len());
    let engine = |timestep: f64| world.clone().timestep(timestep).with(&particles).unwrap();
    let run = |mut engine: Brownian<D>, steps| {
        advance(&mut engine, steps).unwrap();
        unwrapped(&engine)
    };
    let coarse = engine(world.timestep).drawing_finer(finer);
    [run(coarse, steps), run(engine(world.timestep / finer as f64), steps * finer as usize)]
}

fn apart<const D: usize>([coarse, fine]: &[Vec<Vector<D>>; 2]) -> f64 {
    coarse.iter().zip(fine).map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max)
}

fn free_paths_end_alike<const D: usize>() {
    let well = Drift::Well { centre: [22.0, 20.0, 18.0], relaxation: 3.0 };
    let flow = Drift::Constant([0.1, -0.2, 0.3]);
    let world = World::<D>::periodic(40.0).timestep(0.7).seed(3);
    let world = world.species(0.1, 0.5).drifting(0.1, 8.0, flow).drifting(0.1, 2.0, well).ghosts();
    for finer in [2, 4, 5] {
        let ends = ends(&world, 40, finer);
        assert!(apart(&ends) < 1e-11, "{D}D, {finer} times finer: {} nm apart", apart(&ends));
    }
    // It is not that nobody moves, or that other draws would do as well.
    let others = world.clone().seed(4);
    assert!(apart(&[ends(&world, 40, 2)[0].clone(), ends(&others, 40, 2)[1].clone()]) > 1.0);
}

#[test]
fn a_free_particle_ends_in_the_same_place_at_every_step_that_draws_the_same_noise() {
    free_paths_end_alike::<1>();
    free_paths_end_alike::<2>();
    free_paths_end_alike::<3>();
}

#[test]
fn one_draw_for_each_step_is_what_every_run_does() {
    let world = World::<3>::periodic(20.0).timestep(0.7).species(1.0, 0.5);
    let particles = on_lattice(20.0, 100, 1);
    let mut engines =
        [world.with(&particles).unwrap(), world.with(&particles).unwrap().drawing_finer(1)];
    engines.iter_mut().for_each(|engine| advance(engine, 20).unwrap());
    let [plain, drawn] = engines.map(|engine| unwrapped(&engine));
    assert_eq!(plain, drawn);
}

/// In a shear flow, long steps carry particles with the flow of where they were at the start:
/// displacements across the flow are the same, those along it are not.
#[test]
fn a_shear_flow_differs_along_the_flow_only() {
    let shear = Drift::Shear { rate: 0.1, along: 0, across: 1 };
    let world = World::<2>::periodic(4000.0).timestep(0.7).drifting(0.1, 0.5, shear).ghosts();
    let ends = ends(&world, 40, 4);
    let across = |k: usize| ends[0].iter().zip(&ends[1]).map(move |(a, b)| (a[k] - b[k]).abs());
    assert!(across(1).all(|apart| apart < 1e-8));
    assert!(across(0).all(|apart| apart > 1e-6 && apart < 5.0));
}

/// At a wall a step is mirrored, the noise of those after it is not: paths part, and come together
/// as steps become shorter.
#[test]
fn at_walls_paths_part_and_converge() {
    let world = |timestep| World::<1>::closed(20.0).timestep(timestep).species(0.1, 1.0).ghosts();
    let rms = |timestep: f64| {
        let [a, b] = ends(&world(timestep), (64.0 / timestep) as usize, 2);
        (a.iter().zip(&b).map(|(a, b)| (*a - *b).norm_squared()).sum::<f64>() / a.len() as f64)
            .sqrt()
    };
    let [long, short] = [rms(4.0), rms(0.0625)];
    assert!(long > 0.1, "{long}");
    assert!(short < 0.5 * long, "{short} after {long}");
}

/// Particles in the middle of a shear flow, which ignore each other.
fn shear_model(particles: usize) -> String {
    let places: Vec<String> = (0..particles).map(|n| format!("[{n}.5, 500.0]")).collect();
    format!(
        "[space]\ndimension = 2\nedges = '1000 nm'\n[run]\ntimestep = '1 us'\nsteps = 16\nseed = 5\n\
         [[species]]\nname = 'A'\nradius = '0.1 nm'\ndiffusion = '1 um^2/s'\n\
         placement = {{ positions = [{}] }}\n\
         drift = {{ shear = {{ rate = '0.2 /us', along = 'x', across = 'y' }} }}\n\
         [[rule]]\nname = 'free'\non = ['A', 'A']\ndo = 'ignore'\n",
        places.join(", ")
    )
}

/// What `jostle converge` says of a model, by observable, at the end.
fn converged(model: &str, options: &[&str]) -> (Value, impl Fn(&str) -> Value + use<>) {
    let dir = folder();
    std::fs::write(dir.path().join("own.toml"), model).unwrap();
    let command = [&["converge", "own.toml", "--json", "-q"], options].concat();
    let all: Value = serde_json::from_str(&jostle(dir.path(), &command).succeeds().out).unwrap();
    let rows = all["observables"].as_array().unwrap().clone();
    let row = move |what: &str| {
        let found = rows.iter().find(|row| row["observable"] == what && row["when"] == "end");
        found.unwrap_or_else(|| panic!("no {what} in {rows:?}")).clone()
    };
    (all, row)
}

/// A mean with its error, and how many errors it is from what is expected.
fn errors_off(found: &Value, expected: f64) -> f64 {
    let [mean, error] = ["mean", "error"].map(|key| found[key].as_f64().unwrap());
    (mean - expected) / error
}

/// In n steps of dt from the middle of a shear flow of rate g, the displacement along the flow has
/// the variance 2 D t (1 + g² dt² (n - 1) (2 n - 1) / 6): first order in dt, and 2 D t (1 + g² t² /
/// 3) in the limit.
#[test]
fn the_first_order_of_shear_flow_and_its_limit_are_found() {
    let (all, row) = converged(&shear_model(900), &["--levels", "4", "--replicas", "16"]);
    assert_eq!(all["timesteps_us"], serde_json::json!([1.0, 0.5, 0.25, 0.125]));
    let spread = |steps: f64| {
        let dt = 16.0 / steps;
        1.0 + 0.04 * dt * dt * (steps - 1.0) * (2.0 * steps - 1.0) / 6.0
    };
    let along = row("msd/2t of A along x (µm²/s)");
    for (level, change) in along["changes"].as_array().unwrap().iter().enumerate() {
        let steps = 16.0 * 2f64.powi(level as i32);
        let off = errors_off(change, spread(2.0 * steps) - spread(steps));
        assert!(off.abs() < 6.0, "level {level}: {off}");
    }
    assert_eq!(along["verdict"], "converges");
    assert!((along["order"]["mean"].as_f64().unwrap() - 1.0).abs() < 0.12, "{along:#}");
    assert!(errors_off(&along["limit"], 1.0 + 0.04 * 256.0 / 3.0).abs() < 6.0, "{along:#}");
    // Common noise: the change is known better than any of the two values that it is the difference
    // of.
    assert!(along["changes"][0]["error"].as_f64() < along["values"][0]["error"].as_f64());
    let paths = row("rms distance of paths of A (nm)");
    assert!((paths["order"]["mean"].as_f64().unwrap() - 1.0).abs() < 0.1, "{paths:#}");
    assert_eq!(row("msd/2t of A along y (µm²/s)")["verdict"], "equal to rounding");
}

#[test]
fn free_particles_are_equal_at_every_step() {
    let model = std::fs::read_to_string(repository().join("models/free_diffusion.toml")).unwrap();
    let options =
        ["--steps", "20", "--set", "species.slow.count=50", "--replicas", "3", "--threads", "2"];
    let (all, row) = converged(&model, &options);
    for row in all["observables"].as_array().unwrap() {
        assert_eq!(row["verdict"], "equal to rounding", "{row:#}");
    }
    let d = row("msd/2dt of fast (µm²/s)");
    assert!(errors_off(&d["limit"], 10.0).abs() < 12.0, "{d:#}");
    assert_eq!(all["notes"], serde_json::json!([]));
}

#[test]
fn counts_and_notes_of_a_model_that_reacts_are_reported_and_written() {
    let dir = folder();
    let command = ["converge", "model.toml", "--steps", "40", "--replicas", "4", "--levels", "2"];
    let screen = jostle(dir.path(), &command).succeeds();
    for said in [
        "Receptors: time steps of 1 µs, 500 ns, the same noise",
        "number of A",
        "bonds",
        "reactions share no noise",
    ] {
        assert!(screen.out.contains(said), "{said:?} is missing in\n{}", screen.out);
    }
    assert!(screen.err.contains("4 of 4 replicas done"), "{}", screen.err);
    let more = ["--out", "table.csv", "--plot", "orders.svg", "--threads", "2"];
    let written = jostle(dir.path(), &[&command[..], &more].concat()).succeeds();
    let table = std::fs::read_to_string(dir.path().join("table.csv")).unwrap();
    assert!(table.starts_with("observable,when,timestep_us,value,std_error,change,"), "{table}");
    // Twice the number of levels: at the end and on average.
    assert_eq!(table.matches("\nbonds,").count(), 4, "{table}");
    // So short a run tells no step from another: there is nothing to draw.
    assert!(written.err.contains("orders.svg is not drawn"), "{}", written.err);
    std::fs::write(dir.path().join("model.toml"), shear_model(900)).unwrap();
    let drawn =
        ["converge", "model.toml", "--levels", "4", "--replicas", "16", "--plot", "orders.svg"];
    jostle(dir.path(), &drawn).succeeds();
    assert!(dir.path().join("orders.svg").exists());
    // What is read is not replaced.
    std::fs::write(dir.path().join("my.csv.toml"), shear_model(3)).unwrap();
    let over = ["converge", "my.csv.toml", "--out", "my.csv.toml", "--format", "csv", "--force"];
    assert!(jostle(dir.path(), &over).fails().contains("the file being read"));
}

#[test]
fn what_has_no_noise_or_makes_no_sense_is_refused() {
    let dir = folder();
    let models = repository().join("models");
    for (model, said) in [
        ("hard_sphere_gas.toml", "the granular engine goes from collision to collision"),
        ("pile_polygons.toml", "model of polygons, in which nothing is random"),
        ("disk_gas.toml", "model of a disk gas"),
    ] {
        let path = models.join(model);
        let refused = jostle(dir.path(), &["converge", path.to_str().unwrap()]);
        assert!(refused.fails().contains(said), "{}", refused.err);
    }
    let nowhere = jostle(dir.path(), &["converge", "nowhere.toml"]);
    assert!(nowhere.fails().contains("cannot be read"));
    let faster = ["converge", "model.toml", "--set", "rule.pair.rate=1e9 um^2/s"];
    assert!(jostle(dir.path(), &faster).fails().contains("pair"));
    for wrong in [["--levels", "1"], ["--levels", "11"], ["--replicas", "2"], ["--format", "json"]]
    {
        let json: &[&str] = if wrong[0] == "--format" { &["--json"] } else { &[] };
        let done = jostle(dir.path(), &[&["converge", "model.toml"], &wrong[..], json].concat());
        assert_eq!(done.code, Some(2), "{wrong:?}: {}", done.err);
    }
    let picture = ["converge", "model.toml", "--plot", "orders.gif"];
    assert!(jostle(dir.path(), &picture).fails().contains(".svg, .pdf or .png"));
}
