//! When the cells are to be chosen anew while the run continues (Johnson & Whalley 2002, section
//! 5).

use super::Resize;

/// With [`Resize::Auto`], after so many refits the particles are measured again.
const REFITS_PER_MEASURE: u64 = 64;

/// How many of `particles` may be too fast or too large for the cells: so many can be tested
/// against each other in linear time.
pub(super) fn spared(particles: usize) -> usize {
    particles.isqrt()
}

/// When the cells were last chosen, for how many particles, and when that is due again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renewal {
    resize: Resize,
    particles: usize,
    refits: u64,
}

impl Renewal {
    pub(super) fn new(resize: Resize) -> Self {
        Self { resize, particles: 0, refits: 0 }
    }

    /// Counts a refit, of so many particles. Whether the cells are to be chosen anew at it.
    pub(super) fn due(&mut self, particles: usize) -> bool {
        self.refits += 1;
        match self.resize {
            Resize::Auto => self.refits >= REFITS_PER_MEASURE || self.outgrown(particles),
            Resize::Never => false,
            Resize::Every(refits) => self.refits >= refits,
        }
    }

    /// Whether so many particles are too many or too few for the cells.
    pub(super) fn outgrown(&self, particles: usize) -> bool {
        let much = particles > 2 * self.particles + 64 || 2 * particles + 64 < self.particles;
        self.resize == Resize::Auto && much
    }

    /// Whether so many of the particles on the short list are too many.
    pub(super) fn overfull(&self, short: usize, particles: usize) -> bool {
        self.resize == Resize::Auto && short > 2 * spared(particles) + 16
    }

    /// The cells have been chosen at a refit.
    pub(super) fn done(&mut self, particles: usize) {
        (self.particles, self.refits) = (particles, 0);
    }

    /// The cells have been chosen between refits.
    pub(super) fn done_between(&mut self, particles: usize) {
        self.particles = particles;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At which of some refits of so many particles each the cells are chosen anew.
    fn chosen(resize: Resize, particles: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut renewal = Renewal::new(resize);
        renewal.done(100);
        let mut chosen = Vec::new();
        for (refit, particles) in (1..).zip(particles) {
            if renewal.due(particles) {
                renewal.done(particles);
                chosen.push(refit);
            }
        }
        chosen
    }

    #[test]
    fn cells_are_chosen_as_often_as_was_asked_for() {
        let same = || std::iter::repeat_n(100, 130);
        let growing = || (1..=6).map(|n| 100 * n);
        assert_eq!(chosen(Resize::Auto, same()), [64, 128]);
        assert_eq!(chosen(Resize::Auto, growing()), [3]);
        assert_eq!(chosen(Resize::Every(50), same()), [50, 100]);
        assert_eq!(chosen(Resize::Every(5), growing()), [5]);
        assert_eq!(chosen(Resize::Every(1), growing()).len(), 6);
        assert!(chosen(Resize::Never, same().chain(growing())).is_empty());
    }

    #[test]
    fn only_auto_looks_at_the_particles_between_times() {
        for (resize, looks) in
            [(Resize::Auto, true), (Resize::Never, false), (Resize::Every(9), false)]
        {
            let renewal = Renewal::new(resize);
            assert_eq!(renewal.outgrown(1000), looks);
            assert_eq!(renewal.overfull(300, 1000), looks);
            assert!(!renewal.overfull(30, 1000));
        }
    }
}
