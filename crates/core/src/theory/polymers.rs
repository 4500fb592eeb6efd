//! Nucleated polymerisation: prion growth as Masel, Jansen and Nowak (1999) describe it.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp1};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::rk4;

/// The rules: monomers are made and decay, join polymers, polymers decay as a whole and break at
/// any of their bonds; pieces that are too short fall apart into monomers. Well mixed, in numbers
/// of particles; all rates per the same unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polymerisation {
    /// Monomers made per time: lambda.
    pub production: f64,
    /// Rate at which a monomer decays: d.
    pub decay: f64,
    /// Rate at which a monomer joins a polymer, for each pair of the two: beta (k_on/V, both ends
    /// together).
    pub elongation: f64,
    /// Rate at which a polymer decays: a.
    pub polymer_decay: f64,
    /// Rate at which each bond of a polymer breaks: b. A polymer of l monomers has l - 1 bonds.
    pub breakage: f64,
    /// The least length of a polymer: n.
    pub shortest: u32,
}

impl Polymerisation {
    /// How fast \[monomers x, polymers y, monomers in polymers z\] change, by the equations for
    /// their means, which take x and y for independent:
    ///
    /// dx/dt = lambda - d x - beta x y + n(n-1) b y, dy/dt = b z - (a + (2n-1) b) y,
    /// dz/dt = beta x y - a z - n(n-1) b y.
    pub fn rate(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let n = f64::from(self.shortest);
        let join = self.elongation * x * y;
        let dissolve = n * (n - 1.0) * self.breakage * y;
        [
            self.production - self.decay * x - join + dissolve,
            self.breakage * z - (self.polymer_decay + (2.0 * n - 1.0) * self.breakage) * y,
            join - self.polymer_decay * z - dissolve,
        ]
    }

    /// \[x, y, z\] after `time`, by [`rk4`] in `steps` steps.
    pub fn advance(&self, start: [f64; 3], time: f64, steps: u32) -> [f64; 3] {
        rk4(|state| self.rate(state), start, time, steps)
    }

    /// The monomers in the steady state with polymers.
    fn steady_monomers(&self) -> f64 {
        let (a, b, n) = (self.polymer_decay, self.breakage, f64::from(self.shortest));
        (a + n * b) * (a + (n - 1.0) * b) / (b * self.elongation)
    }

    /// R0: how many polymers come of one, in its life, among monomers alone. Polymers persist if it
    /// is above 1.
    pub fn reproduction_number(&self) -> f64 {
        self.production / (self.decay * self.steady_monomers())
    }

    /// The stable steady state \[x, y, z\]: with polymers if R0 > 1, without them otherwise.
    pub fn steady_state(&self) -> [f64; 3] {
        if self.reproduction_number() <= 1.0 {
            return [self.production / self.decay, 0.0, 0.0];
        }
        let x = self.steady_monomers();
        let z = (self.production - self.decay * x) / self.polymer_decay;
        [x, z / self.steady_length(), z]
    }

    /// The mean length z/y in the steady state: a/b + 2n - 1.
    pub fn steady_length(&self) -> f64 {
        self.polymer_decay / self.breakage + 2.0 * f64::from(self.shortest) - 1.0
    }
}

/// One exact realisation of the same rules in whole particles (Gillespie 1977): every polymer has
/// its own length.
#[derive(Clone, Debug)]
pub struct PolymerisationRun {
    rules: Polymerisation,
    monomers: u64,
    lengths: Vec<u32>,
    /// The sum of `lengths`.
    polymerised: u64,
    time: f64,
    made: u64,
    lost: u64,
    generator: Xoshiro256PlusPlus,
}

impl PolymerisationRun {
    /// A run that begins at time 0 with so many monomers and polymers of the given lengths, each at
    /// least `rules.shortest`. Everything random follows from `seed`.
    pub fn new(rules: Polymerisation, monomers: u64, lengths: Vec<u32>, seed: u64) -> Self {
        let polymerised = lengths.iter().map(|&length| u64::from(length)).sum();
        let generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { rules, monomers, lengths, polymerised, time: 0.0, made: 0, lost: 0, generator }
    }

    /// \[monomers, polymers, monomers in polymers\] now.
    pub fn moments(&self) -> [f64; 3] {
        [self.monomers as f64, self.lengths.len() as f64, self.polymerised as f64]
    }

    /// The lengths of the polymers, in no order that means anything.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// How many monomers have been made so far, and how many have decayed, alone or in polymers.
    pub fn made_and_lost(&self) -> [u64; 2] {
        [self.made, self.lost]
    }

    /// Runs up to `time`, and returns the averages of the [moments](Self::moments) over the time
    /// since the last call; the moments themselves if no time passes.
    pub fn advance(&mut self, time: f64) -> [f64; 3] {
        let begin = self.time;
        if time <= begin {
            return self.moments();
        }
        let mut sums = [0.0; 3];
        while self.time < time {
            let rates = self.rates();
            let waiting: f64 = Exp1.sample(&mut self.generator);
            // no memory: what would come later is drawn afresh in the next call
            let next = (self.time + waiting / rates.iter().sum::<f64>()).min(time);
            let moments = self.moments();
            for (sum, moment) in sums.iter_mut().zip(moments) {
                *sum += moment * (next - self.time);
            }
            self.time = next;
            if next < time {
                self.happen(&rates);
            }
        }
        sums.map(|sum| sum / (time - begin))
    }

    /// How often each kind of event happens per time, in the order of [`Self::happen`].
    fn rates(&self) -> [f64; 5] {
        let [x, y, z] = self.moments();
        let rules = &self.rules;
        [
            rules.production,
            rules.decay * x,
            rules.elongation * x * y,
            rules.polymer_decay * y,
            rules.breakage * (z - y),
        ]
    }

    fn happen(&mut self, rates: &[f64; 5]) {
        let mut left = self.generator.random::<f64>() * rates.iter().sum::<f64>();
        // rounding may leave a little beyond the last: it is then the last that can happen
        let mut event = 0;
        for (n, &rate) in rates.iter().enumerate().filter(|(_, rate)| **rate > 0.0) {
            event = n;
            if left < rate {
                break;
            }
            left -= rate;
        }
        match event {
            0 => {
                self.monomers += 1;
                self.made += 1;
            }
            1 => {
                self.monomers -= 1;
                self.lost += 1;
            }
            2 => {
                let polymer = self.generator.random_range(0..self.lengths.len());
                self.lengths[polymer] += 1;
                self.monomers -= 1;
                self.polymerised += 1;
            }
            3 => {
                let polymer = self.generator.random_range(0..self.lengths.len());
                let length = u64::from(self.lengths.swap_remove(polymer));
                self.polymerised -= length;
                self.lost += length;
            }
            _ => self.break_a_bond(),
        }
    }

    /// Breaks one bond, each with the same chance.
    fn break_a_bond(&mut self) {
        let bonds = self.polymerised as usize - self.lengths.len();
        let mut bond = self.generator.random_range(0..bonds) as u32;
        let mut polymer = 0;
        while bond >= self.lengths[polymer] - 1 {
            bond -= self.lengths[polymer] - 1;
            polymer += 1;
        }
        let length = self.lengths.swap_remove(polymer);
        for piece in [bond + 1, length - bond - 1] {
            if piece >= self.rules.shortest {
                self.lengths.push(piece);
            } else {
                self.polymerised -= u64::from(piece);
                self.monomers += u64::from(piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASEL: Polymerisation = Polymerisation {
        production: 100.0,
        decay: 1.0,
        elongation: 0.01,
        polymer_decay: 0.05,
        breakage: 0.02,
        shortest: 3,
    };

    #[test]
    fn steady_state() {
        let [x, y, z] = MASEL.steady_state();
        assert!((x - 49.5).abs() < 1e-12, "{x}");
        assert!((y - 134.667).abs() < 5e-4, "{y}");
        assert!((z - 1010.0).abs() < 1e-9, "{z}");
        assert!((MASEL.steady_length() - 7.5).abs() < 1e-12);
        assert!((MASEL.reproduction_number() - 2.0202).abs() < 5e-5);
        assert!(MASEL.rate([x, y, z]).iter().all(|rate| rate.abs() < 1e-10));
        let end = MASEL.advance([100.0, 1.0, 5.0], 4000.0, 40_000);
        for (found, steady) in end.into_iter().zip([x, y, z]) {
            assert!((found / steady - 1.0).abs() < 1e-9, "{end:?}");
        }
        // Greer, Pujo-Menjouet and Webb 2006
        let mice = Polymerisation {
            production: 4400.0,
            decay: 5.0,
            elongation: 0.3,
            polymer_decay: 0.04,
            breakage: 1e-4,
            shortest: 6,
        };
        assert!((mice.reproduction_number() - 16.055).abs() < 1e-3);
        let few = Polymerisation { production: 40.0, ..MASEL };
        assert_eq!(few.steady_state(), [40.0, 0.0, 0.0]);
    }

    /// Nothing is made or lost that is not counted.
    #[test]
    fn monomers_are_conserved() {
        let mut run = PolymerisationRun::new(MASEL, 100, vec![5; 20], 7);
        for step in 1..=50 {
            run.advance(f64::from(step));
            let [made, lost] = run.made_and_lost();
            let [x, y, z] = run.moments();
            assert_eq!(x + z, 200.0 + made as f64 - lost as f64);
            assert_eq!(y, run.lengths().len() as f64);
            assert_eq!(z, run.lengths().iter().map(|&l| f64::from(l)).sum::<f64>());
            assert!(run.lengths().iter().all(|&length| length >= 3));
        }
    }

    /// Where polymers do not grow the equations for the means are exact.
    #[test]
    fn without_growth_the_means_are_exact() {
        let rules = Polymerisation { elongation: 0.0, ..MASEL };
        let start = || PolymerisationRun::new(rules, 50, vec![40; 100], 0);
        let (runs, time) = (200, 8.0);
        let mut sums = [0.0; 3];
        let mut squares = [0.0; 3];
        for seed in 0..runs {
            let mut run = start();
            run.generator = Xoshiro256PlusPlus::seed_from_u64(seed);
            run.advance(time);
            for (k, moment) in run.moments().into_iter().enumerate() {
                sums[k] += moment;
                squares[k] += moment * moment;
            }
        }
        let expected = rules.advance(start().moments(), time, 1000);
        for k in 0..3 {
            let mean = sums[k] / runs as f64;
            let error = ((squares[k] / runs as f64 - mean * mean) / runs as f64).sqrt();
            let z = (mean - expected[k]) / error;
            assert!(
                error < 0.02 * mean && z.abs() < 4.5,
                "{k}: {mean} +- {error}, {}",
                expected[k]
            );
        }
    }

    /// With so many particles the correlations that the equations leave out come to 0.6 %.
    #[test]
    fn the_steady_state_of_whole_particles() {
        let mut run = PolymerisationRun::new(MASEL, 50, vec![7; 135], 3);
        run.advance(200.0);
        let means = run.advance(40_000.0);
        for (found, steady) in means.into_iter().zip(MASEL.steady_state()) {
            assert!((found / steady - 1.0).abs() < 0.02, "{means:?}");
        }
        // what is made is lost: lambda = d x + a z, whatever the correlations
        let lost = MASEL.decay * means[0] + MASEL.polymer_decay * means[2];
        assert!((lost / MASEL.production - 1.0).abs() < 0.003, "{lost}");
    }
}
