//! The kinds of systems that are drawn.

use super::super::draws::Draws;
use super::draft::Draft;
use super::system::{AtRegion, Sort, System};

/// A system of this seed.
pub(super) fn draw(draws: &mut Draws) -> System {
    let dimension = draws.pick(&[1, 2, 2, 2, 3, 3, 3, 3]);
    let system = match draws.below(10) {
        0..4 => coalescence(draws, dimension),
        4..6 => bonds(draws, dimension),
        6 => rings(draws),
        7 => molecules(draws, dimension.max(2)),
        _ => membranes(draws),
    };
    // With so few particles, all pairs are the fastest structure by far.
    let search = draws.pick(&["naive", "naive", "naive", "naive", "auto", "verlet"]);
    System { search, ..system }
}

/// What comes together as one sphere.
fn coalescence(draws: &mut Draws, dimension: usize) -> System {
    let kind = if dimension == 1 { 0 } else { draws.below(7) };
    let mut draft = Draft::new(draws, dimension, 0.0);
    let (on, products): (Vec<[usize; 2]>, Vec<usize>) = match kind {
        // Two of one species, or three.
        1 => {
            let count = 2 + draft.draws.below(2);
            let a = draft.sort("A", &[], count);
            (vec![[a, a]], vec![draft.product("C", [a, a], true)])
        }
        // One after the other.
        2 => {
            let [a, b] = [draft.sort("A", &[], 2), draft.sort("B", &[], 1)];
            let c = draft.product("C", [a, b], false);
            (vec![[a, b], [c, a]], vec![c, draft.product("E", [c, a], true)])
        }
        // Rivals.
        3 => {
            let sorts = ["A", "B", "D"].map(|name| draft.sort(name, &[], 1));
            let [a, b, d] = sorts;
            let c = draft.product("C", [a, b], true);
            (vec![[a, b], [a, d]], vec![c, draft.product("E", [a, d], true)])
        }
        // One takes in another and stays where it is.
        4 => {
            let count = 1 + draft.draws.below(2);
            let [a, off] = [draft.sort("A", &[], count), draft.sort("G{off}", &[], 1)];
            if draft.draws.chance(0.5) {
                draft.system.sorts[off].diffusion = 0.0;
            }
            (vec![[a, off]], vec![draft.state("G{on}", off)])
        }
        // One binds in one of its states.
        5 => {
            let u = draft.sort("A{u}", &[], 1);
            let [p, b] = [draft.state("A{p}", u), draft.sort("B", &[], 1)];
            if draft.draws.chance(0.4) {
                draft.resize(p);
            }
            draft.switch([u, p], ["A{u}", "A{p}"]);
            (vec![[p, b]], vec![draft.product("C", [p, b], true)])
        }
        _ => {
            let count = 1 + if dimension > 1 { draft.draws.below(2) } else { 0 };
            let [a, b] = [draft.sort("A", &[], count), draft.sort("B", &[], 1)];
            (vec![[a, b]], vec![draft.product("C", [a, b], true)])
        }
    };
    crowd(&mut draft);
    draft.surround();
    draft.pin();
    let are_typed = products.iter().all(|&product| !draft.system.sorts[product].is_made);
    draft.cross(kind != 4 && are_typed);
    for (&[a, b], &c) in on.iter().zip(&products) {
        prefers_as_its_parts(&mut draft.system, [a, b], c);
    }
    draft.act(&on, false);
    on.iter().zip(&products).for_each(|(&on, &product)| draft.coalesce(on, product));
    draft.system
}

/// A few more particles, where all have room to pass each other.
fn crowd(draft: &mut Draft<'_>) {
    let most = match draft.system.space.dimension {
        1 => usize::from(draft.system.space.is_periodic),
        _ => 4_usize.saturating_sub(draft.system.atoms.len()),
    };
    let count = draft.draws.below(most + 1);
    draft.crowd(count);
}

/// What two become prefers the region as both of them do.
fn prefers_as_its_parts(system: &mut System, parts: [usize; 2], product: usize) {
    let affinity: f64 = parts.iter().map(|&part| system.sorts[part].affinity()).product();
    let Sort { diffusion, at_region, .. } = &mut system.sorts[product];
    match at_region {
        AtRegion::Crosses { affinity: own, .. } => *own = affinity,
        _ if affinity == 1.0 => {}
        other => *other = AtRegion::Crosses { diffusion: *diffusion, affinity },
    }
}

/// What is joined by bonds or tethers.
fn bonds(draws: &mut Draws, dimension: usize) -> System {
    let kind = if dimension == 1 { 0 } else { draws.below(6) };
    let is_tether = kind < 5 && draws.chance(0.3);
    let mut draft = Draft::new(draws, dimension, if kind % 5 == 0 { 0.3 } else { 1.2 });
    // Which state of each comes with the bond, instead of which.
    let mut changes: [Option<[usize; 2]>; 2] = [None; 2];
    let (on, sites): ([usize; 2], [&str; 2]) = match kind {
        // Head to tail; the state may tell whether the head is bound.
        1 => {
            let count = 2 + draft.draws.below(2);
            let a = match draft.draws.chance(0.4) {
                true => {
                    let [u, p] = draft.two_states("A", &["h", "t"], count);
                    changes[0] = Some([u, p]);
                    u
                }
                false => draft.sort("A", &["h", "t"], count),
            };
            ([a, a], ["h", "t"])
        }
        // Head to head.
        2 => {
            let count = 2 + draft.draws.below(2);
            let a = draft.sort("A", &["s"], count);
            ([a, a], ["s", "s"])
        }
        // One with two sites that are alike.
        3 => {
            let [l, r] = [draft.sort("L", &["r", "r"], 1), draft.sort("R", &["l"], 2)];
            ([l, r], ["r", "l"])
        }
        // In any of two states, or from one to the other.
        4 => {
            let [u, p] = draft.two_states("A", &["b"], 1);
            let count = 1 + draft.draws.below(2);
            if draft.draws.chance(0.6) {
                changes[0] = Some([u, p]);
            }
            let b = match changes[0].is_some() && draft.draws.chance(0.4) {
                true => {
                    let states = draft.two_states("B", &["a"], count);
                    changes[1] = Some(states);
                    states[0]
                }
                false => draft.sort("B", &["a"], count),
            };
            if changes[0].is_none() || draft.draws.chance(0.5) {
                draft.switch([u, p], ["A(y~u)", "A(y~p)"]);
            }
            ([u, b], ["b", "a"])
        }
        // At sites that point somewhere.
        5 => {
            let [a, b] = [draft.sort("A", &["b"], 1), draft.sort("B", &["a"], 1)];
            draft.direct(a);
            if draft.draws.chance(0.6) {
                draft.direct(b);
            }
            ([a, b], ["b", "a"])
        }
        _ => {
            let [a, b] = [draft.sort("A", &["b"], 1), draft.sort("B", &["a"], 1)];
            ([a, b], ["b", "a"])
        }
    };
    if dimension > 1 {
        crowd(&mut draft);
    }
    draft.surround();
    draft.pin();
    draft.cross(true);
    draft.act(&[on], is_tether);
    let contact = on.map(|n| draft.system.sorts[n].radius).iter().sum::<f64>();
    let tether = is_tether.then(|| contact + draft.draws.between(0.3, 0.6));
    draft.join(on, sites, changes, tether, None);
    draft.system
}

/// Three in the plane that come together head to tail, in a triangle, and close it.
fn rings(draws: &mut Draws) -> System {
    let mut draft = Draft::new(draws, 2, 1.5);
    let a = draft.sort("A", &["h", "t"], 3);
    draft.direct(a);
    draft.system.sorts[a].directions = vec![0.0, draft.draws.pick(&[60.0, 300.0])];
    crowd(&mut draft);
    draft.surround();
    draft.pin();
    draft.cross(true);
    draft.act(&[[a, a]], false);
    draft.join([a, a], ["h", "t"], [None; 2], None, Some(3));
    draft.system
}

/// One of two spheres that belong together binds another particle.
fn molecules(draws: &mut Draws, dimension: usize) -> System {
    let is_tether = draws.chance(0.4);
    let mut draft = Draft::new(draws, dimension, 1.5);
    let [_, q] = [draft.sort("P", &[], 1), draft.sort("Q", &["b"], 1)];
    draft.make_molecule(is_tether);
    let count = 1 + draft.draws.below(2);
    let b = draft.sort("B", &["a"], count);
    crowd(&mut draft);
    draft.surround();
    draft.pin();
    draft.cross(true);
    draft.act(&[[q, b]], is_tether);
    let contact = [q, b].map(|n| draft.system.sorts[n].radius).iter().sum::<f64>();
    let tether = is_tether.then(|| contact + draft.draws.between(0.3, 0.6));
    draft.join([q, b], ["b", "a"], [None; 2], tether, None);
    draft.system
}

/// What is on a membrane binds there, perhaps in line, or what comes from space.
fn membranes(draws: &mut Draws) -> System {
    let kind = draws.below(5);
    let mut draft = Draft::new(draws, 3, 0.5);
    // Two that coalesce on a rod meet at two curvatures, so that their K is only nearly that which was given; on a mesh
    // none are tethered.
    draft.lay_membrane(kind != 3, kind != 0, kind != 4);
    let sites: [&[&str]; 2] = if kind >= 3 { [&["b"], &["a"]] } else { [&[], &[]] };
    let count = 1 + draft.draws.below(2);
    let [a, b] = [draft.sort("A", sites[0], count), draft.sort("B", sites[1], 1)];
    let is_tether = kind == 4;
    // One of the two comes from space, to a site that points at it.
    let comes = kind == 3 && draft.draws.chance(0.3);
    match kind {
        3 if comes => {
            draft.confine(&[b]);
            draft.point_up(b, a);
            if draft.draws.chance(0.5) {
                draft.direct(a);
            }
        }
        // Both on it, as one sphere, in a rigid bond on a plane, or tethered.
        0 | 3 | 4 => draft.confine(&[a, b]),
        _ => draft.confine(&[b]),
    }
    if kind == 3 && !comes && draft.draws.chance(0.5) {
        // At sites that point somewhere along it.
        draft.direct(a);
        if draft.draws.chance(0.6) {
            draft.direct(b);
        }
    }
    let product = (kind < 3).then(|| draft.product("C", [a, b], false));
    // What comes and goes is not what holds others.
    let sorbed = draft.draws.pick(&[None, Some(a), Some(b)]);
    sorbed.map(|sort| draft.sorb(sort));
    crowd(&mut draft);
    draft.pin();
    draft.act(&[[a, b]], is_tether);
    match product {
        Some(product) => draft.coalesce([a, b], product),
        None => {
            let contact = [a, b].map(|n| draft.system.sorts[n].radius).iter().sum::<f64>();
            let tether = is_tether.then(|| contact + draft.draws.between(0.3, 0.6));
            draft.join([a, b], ["b", "a"], [None; 2], tether, None);
        }
    }
    draft.system
}
