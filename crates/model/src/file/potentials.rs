//! The `[[potential]]` tables.

use std::collections::BTreeSet;

use jostle_core::environment::Form;
use jostle_core::potentials::{EnergyForm, EnergyShape, FORMS, Tabulated};
use jostle_core::words::abridged;
use jostle_files::columns::read_columns;

use crate::nearest::nearest;
use crate::potentials::{Energy, Law, Potential, SurfacePotential};
use crate::schema::MOST_ENERGY;
use crate::walker::{Item, Section};

use super::{Context, particles};

/// Of an edge: so far does a potential reach at most from one image of a surface to the next.
pub(crate) const NEARLY_HALF: f64 = 0.4995;

/// What is no [`EnergyForm`].
const OTHERS: [&str; 4] = ["steps", "square_well", "square_shoulder", "table"];

const AXES: [&str; 3] = ["x", "y", "z"];

/// Forms that have no end, and beside a surface usually reach through the whole box.
const ENDLESS: [&str; 2] = ["harmonic", "linear"];

/// What a potential is between.
enum PotentialEnds {
    /// Particles of some species and of others.
    Particles([Vec<u16>; 2]),
    /// Particles of some species and surfaces.
    Surfaces(Vec<u16>, Vec<(String, Form)>),
}

/// All of them: those between particles, and those beside surfaces.
pub(super) fn potentials(
    root: &Section<'_>,
    context: &Context<'_>,
) -> (Vec<Potential>, Vec<SurfacePotential>) {
    let mut used = BTreeSet::new();
    let (mut found, mut beside_surfaces) = (Vec::new(), Vec::new());
    for section in root.tables("potential") {
        let named = section.require("name");
        let name = named.map_or_else(String::new, |item| particles::name(&item, &used));
        used.insert(name.clone());
        let between = section.require("between").and_then(|item| partners(&item, context));
        let surfaces = match &between {
            Some(PotentialEnds::Surfaces(_, surfaces)) => Some(&surfaces[..]),
            Some(PotentialEnds::Particles(_)) | None => None,
        };
        let energy = energy(&section, context, surfaces);
        section.finish();
        match (between, energy) {
            (Some(PotentialEnds::Particles(between)), Some(energy)) => {
                found.push(Potential { name, between, energy });
            }
            (
                Some(PotentialEnds::Surfaces(species, beside)),
                Some(Energy::Smooth { shape, cutoff, .. }),
            ) => beside_surfaces.push(SurfacePotential { name, species, beside, shape, cutoff }),
            _ => {}
        }
    }
    (found, beside_surfaces)
}

/// The surface or face of the box that an item names, if it does.
fn surface(item: &Item<'_>, context: &Context<'_>) -> Option<(String, Option<Form>)> {
    let name = item.text()?;
    let mut faces = (0..context.dimension).flat_map(|axis| {
        [("-", 0.0), ("+", context.edges[axis])]
            .map(|(end, at)| (axis, format!("{}{end}", AXES[axis]), at))
    });
    if let Some((axis, face, at)) = faces.find(|(_, face, _)| face == name) {
        if context.periodic[axis] {
            item.fault(format!(
                "the box has no faces along {}, which is periodic: a `[[surface]]` with `plane` is one there",
                AXES[axis]
            ));
        }
        return Some((face, Some(Form::Plane { axis, at })));
    }
    let known = context.surfaces.names.iter().position(|known| known == name)?;
    Some((name.to_owned(), context.surfaces.forms[known].clone()))
}

/// A plain name that is neither that of a species nor of a surface or a face, and what to say of it.
fn stray<'a, 'b>(item: &'a Item<'b>, context: &Context<'_>) -> Option<(&'a Item<'b>, String)> {
    let name = item.text()?;
    let is_plain = !name.contains(['(', '{', '*']);
    if context.surfaces.names.is_empty() || !is_plain || context.kinds.is_taken(name) {
        return None;
    }
    let all = context.kinds.declared().into_iter();
    let all = all.chain(context.surfaces.names.iter().map(String::as_str));
    let near = nearest(name, all.clone());
    let hint = near.map_or_else(|| ";".to_owned(), |near| format!(", did you mean \"{near}\"?"));
    let known = abridged(all.map(str::to_owned), "names").join(", ");
    let what = format!(
        "there is no species, surface or face of the box \"{name}\"{hint} declared: {known}"
    );
    Some((item, what))
}

/// The items of a list, or the one that stands in its place.
fn each<'a>(item: &Item<'a>) -> Option<Vec<Item<'a>>> {
    if item.is_list() { item.list() } else { Some(vec![item.clone()]) }
}

fn partners(item: &Item<'_>, context: &Context<'_>) -> Option<PotentialEnds> {
    let list = item.list()?;
    let [one, other] = &list[..] else {
        item.fault("two partners are needed, for example [\"A\", \"B\"]");
        return None;
    };
    let named = |name: &Item<'_>| {
        let text = name.text()?;
        // Energies are tabulated by pairs of species. States of sites are bits of a particle, which
        // a table over all of them would multiply beyond measure.
        if text.contains('(') {
            name.fault(format!(
                "found \"{text}\", but a potential is the same for all states of sites: name the species alone"
            ));
            return None;
        }
        context.kinds.matching(name)
    };
    let species = |item: &Item<'_>| {
        let mut all = each(item)?.iter().map(named).collect::<Option<Vec<_>>>()?.concat();
        all.sort_unstable();
        all.dedup();
        Some(all)
    };
    // Surfaces may stand first as well.
    let is_surface = |item: &Item<'_>| {
        let is_face = |name: &str| {
            let ends = name.split_at_checked(1);
            ends.is_some_and(|(axis, end)| AXES.contains(&axis) && ["-", "+"].contains(&end))
        };
        item.text().is_some_and(|name| {
            !context.kinds.is_taken(name)
                && (is_face(name) || context.surfaces.names.iter().any(|known| known == name))
        })
    };
    let (one, other) = if each(one)?.iter().any(is_surface) { (other, one) } else { (one, other) };
    let names = &each(other)?[..];
    let surfaces: Vec<_> = names.iter().filter_map(|name| surface(name, context)).collect();
    if surfaces.is_empty() {
        if let Some((item, unknown)) = names.iter().find_map(|name| stray(name, context)) {
            item.fault(unknown);
            return None;
        }
        return Some(PotentialEnds::Particles([species(one)?, species(other)?]));
    }
    if surfaces.len() < names.len() {
        other.fault("surfaces and species stand in one list: write two potentials");
        return None;
    }
    let shaped = surfaces.into_iter().zip(names).map(|((name, form), item)| match form? {
        form @ (Form::Plane { .. } | Form::Ball { .. }) => Some((name, form)),
        Form::Solid(_) | Form::Outline(_) | Form::Rod { .. } => {
            item.fault(format!(
                "\"{name}\" is neither a plane nor a sphere (in 2D, a circle): only beside these, and beside the faces \
                 of the box, do particles have a potential"
            ));
            None
        }
    });
    let shaped = shaped.collect::<Option<Vec<_>>>();
    Some(PotentialEnds::Surfaces(species(one)?, shaped?))
}

/// `surfaces` are those that it is beside of, if it is not between particles.
fn energy(
    section: &Section<'_>,
    context: &Context<'_>,
    surfaces: Option<&[(String, Form)]>,
) -> Option<Energy> {
    let forms = FORMS.iter().map(|form| (form.name, Some(form)));
    let kinds = OTHERS.into_iter().map(|kind| (kind, None)).chain(forms);
    let given = kinds.filter_map(|(kind, form)| Some((kind, form, section.get(kind)?)));
    let given: Vec<_> = given.collect();
    // Asked for before anything can end this early: a key that has not been asked for is reported
    // as unknown.
    let cutoff = section.get("cutoff");
    let shells = section.get("shells");
    let law = section.get("law");
    let [(kind, form, item)] = &given[..] else {
        let forms = FORMS.iter().map(|EnergyForm { name, parameters, .. }| {
            format!("`{name} = {{ {} }}`, ", parameters.join(", "))
        });
        section.fault(format!(
            "exactly one of `square_well = {{ to = \"7 nm\", depth = \"1.5 kT\" }}`, `square_shoulder = {{ to, \
             height }}`, `steps = [{{ to = \"7 nm\", energy = \"-1.5 kT\" }}]`, {}and `table = \"file.csv\"` is \
             needed",
            forms.collect::<String>()
        ));
        return None;
    };
    let stepped = match *kind {
        "steps" => Some(steps(item)),
        "square_well" => Some(square(item, "depth", -1.0)),
        "square_shoulder" => Some(square(item, "height", 1.0)),
        _ => None,
    };
    if let Some(energy) = stepped {
        for (item, key) in [(&cutoff, "cutoff"), (&shells, "shells"), (&law, "law")] {
            if let Some(item) = item {
                item.fault(format!(
                    "`{key}` does not go with `{kind}`, which is constant up to where it ends by `to`"
                ));
            }
        }
        if surfaces.is_some() {
            item.fault(format!(
                "`{kind}` does not go with a surface, beside which particles move by the law of bounces, which needs \
                 a smooth potential (`yukawa` to `linear`, `table`); in a region, `affinity` is such a step"
            ));
            return None;
        }
        return energy;
    }
    let law = match surfaces {
        Some(_) => only_bounces(law.as_ref(), shells.as_ref()),
        None => self::law(section, law.as_ref(), shells.as_ref()),
    };
    let shape = match form {
        Some(form) => of_form(form, item.section()?),
        None => tabulated(item, context).map(EnergyShape::Table),
    };
    let end = match &cutoff {
        Some(item) => item.quantity(),
        None => {
            let own = shape.as_ref().map(EnergyShape::end);
            let whole = surfaces.filter(|_| ENDLESS.contains(kind));
            let own = own.map(|own| own.or_else(|| Some(farthest(whole?, context))));
            if own == Some(None) {
                section
                    .fault("`cutoff` is missing: where the potential ends, for example \"8 nm\"");
            }
            own.flatten()
        }
    };
    // Only now, when the faults of all three have been found.
    let shape = shape?;
    Some(Energy::Smooth { shape, cutoff: end?, law: law? })
}

/// The law of bounces, which is the only one beside surfaces.
fn only_bounces(law: Option<&Item<'_>>, shells: Option<&Item<'_>>) -> Option<Law> {
    const WHY: &str =
        "beside a surface particles move by the law of bounces, which divides nothing";
    if let Some(item) = shells {
        item.fault(format!("{WHY}: leave `shells` out"));
        return None;
    }
    match law.map(|item| (item, item.word(&[("shells", false), ("bounces", true)]))) {
        Some((item, Some(false))) => {
            item.fault(format!("{WHY}: leave `law` out, or say \"bounces\""));
            None
        }
        Some((_, None)) => None,
        _ => Some(Law::Bounces),
    }
}

/// The largest distance at which one image of each of these surfaces can be told from the next; through the
/// whole box, if none of its axes is periodic. \[nm\]
fn farthest(surfaces: &[(String, Form)], context: &Context<'_>) -> f64 {
    let axes = || 0..context.dimension;
    let diagonal = axes().map(|k| context.edges[k].powi(2)).sum::<f64>().sqrt();
    let half = |k: usize| match context.periodic[k] {
        true => NEARLY_HALF * context.edges[k],
        false => diagonal,
    };
    let reach = |form: &Form| match form {
        Form::Plane { axis, .. } => half(*axis),
        Form::Ball { radius, .. } => axes().map(half).fold(f64::INFINITY, f64::min) - radius,
        Form::Solid(_) | Form::Outline(_) | Form::Rod { .. } => diagonal,
    };
    surfaces.iter().map(|(_, form)| reach(form)).fold(diagonal, f64::min)
}

/// By which law particles move in a smooth potential.
fn law(section: &Section<'_>, law: Option<&Item<'_>>, shells: Option<&Item<'_>>) -> Option<Law> {
    let bounces = match law {
        Some(item) => item.word(&[("shells", false), ("bounces", true)])?,
        None => false,
    };
    match shells {
        Some(item) if bounces => {
            item.fault("`shells` does not go with `law = \"bounces\"`, which divides nothing: leave one of both out");
            None
        }
        _ if bounces => Some(Law::Bounces),
        _ => Some(Law::Shells(section.setting("shells"))),
    }
}

/// A single shell around contact: its energy is what `key` says, times `sign`.
fn square(item: &Item<'_>, key: &'static str, sign: f64) -> Option<Energy> {
    let section = item.section()?;
    let [to, energy] = ["to", key].map(|key| section.setting::<f64>(key));
    let is_sound = section.is_sound();
    section.finish();
    is_sound.then(|| Energy::Steps(vec![[to, sign * energy]]))
}

fn of_form(form: &'static EnergyForm, section: Section<'_>) -> Option<EnergyShape> {
    let given = form.parameters.iter().map(|parameter| section.setting(parameter)).collect();
    let is_sound = section.is_sound();
    section.finish();
    is_sound.then_some(EnergyShape::Form(form, given))
}

fn tabulated(item: &Item<'_>, context: &Context<'_>) -> Option<Tabulated> {
    match Tabulated::new(points(item, context)?) {
        Ok(tabulated) => Some(tabulated),
        Err(error) => {
            item.fault(error.to_string());
            None
        }
    }
}

fn steps(item: &Item<'_>) -> Option<Energy> {
    let list = item.list()?;
    if list.is_empty() {
        item.fault(
            "at least one shell is needed, for example { to = \"7 nm\", energy = \"-1.5 kT\" }",
        );
        return None;
    }
    let mut steps: Vec<[f64; 2]> = Vec::new();
    for item in &list {
        let section = item.section()?;
        let to = section.require("to");
        let end = to.as_ref().and_then(|item| item.quantity());
        let energy: Option<f64> = section.setting("energy");
        section.finish();
        let (end, energy) = (end?, energy?);
        if let (Some([last, _]), Some(to)) = (steps.last(), to)
            && *last >= end
        {
            to.fault(format!(
                "{end:?} nm does not exceed the end of the shell before, {last:?} nm: shells go from the inside out"
            ));
            return None;
        }
        steps.push([end, energy]);
    }
    Some(Energy::Steps(steps))
}

fn points(item: &Item<'_>, context: &Context<'_>) -> Option<Vec<[f64; 2]>> {
    if item.is_list() {
        let point = |item: &Item<'_>| {
            let section = item.section()?;
            let at: Option<f64> = section.setting("at");
            let energy: Option<f64> = section.setting("energy");
            section.finish();
            Some([at?, energy?])
        };
        return item.list()?.iter().map(point).collect();
    }
    let path = item.file(context.folder)?;
    match read_columns::<2>(&path) {
        // Energies in the model file are bounded by the schema; a file has none.
        Ok(points) => match points.iter().find(|[_, energy]| energy.abs() > MOST_ENERGY) {
            Some([at, energy]) => {
                item.fault(format!(
                    "{}: an energy of {energy} kT at {at} nm; energies up to {MOST_ENERGY} kT are possible",
                    path.display()
                ));
                None
            }
            None => Some(points),
        },
        Err(error) => {
            item.fault(error.to_string());
            None
        }
    }
}
