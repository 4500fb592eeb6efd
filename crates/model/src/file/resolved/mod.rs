//! A model written out in full, defaults included: the same model can be read from it again.

mod gas;
mod granular;
mod polygons;
mod rules;
mod surfaces;

use std::fmt::Write;

use crate::{BrownianModel, EngineModel, FirstBond, How, LogLevel, Model, Run, Scheduler};
use jostle_core::search::{self, Resize};
use jostle_core::species::{Drift, MobilityLaw, Species};

/// The whole model as TOML, in nm and µs. Numbers are written so that they read back bit by bit.
pub(crate) fn resolved(model: &Model) -> String {
    let rest = match &model.engine {
        EngineModel::Brownian(brownian) => spheres(model, brownian),
        EngineModel::Granular(granular) => granular::resolved(model, granular),
        EngineModel::Polygons(polygons) => polygons::resolved(model, polygons),
        EngineModel::Gas(gas) => gas::resolved(model, gas),
    };
    format!("title = {}\n{rest}", quoted(&model.title))
}

/// Everything behind the title of a model of spheres in Brownian motion.
fn spheres(model: &Model, brownian: &BrownianModel) -> String {
    let mut text = space(model);
    let order = order(model, brownian.scheduler);
    let _ = write!(text, "\n[run]\n{}{order}{}", stepping(model), structure(&brownian.search));
    text += &surfaces::surfaces(model);
    for (n, species) in model.species.iter().enumerate() {
        text += &species_table(model, n, species);
    }
    let _ = writeln!(text, "\n[clusters]\nmobility = {}", mobility(&brownian.mobility));
    text += &bonds(model);
    text += &rules::rules(model);
    output(&mut text, model);
    text
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A list of quantities, one per axis.
fn list(values: &[f64], unit: &str) -> String {
    let items: Vec<_> = values.iter().map(|x| format!("\"{x:?} {unit}\"")).collect();
    format!("[{}]", items.join(", "))
}

fn axis(k: usize) -> &'static str {
    ["x", "y", "z"][k]
}

/// What models of all kinds say of the box.
fn space(model: &Model) -> String {
    let d = model.space.dimension;
    let boundary: Vec<_> = model.space.periodic[..d]
        .iter()
        .map(|periodic| if *periodic { "\"periodic\"" } else { "\"reflecting\"" })
        .collect();
    let (edges, boundary) = (list(&model.space.edges[..d], "nm"), boundary.join(", "));
    format!("\n[space]\ndimension = {d}\nedges = {edges}\nboundary = [{boundary}]\n")
}

/// Steps and seed: the first lines of `[run]` of models with time steps.
fn stepping(model: &Model) -> String {
    let Run { timestep, steps, seed, .. } = model.run;
    format!("timestep = \"{timestep:?} us\"\nsteps = {steps}\nseed = {seed}\n")
}

/// Threads and scheduler: the rest of `[run]`, where contacts are put in order within a step.
fn order(model: &Model, scheduler: Scheduler) -> String {
    let scheduler = scheduler.name();
    let threads = model.run.threads.map_or_else(String::new, |n| format!("threads = {n}\n"));
    format!("{threads}scheduler = \"{scheduler}\"\n")
}

/// `[search]` of structures that answer for a time step.
fn structure(search: &search::Settings) -> String {
    let kind = search.kind.name();
    let relink = search.relink.name();
    let listing = search.listing.name();
    let resize = match search.resize {
        Resize::Auto => "\"auto\"".to_owned(),
        Resize::Never => "\"never\"".to_owned(),
        Resize::Every(steps) => steps.to_string(),
    };
    let cell_size =
        search.cell_size.map_or_else(String::new, |x| format!("cell_size = \"{x:?} nm\"\n"));
    format!(
        "\n[search]\nkind = \"{kind}\"\nrelink = \"{relink}\"\nlisting = \"{listing}\"\n\
         axis = \"{}\"\npruning = {}\nresize = {resize}\n{cell_size}",
        axis(search.axis),
        search.pruning
    )
}

fn species_table(model: &Model, n: usize, species: &Species) -> String {
    let d = model.space.dimension;
    let mut text = format!("\n[[species]]\nname = {}\n", quoted(&species.name));
    if let Some(radius) = species.radius {
        let _ = writeln!(text, "radius = \"{radius:?} nm\"");
    }
    if let Some(diffusion) = species.diffusion_coefficient {
        let _ = writeln!(text, "diffusion = \"{diffusion:?} nm^2/us\"");
    }
    let drift = match &species.drift {
        Drift::Still => None,
        Drift::Constant(v) => Some(format!("velocity = {}", list(&v[..d], "nm/us"))),
        Drift::Shear { rate, along, across } => Some(format!(
            "shear = {{ rate = \"{rate:?} /us\", along = \"{}\", across = \"{}\" }}",
            axis(*along),
            axis(*across)
        )),
        Drift::Well { centre, relaxation } => Some(format!(
            "well = {{ centre = {}, relaxation = \"{relaxation:?} us\" }}",
            list(&centre[..d], "nm")
        )),
    };
    if let Some(drift) = drift {
        let _ = writeln!(text, "drift = {{ {drift} }}");
    }
    text += &surfaces::habits(model, n as u16);
    let _ = writeln!(text, "{}", placement(model, n));
    text
}

/// Where the bodies of a species are.
fn placement(model: &Model, n: usize) -> String {
    let d = model.space.dimension;
    let placement = model.placement.iter().find(|p| p.species as usize == n);
    match placement.map(|placement| &placement.how) {
        None | Some(How::Random { count: 0 } | How::Lattice { count: 0 }) => "count = 0".to_owned(),
        Some(How::Random { count }) => format!("placement = {{ random = {count} }}"),
        Some(How::Lattice { count }) => format!("placement = {{ lattice = {count} }}"),
        Some(How::Room { count }) => format!("placement = {{ room = {count} }}"),
        Some(How::Positions(places)) => {
            // Bare numbers are in nm here: there is no `[units]`.
            let rows: Vec<_> = places.iter().map(|x| format!("{:?}", &x[..d])).collect();
            format!("placement = {{ positions = [\n{}\n] }}", rows.join(",\n"))
        }
    }
}

fn mobility(law: &MobilityLaw) -> String {
    match law {
        MobilityLaw::Rouse => "\"rouse\"".to_owned(),
        MobilityLaw::Stokes => "\"stokes\"".to_owned(),
        MobilityLaw::SaffmanDelbruck { length } => {
            format!("{{ saffman_delbruck = {{ length = \"{length:?} nm\" }} }}")
        }
        MobilityLaw::Immobile => "\"immobile\"".to_owned(),
        MobilityLaw::Table(factors) => format!("{{ table = {factors:?} }}"),
    }
}

/// The bonds at the start, if there are any.
fn bonds(model: &Model) -> String {
    let row = |bond: &FirstBond| {
        let rule = quoted(&model.rules().contact[bond.rule? as usize].name);
        let [a, b] = bond
            .ends
            .map(|(s, n)| format!("{}, {}", quoted(&model.species[s as usize].name), n + 1));
        Some(format!("[{a}, {b}, {rule}]"))
    };
    let rows: Vec<_> = model.bonds().iter().filter_map(row).collect();
    if rows.is_empty() { String::new() } else { format!("bonds = [\n{}\n]\n", rows.join(",\n")) }
}

fn output(text: &mut String, model: &Model) {
    let mut frames = format!("frame_every = {}", model.output.frame_every);
    if let Some(every) = model.output.counts_every {
        let _ = write!(frames, "\ncounts_every = {every}");
    }
    *text += &written(model, &frames);
}

/// `[output]`, with the line that says how often.
fn written(model: &Model, frames: &str) -> String {
    let output = &model.output;
    let log = match output.log {
        LogLevel::None => "none",
        LogLevel::Reactions => "reactions",
        LogLevel::All => "all",
    };
    let species: Vec<_> =
        output.log_species.iter().map(|&n| quoted(&model.species[n as usize].name)).collect();
    let precision = if output.single_precision { "single" } else { "double" };
    format!(
        "\n[output]\n{frames}\nlog = \"{log}\"\nlog_species = [{}]\nlog_walls = {}\n\
         precision = \"{precision}\"\ncompress = {}\n",
        species.join(", "),
        output.log_walls,
        output.compress
    )
}
