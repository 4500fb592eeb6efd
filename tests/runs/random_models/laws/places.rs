//! Whether every particle is where it may be: apart from others, inside the box, on its own side of
//! surfaces.

use std::collections::BTreeMap;

use super::super::file::{Frame, Particle};
use super::super::sketch::{Faces, Kind, Manner, Sketch};
use super::{Findings, Law, ROUNDING};

pub(super) struct Places<'a> {
    sketch: &'a Sketch,
    kinds: &'a [Kind],
    /// Whether two kinds may overlap.
    overlap: Vec<Vec<bool>>,
}

impl<'a> Places<'a> {
    pub(super) fn of(sketch: &'a Sketch, kinds: &'a [Kind]) -> Self {
        let may = |a: &Kind, b: &Kind| sketch.rules.iter().any(|rule| rule.lets_overlap(a, b));
        let overlap = kinds.iter().map(|a| kinds.iter().map(|b| may(a, b)).collect()).collect();
        Self { sketch, kinds, overlap }
    }

    /// Holds a frame to the laws; `touched` are those to which something happened since the one
    /// before.
    pub(super) fn hold(
        &self,
        frame: &Frame,
        before: Option<&Frame>,
        touched: &BTreeMap<i64, f64>,
        findings: &mut Findings,
    ) {
        for (n, a) in frame.particles.iter().enumerate() {
            self.in_box(frame, a, findings);
            for b in &frame.particles[..n] {
                self.apart(frame, [a, b], findings);
            }
            let earlier = before.and_then(|before| {
                let n =
                    before.particles.binary_search_by_key(&a.id, |particle| particle.id).ok()?;
                Some(&before.particles[n]).filter(|_| !touched.contains_key(&a.id))
            });
            self.at_surfaces(frame, a, earlier, findings);
        }
    }

    fn apart(&self, frame: &Frame, [a, b]: [&Particle; 2], findings: &mut Findings) {
        let [of_a, of_b] = [a.species as usize, b.species as usize];
        if self.overlap[of_a][of_b] || self.is_hidden(a, b) || self.is_hidden(b, a) {
            return;
        }
        let squared = |k: usize| {
            let mut apart = a.position[k] - b.position[k];
            if self.sketch.periodic[k] {
                apart -= self.sketch.edges[k] * (apart / self.sketch.edges[k]).round();
            }
            apart * apart
        };
        let distance = (0..a.position.len()).map(squared).sum::<f64>().sqrt();
        let gap = distance - a.radius - b.radius;
        if gap.is_nan() || gap <= -ROUNDING {
            findings.breach(Law::Overlap, || {
                let share = -gap / (a.radius + b.radius) * 100.0;
                let [of_a, of_b] = [&self.kinds[of_a].name, &self.kinds[of_b].name];
                format!(
                    "step {}: {} ({of_a}) and {} ({of_b}) by {:.3e} nm, {share:.2} %: {a:?} {b:?}",
                    frame.step, a.id, b.id, -gap
                )
            });
        }
    }

    /// Whether `b`, in solution, is on the side of the surface of `a` from which `a` is not seen.
    fn is_hidden(&self, a: &Particle, b: &Particle) -> bool {
        let [of_a, of_b] = [&self.kinds[a.species as usize], &self.kinds[b.species as usize]];
        let Some(anchor) = of_a.anchor.filter(|_| of_b.anchor.is_none()) else { return false };
        let distance = self.sketch.surfaces[anchor].distance(&b.position);
        match of_a.faces {
            Faces::Both => false,
            Faces::Inside => distance > -ROUNDING,
            Faces::Outside => distance < ROUNDING,
        }
    }

    fn in_box(&self, frame: &Frame, particle: &Particle, findings: &mut Findings) {
        for k in 0..particle.position.len() {
            let (at, edge) = (particle.position[k], self.sketch.edges[k]);
            let kind = &self.kinds[particle.species as usize];
            // On a plane at a face, half of a particle is outside.
            let flat = kind.anchor.is_some_and(|anchor| self.sketch.surfaces[anchor].is_plane());
            let keep = if self.sketch.periodic[k] || (flat && k + 1 == particle.position.len()) {
                0.0
            } else {
                particle.radius
            };
            if !(keep - ROUNDING..=edge - keep + ROUNDING).contains(&at) {
                findings.breach(Law::Place, || {
                    format!("step {}: outside the box: {particle:?}", frame.step)
                });
            }
        }
    }

    fn at_surfaces(
        &self,
        frame: &Frame,
        particle: &Particle,
        earlier: Option<&Particle>,
        findings: &mut Findings,
    ) {
        let kind = &self.kinds[particle.species as usize];
        for (n, surface) in self.sketch.surfaces.iter().enumerate() {
            let distance = surface.distance(&particle.position);
            if kind.anchor == Some(n) {
                if distance.is_nan() || distance.abs() > ROUNDING {
                    findings.breach(Law::Place, || {
                        format!(
                            "step {}: {distance:e} nm off {}: {particle:?}",
                            frame.step, surface.name
                        )
                    });
                }
                continue;
            }
            let manner = surface.manner(kind.species);
            if matches!(manner, Manner::Reflect) && distance.abs() < particle.radius - ROUNDING {
                findings.breach(Law::Place, || {
                    format!(
                        "step {}: {distance:e} nm from {}: {particle:?}",
                        frame.step, surface.name
                    )
                });
            }
            let crosses =
                matches!(manner, Manner::Ignore | Manner::Permeable(_) | Manner::Inside { .. });
            let was = earlier.map_or(distance, |earlier| surface.distance(&earlier.position));
            if !crosses && was * distance < 0.0 {
                findings.breach(Law::Place, || {
                    format!(
                        "step {}: through {}: {earlier:?} {particle:?}",
                        frame.step, surface.name
                    )
                });
            }
        }
    }
}
