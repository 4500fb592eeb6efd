//! A model written out in full, defaults included: the same model can be read from it again.

mod gas;
mod granular;
mod molecules;
mod polygons;
mod potentials;
mod rules;
mod surfaces;
mod templates;
mod writer;

use super::keys::Keys;
use crate::schema::Engine;
use crate::{BrownianModel, EngineModel, FirstBond, Model, Placement, PlacementMethod};
use jostle_core::docking::SiteDirection;
use jostle_core::space::Vector;
use jostle_core::species::{Drift, MobilityLaw, Species};
pub(super) use writer::TableText;
use writer::{ModelText, listed, quoted, stacked};

/// The whole model as TOML, in nm and µs. Numbers are written so that they read back bit by bit.
pub(crate) fn resolved(model: &Model) -> String {
    let document = |engine| ModelText::new(engine, &model.title);
    let written = match &model.engine {
        EngineModel::Brownian(brownian) => spheres(model, brownian, document(Engine::Brownian)),
        EngineModel::Granular(granular) => {
            granular::resolved(model, granular, document(Engine::Granular))
        }
        EngineModel::Polygons(polygons) => {
            polygons::resolved(model, polygons, document(Engine::Polygons))
        }
        EngineModel::Gas(gas) => gas::resolved(model, gas, document(Engine::Gas)),
    };
    written.into_text()
}

/// A model of spheres in Brownian motion.
fn spheres(model: &Model, brownian: &BrownianModel, mut file: ModelText) -> ModelText {
    // In the order in which a person would write them; the reader takes them in any.
    file.add("space", |space| write_space(space, model));
    file.add("run", |run| {
        stepping(run, model);
        run.set("scheduler", &brownian.scheduler);
    });
    file.add("search", |lines| brownian.search.write(lines));
    surfaces::surfaces(model, &mut file);
    for (n, species) in model.species.iter().enumerate() {
        file.add("species", |lines| species_table(lines, model, n, species));
    }
    templates::molecules(model, &mut file);
    file.add("clusters", |clusters| {
        mobility(clusters, &brownian.mobility);
        bonds(clusters, model);
    });
    potentials::potentials(model, &mut file);
    rules::rules(model, &mut file);
    file.add("output", |lines| output(lines, model));
    file
}

fn axis(k: usize) -> &'static str {
    ["x", "y", "z"][k]
}

/// What models of all kinds say of the box.
fn write_space(space: &mut TableText, model: &Model) {
    let d = model.space.dimension;
    let word = |periodic: &bool| if *periodic { "periodic" } else { "reflecting" };
    space.put("dimension", d);
    space.quantities("edges", &model.space.edges[..d]);
    space.texts("boundary", model.space.periodic[..d].iter().map(word));
}

/// `[run]` of models with time steps, but for what only one engine has.
fn stepping(run: &mut TableText, model: &Model) {
    run.set("timestep", &model.run.timestep);
    run.set("steps", &model.run.steps);
    model.run.write(run);
}

fn species_table(lines: &mut TableText, model: &Model, n: usize, species: &Species) {
    lines.text("name", &species.name);
    lines.quantity_if_any("radius", species.radius);
    lines.quantity_if_any("diffusion", species.diffusion_coefficient);
    drift(lines, &species.drift, model.space.dimension);
    sites(lines, species, model.space.dimension);
    surfaces::habits(lines, model, n as u16);
    placement(lines, model, n);
}

fn drift(lines: &mut TableText, drift: &Drift, d: usize) {
    match drift {
        Drift::Still => {}
        Drift::Constant(v) => lines.table("drift", |drift| drift.quantities("velocity", &v[..d])),
        Drift::Shear { rate, along, across } => lines.table("drift", |drift| {
            drift.table("shear", |shear| {
                shear.quantity("rate", *rate);
                shear.word("along", axis(*along));
                shear.word("across", axis(*across));
            });
        }),
        Drift::Well { centre, relaxation } => lines.table("drift", |drift| {
            drift.table("well", |well| {
                well.quantities("centre", &centre[..d]);
                well.quantity("relaxation", *relaxation);
            });
        }),
    }
}

fn sites(lines: &mut TableText, species: &Species, dimension: usize) {
    lines.quantity_if_any("rotational_diffusion", species.sites.rotational_diffusion());
    let list = species.sites.list();
    if !list.is_empty() {
        lines.tables("sites", list.len(), |lines, n| {
            lines.text("name", &list[n].name);
            if !list[n].states.is_empty() {
                lines.texts("states", list[n].states.iter().map(String::as_str));
            }
            if let Some(SiteDirection { axis, normal, opening }) = list[n].direction {
                let components = |v: Vector<3>, count: usize| {
                    listed(v.0[..count].iter().map(|x| format!("{x:?}")))
                };
                lines.put("direction", components(axis, dimension));
                lines.quantity("opening", opening);
                // In two dimensions there are no torsions, and no normal from which they are
                // measured.
                if dimension == 3 {
                    lines.put("normal", components(normal, 3));
                }
            }
        });
    }
}

/// Where the particles of a species are.
fn placement(lines: &mut TableText, model: &Model, n: usize) {
    let d = model.space.dimension;
    let alone = |p: &&Placement| !matches!(p.how, PlacementMethod::InMolecules { .. });
    let own = || model.placement.iter().filter(|p| p.species as usize == n).filter(alone);
    let species = &model.species[n];
    let particle = |code| species.sites.written(&species.name, code, |_| String::new());
    let Some(Placement { how, sites, .. }) = own().next() else {
        return lines.put("count", 0);
    };
    if own().count() > 1 {
        // By states of sites: they are all at random.
        let number = |placement: &Placement| match placement.how {
            PlacementMethod::Random { count } => count,
            _ => 0,
        };
        let entries = own().map(|p| format!("{} = {}", quoted(&particle(p.sites)), number(p)));
        return lines.put("count", format!("{{ {} }}", entries.collect::<Vec<_>>().join(", ")));
    }
    if let PlacementMethod::Random { count: 0 }
    | PlacementMethod::Lattice { count: 0 }
    | PlacementMethod::Packed { count: 0 }
    | PlacementMethod::Equilibrium { count: 0 } = how
    {
        return lines.put("count", 0);
    }
    lines.table("placement", |placement| {
        if *sites != 0 {
            placement.text("state", &particle(*sites));
        }
        match how {
            PlacementMethod::Random { count } => placement.put("random", count),
            PlacementMethod::Lattice { count } => placement.put("lattice", count),
            PlacementMethod::Packed { count } => placement.put("packed", count),
            PlacementMethod::Equilibrium { count } => placement.put("equilibrium", count),
            PlacementMethod::Room { count } => placement.put("room", count),
            // Those are written with their molecules.
            PlacementMethod::InMolecules { .. } => {}
            PlacementMethod::Positions(places) => {
                // Bare numbers are in nm here: there is no `[units]`.
                let rows: Vec<_> = places.iter().map(|x| format!("{:?}", &x[..d])).collect();
                placement.put("positions", stacked(&rows));
            }
        }
    });
}

fn mobility(clusters: &mut TableText, law: &MobilityLaw) {
    match law {
        MobilityLaw::Rouse => clusters.word("mobility", "rouse"),
        MobilityLaw::Stokes => clusters.word("mobility", "stokes"),
        MobilityLaw::Immobile => clusters.word("mobility", "immobile"),
        MobilityLaw::SaffmanDelbruck { length } => clusters.table("mobility", |law| {
            law.table("saffman_delbruck", |membrane| membrane.quantity("length", *length));
        }),
        MobilityLaw::Table(factors) => {
            clusters.table("mobility", |law| law.quantities("table", factors));
        }
    }
}

/// The bonds at the start, if there are any.
fn bonds(clusters: &mut TableText, model: &Model) {
    let row = |bond: &FirstBond| {
        let rule = quoted(&model.rules().contact[bond.rule? as usize].name);
        let [a, b] = bond
            .ends
            .map(|(s, n)| format!("{}, {}", quoted(&model.species[s as usize].name), n + 1));
        Some(format!("[{a}, {b}, {rule}]"))
    };
    let rows: Vec<_> = model.bonds().iter().filter_map(row).collect();
    if !rows.is_empty() {
        clusters.put("bonds", stacked(&rows));
    }
}

/// `[output]`, as far as models of this engine have its keys.
fn output(lines: &mut TableText, model: &Model) {
    let output = &model.output;
    lines.set("frame_every", &output.frame_every);
    lines.set("counts_every", &output.counts_every);
    lines.set("log", &output.log);
    if lines.has("log_species") {
        let name = |n: &u16| model.species[*n as usize].name.as_str();
        lines.texts("log_species", output.log_species.iter().map(name));
    }
    lines.set("log_walls", &output.log_walls);
    lines.set("log_shells", &output.log_shells);
    lines.word("precision", if output.single_precision { "single" } else { "double" });
    lines.set("compress", &output.compress);
}
