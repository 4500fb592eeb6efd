//! Worlds with surfaces in them, in few words.

use super::super::world::World;
use jostle_core::environment::{AnchorSurface, Confinement, Environment, Manner, Shape, Surface};
use jostle_core::space::Vector;

/// The edge of the boxes that hold a container, and their middle.
pub(super) const EDGE: f64 = 20.0;
pub(super) const MIDDLE: f64 = 0.5 * EDGE;

/// A sphere (circle) in the middle.
pub(super) fn ball<const D: usize>(radius: f64) -> Shape<D> {
    Shape::Ball { centre: Vector([MIDDLE; D]), radius }
}

/// The same world with surfaces that all of its species meet alike, each in its manner.
pub(super) fn with_walls<const D: usize>(
    world: World<D>,
    walls: &[(Shape<D>, Manner)],
) -> World<D> {
    let surfaces = walls.iter().map(|(shape, _)| surface(shape)).collect();
    let manners = vec![walls.iter().map(|&(_, manner)| manner).collect(); world.species.len()];
    let anchors = vec![None; world.species.len()];
    World { environment: Environment::new(surfaces, manners, anchors), ..world }
}

/// The same world with a surface on which some of its species live; the others meet it in the manner
/// that is given. On a round one they face outside.
pub(super) fn with_anchor<const D: usize>(
    world: World<D>,
    shape: &Shape<D>,
    lives: &[bool],
    guests: Manner,
) -> World<D> {
    let confinement = |radius: f64| {
        let shape = AnchorSurface::on(shape, radius)?;
        let faces = shape.is_round().then_some(false);
        Some(Confinement { surface: 0, shape, faces })
    };
    let radii = world.species.iter().map(|species| species.radius.unwrap_or(0.0));
    let anchors =
        radii.zip(lives).map(|(radius, &lives)| confinement(radius).filter(|_| lives)).collect();
    let manners =
        lives.iter().map(|&lives| vec![if lives { Manner::Ignore } else { guests }]).collect();
    World { environment: Environment::new(vec![surface(shape)], manners, anchors), ..world }
}

fn surface<const D: usize>(shape: &Shape<D>) -> Surface<D> {
    Surface { name: "surface".into(), shape: shape.clone() }
}
