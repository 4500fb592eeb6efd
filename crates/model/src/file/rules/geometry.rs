//! How two molecules stand to each other that bind at sites which point somewhere.

use std::f64::consts::PI;

use jostle_core::docking::Torsion;
use jostle_core::rules::{Action, BondGeometry, Case, Closure};

use super::super::Context;
use crate::units::Wanted;
use crate::walker::{Item, Section};

/// The keys that say so.
const KEYS: [&str; 5] = ["snap", "torsion", "torsion_opening", "close_rate", "tolerance"];

/// How far a site may be off if the model does not say: 5 degrees. \[rad\]
const TOLERANCE: f64 = PI / 36.0;

/// The widest tolerance: with more, sites that do not face each other would close rings. \[rad\]
const WIDEST: f64 = PI / 6.0;

/// What the keys of a binding rule say.
pub(super) fn geometry(
    section: &Section<'_>,
    context: &Context<'_>,
    action: Option<Action>,
    cases: Option<&[Case<2>]>,
) -> BondGeometry {
    let usual = BondGeometry::default();
    let Some(cases) = cases else {
        // Nothing is known of the sites, of which enough is said already.
        KEYS.into_iter().for_each(|key| drop(section.get(key)));
        return usual;
    };
    if action != Some(Action::Bond) {
        refuse(section, "only a bond has a geometry: use merge = \"bond\"");
        return usual;
    }
    let direction = |case: &Case<2>, n: usize| {
        let joins = case.joins()?;
        context.kinds.sites_of(case.species[n]).direction(joins[n])
    };
    let some = |which: &[usize]| {
        cases.iter().any(|case| which.iter().all(|&n| direction(case, n).is_some()))
    };
    if !some(&[0]) && !some(&[1]) {
        let why = "this needs sites that point somewhere: give them `direction` and `opening`";
        refuse(section, why);
        return usual;
    }
    BondGeometry {
        snap: section.get("snap").and_then(|item| item.boolean()).unwrap_or(usual.snap),
        torsion: torsion(section, context, some(&[0, 1])),
        closure: closure(section),
    }
}

/// Notes all keys that say something about it.
pub(super) fn refuse(section: &Section<'_>, why: &str) {
    KEYS.into_iter().for_each(|key| section.refuse(key, why));
}

fn torsion(section: &Section<'_>, context: &Context<'_>, both: bool) -> Option<Torsion> {
    let why = match (context.dimension, both) {
        (3, true) => None,
        (3, false) => Some("a torsion needs two sites that point somewhere"),
        _ => Some("there are torsions in three dimensions only"),
    };
    if let Some(why) = why {
        section.refuse("torsion", why);
        section.refuse("torsion_opening", why);
        return None;
    }
    let opening = section.get("torsion_opening");
    let Some(angle) = section.get("torsion") else {
        if let Some(item) = opening {
            item.fault("without `torsion` there is nothing that this is the opening of");
        }
        return None;
    };
    Some(Torsion {
        angle: angle.quantity_as(&Wanted::ANGLE).unwrap_or(f64::NAN),
        opening: opening.map_or(Some(PI), |item| opening_of(&item)).unwrap_or(f64::NAN),
    })
}

/// An opening: more than nothing, and no more than all directions.
pub(in super::super) fn opening_of(item: &Item<'_>) -> Option<f64> {
    let opening = item.quantity_as(&Wanted::ANGLE)?;
    // 180 degrees are some number of radians only but for rounding.
    if opening > 0.0 && opening <= PI * (1.0 + 1e-9) {
        return Some(opening.min(PI));
    }
    item.fault(format!(
        "found {}, but the angle by which a partner may be off the axis is more than 0 and at most 180 deg",
        crate::measure::angle(opening)
    ));
    None
}

fn closure(section: &Section<'_>) -> Option<Closure> {
    let tolerance = section.get("tolerance");
    let Some(rate) = section.get("close_rate") else {
        if let Some(item) = tolerance {
            item.fault("without `close_rate` no ring closes, so there is nothing to tolerate");
        }
        return None;
    };
    let tolerance = match tolerance {
        None => Some(TOLERANCE),
        Some(item) => item.quantity_as(&Wanted::ANGLE).filter(|&angle| {
            let fits = angle > 0.0 && angle <= WIDEST;
            if !fits {
                item.fault(format!(
                    "found {}, but a tolerance is more than 0 and at most 30 deg",
                    crate::measure::angle(angle)
                ));
            }
            fits
        }),
    };
    Some(Closure {
        rate: rate.positive_as(&Wanted::RATE).unwrap_or(f64::NAN),
        tolerance: tolerance.unwrap_or(f64::NAN),
    })
}
