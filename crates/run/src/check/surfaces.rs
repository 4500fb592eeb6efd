//! Surfaces, in words.

use jostle_core::environment::Form;
use jostle_core::environment::{Adsorption, Manner, Permeability, absorption};
use jostle_core::narrow::Ends;
use jostle_core::words::{concentration, counted, digits, length_text};
use jostle_model::Model;
use jostle_model::adsorption::{coming_off, touched};
use jostle_model::surroundings::SurfaceModel;

/// What each surface is, which species live on it, and what others do there. Planes that are alike, and whose names
/// differ in their numbers, are said together.
pub(super) fn in_words(model: &Model) -> impl Iterator<Item = String> {
    let surfaces = &model.surroundings().surfaces;
    let numbered: Vec<(u16, &SurfaceModel)> = (0..).zip(surfaces).collect();
    let rows: Vec<_> = numbered
        .chunk_by(|one, next| {
            is_row(one.1, next.1) && dwellers(model, *one) == dwellers(model, *next)
        })
        .map(|row| format!("{}{}", row_form(row, model.space.dimension), described(model, row[0])))
        .collect();
    rows.into_iter()
}

/// Whether a surface is another place of the one before it.
fn is_row(one: &SurfaceModel, next: &SurfaceModel) -> bool {
    let stem = |surface: &SurfaceModel| {
        let (stem, number) = surface.name.rsplit_once('_')?;
        number.parse::<u32>().ok().map(|number| (stem.to_owned(), number))
    };
    let are_numbered = stem(one).zip(stem(next)).is_some_and(|(a, b)| a.0 == b.0 && a.1 + 1 == b.1);
    let are_parallel = match (&one.form, &next.form) {
        (Form::Plane { axis: a, .. }, Form::Plane { axis: b, .. }) => a == b,
        _ => false,
    };
    are_numbered && are_parallel && one.manners == next.manners && one.sites == next.sites
}

/// The names and places of a row, those of one surface if it has no more.
fn row_form(row: &[(u16, &SurfaceModel)], dimension: usize) -> String {
    let [(_, first), .., (_, last)] = row else {
        let (_, surface) = row[0];
        return format!("{}: {}", surface.name, form(&surface.form, dimension));
    };
    let place = |surface: &SurfaceModel| match surface.form {
        Form::Plane { axis, at } => (["x", "y", "z"][axis], length_text(at)),
        _ => ("", String::new()),
    };
    let places: Vec<String> = row.iter().map(|(_, surface)| place(surface).1).collect();
    format!(
        "{} to {}: the planes {} = {}",
        first.name,
        last.name,
        place(first).0,
        jostle_core::words::abridged(places.into_iter(), "places").join(", ")
    )
}

/// The species that live on a surface.
fn dwellers(model: &Model, (number, _): (u16, &SurfaceModel)) -> Vec<u16> {
    let lives =
        |&s: &u16| model.surroundings().anchor(s).is_some_and(|anchor| anchor.surface == number);
    (0..model.species.len() as u16).filter(lives).collect()
}

/// What the species do at a surface.
fn described(model: &Model, (number, surface): (u16, &SurfaceModel)) -> String {
    let mut text = String::new();
    let living = dwellers(model, (number, surface));
    let mut description: Vec<(String, Vec<&str>)> = Vec::new();
    for (s, species) in model.species.iter().enumerate() {
        let lives = living.contains(&(s as u16));
        let does = if lives { "live on it".to_owned() } else { does(model, s, surface) };
        match description.iter_mut().find(|(known, _)| *known == does) {
            Some((_, names)) => names.push(&species.name),
            None => description.push((does, vec![&species.name])),
        }
    }
    for (does, names) in description {
        let does = if names.len() == 1 { of_one_alone(&does) } else { does };
        text += &format!("; {} {does}", names.join(", "));
    }
    if let Some(sites) = &surface.sites {
        let holders = living.iter().filter(|&&s| sites.held[usize::from(s)] > 0);
        let each = |&s: &u16| {
            format!(
                "each {} holds {}",
                model.species[usize::from(s)].name,
                sites.held[usize::from(s)]
            )
        };
        let each: Vec<String> = holders.map(each).collect();
        text += &format!("; {}, of which {}", counted(sites.number, "site"), each.join(", "));
    }
    text
}

/// What several do, said of one: the first word is the verb.
fn of_one_alone(does: &str) -> String {
    let (verb, rest) = does.split_once(' ').unwrap_or((does, ""));
    let ending = if verb.ends_with('o') { "es" } else { "s" };
    format!("{verb}{ending} {rest}")
}

fn form(form: &Form, dimension: usize) -> String {
    match form {
        Form::Plane { axis, at } => {
            format!("the plane {} = {}", ["x", "y", "z"][*axis], length_text(*at))
        }
        Form::Ball { radius, .. } => {
            let what = if dimension == 2 { "circle" } else { "sphere" };
            format!("a {what} of radius {}", length_text(*radius))
        }
        Form::Rod { rod, .. } => {
            let along = ["x", "y", "z"][rod.axis];
            let radius = length_text(rod.radius);
            match rod.ends {
                Ends::Open => format!("a tube of radius {radius} along {along}"),
                Ends::Round => {
                    let length = length_text(2.0 * (rod.half + rod.radius));
                    format!(
                        "a rod with round ends along {along}, {length} long, of radius {radius}"
                    )
                }
                Ends::Flat => {
                    let length = length_text(2.0 * rod.half);
                    format!("a cylinder along {along}, {length} long, of radius {radius}")
                }
            }
        }
        Form::Solid(mesh) => {
            format!("a mesh of {}", counted(mesh.facets().len() as u64, "triangle"))
        }
        Form::Outline(mesh) => {
            format!("a polygon of {}", counted(mesh.facets().len() as u64, "side"))
        }
    }
}

/// What particles of a species do at a surface, and how likely at this time step.
fn does(model: &Model, species: usize, surface: &SurfaceModel) -> String {
    let manner = surface.manners[species];
    let diffusion = model.species[species].diffusion_coefficient.unwrap_or(0.0);
    let chance = |p: Result<f64, _>| p.map_or_else(|_| "?".to_owned(), |p: f64| digits(p, 3));
    match manner {
        Manner::Reflect => "bounce off".to_owned(),
        Manner::Ignore => "ignore it".to_owned(),
        Manner::Absorb { rate } if rate == f64::INFINITY => "end there".to_owned(),
        Manner::Absorb { rate } => {
            let p = chance(absorption(rate, diffusion, model.run.timestep));
            format!("end there at {} nm/us, {p} of the particles that touch it", digits(rate, 4))
        }
        Manner::Permeate(permeability) => {
            let both = permeability.passage(diffusion, model.run.timestep);
            let [p, q] = [0, 1].map(|n| chance(both.clone().map(|both| both[n])));
            let Permeability { inwards, outwards } = permeability;
            let [into, out] = [inwards, outwards].map(|rate| digits(rate, 4));
            match inwards == outwards {
                true => {
                    format!(
                        "go through at {into} nm/us, {p} of the particles whose centres touch it"
                    )
                }
                false => format!(
                    "go through at {into} nm/us inwards and {out} nm/us outwards, {p} and {q} of the particles whose \
                     centres touch it"
                ),
            }
        }
        Manner::Adsorb(adsorption) => onto(model, species as u16, surface, adsorption),
        Manner::Cross(crossing) => format!(
            "diffuse at {} um^2/s inside, where there are {} times as many per volume",
            digits(crossing.inside, 4),
            digits(crossing.affinity, 4)
        ),
    }
}

/// How particles of a species get onto a surface, and off it again.
fn onto(model: &Model, species: u16, surface: &SurfaceModel, adsorption: Adsorption) -> String {
    let Adsorption { rate, permeability, becomes } = adsorption;
    let name = &model.species[usize::from(becomes)].name;
    let diffusion = model.species[usize::from(species)].diffusion_coefficient.unwrap_or(0.0);
    let sorption = Manner::Adsorb(adsorption).sorption(diffusion, model.run.timestep);
    let Some(sorption) = sorption else { return "bounce off".to_owned() };
    let mut text = format!(
        "get onto it as {name} at {} nm/us, {} of the particles that touch it",
        digits(rate, 4),
        digits(sorption.on, 3)
    );
    if permeability > 0.0 {
        text += &format!(
            ", and go through at {} nm/us, {} of them",
            digits(permeability, 4),
            digits(sorption.through, 3)
        );
    }
    let k_d: f64 = coming_off(model, becomes, species).map(|rule| rule.rate).sum();
    if k_d > 0.0 {
        let area: f64 = touched(model, surface, species).iter().sum();
        let unit = if model.space.dimension == 2 { "nm" } else { "nm^2" };
        text += &format!(
            " (K = {} nm over the {} {unit} on which they touch it; {} of those that come off get away before they are \
             back)",
            digits(rate / k_d, 4),
            digits(area, 4),
            digits(sorption.parting.iter().sum::<f64>(), 3),
        );
        let limited =
            surface.sites.as_ref().filter(|sites| sites.limit(Manner::Adsorb(adsorption)));
        if let (Some(sites), 3) = (limited, model.space.dimension) {
            let half = sites.number as f64 * k_d / (rate * area);
            text += &format!(", half of the sites are taken at {}", concentration(half));
        }
    }
    text
}
