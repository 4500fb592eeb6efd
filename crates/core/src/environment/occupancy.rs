//! Surfaces with so many sites: what gets onto them takes one, and finds fewer free the more are taken.
//!
//! Where a share 1 - θ of the sites is free, particles get on at (1 - θ) κ, with the probability for this rate at one
//! contact ([`Manner::sorption`]), and what comes off is back at once as often as it would be at the rate at which it
//! gets on without itself. So each way is the other's exact reverse at any time step and any occupancy, and of N sites
//! n are taken with the weight N!/(N - n)! (κ/N k_d)ⁿ: Langmuir's isotherm, θ/(1 - θ) = K c with K = κ A/(N k_d), and
//! its binomial fluctuations.
//!
//! A particle on the surface takes a further site by a rule in time, at its rate times the free share.
//!
//! Sites are not drawn. They stand for partners on a surface that are too many to follow and mix faster than they are
//! taken, as the lipids that a protein binds: κ = k_on N/A.

use super::{Adsorption, Environment, Manner};

/// The sites of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceSites {
    /// How many there are.
    pub number: u64,
    /// How many of them a particle holds. \[species\]
    pub held: Vec<u64>,
}

impl SurfaceSites {
    /// Whether what gets onto the surface in this manner takes a site.
    pub fn limit(&self, manner: Manner) -> bool {
        manner.becomes().is_some_and(|species| self.held[usize::from(species)] > 0)
    }

    /// The share that is free where so many are taken; 0 where more are taken than there are.
    pub fn share_free(&self, taken: u64) -> f64 {
        self.number.saturating_sub(taken) as f64 / self.number as f64
    }
}

impl Manner {
    /// The same where particles get onto the surface at this multiple of their rate.
    pub fn at_multiple(self, multiple: f64) -> Self {
        match self {
            Self::Adsorb(adsorption) => {
                Self::Adsorb(Adsorption { rate: adsorption.rate * multiple, ..adsorption })
            }
            other => other,
        }
    }
}

impl<const D: usize> Environment<D> {
    /// The same with sites of surfaces. \[surface\]
    pub fn with_sites(mut self, sites: Vec<Option<SurfaceSites>>) -> Self {
        self.sites = sites;
        self
    }

    /// The sites of a surface, if they are counted.
    pub fn sites(&self, surface: u16) -> Option<&SurfaceSites> {
        self.sites.get(usize::from(surface))?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between n and n + 1 of N on a surface as many get on as come off, where there are as many as Langmuir says.
    #[test]
    fn each_occupancy_is_in_balance_with_the_next() {
        let (rate, k_d, diffusion, timestep, number) = (0.8, 0.02, 3.0, 0.01, 5_u32);
        let sites = SurfaceSites { number: number.into(), held: vec![0, 1] };
        let frequency = (diffusion / (std::f64::consts::PI * timestep)).sqrt();
        let manner = Manner::Adsorb(Adsorption { rate, permeability: 0.0, becomes: 1 });
        assert!(sites.limit(manner) && !sites.limit(Manner::Reflect));
        for n in 0..number {
            // The concentration at which n and n + 1 are as likely, by area.
            let c = f64::from(n + 1) * k_d / (rate * f64::from(number - n) / f64::from(number));
            let there = manner.at_multiple(sites.share_free(u64::from(n)));
            let sorption = there.sorption(diffusion, timestep).unwrap();
            let [on, off] = [
                c * frequency * sorption.on,
                f64::from(n + 1) * k_d * sorption.parting.iter().sum::<f64>(),
            ];
            assert!((on / off - 1.0).abs() < 1e-12, "{n}: {on} and {off}");
        }
        // Where none is free none gets on, and the limit of a rate that vanishes is no exception.
        for taken in [5, 7] {
            let full = manner.at_multiple(sites.share_free(taken)).sorption(diffusion, timestep);
            let full = full.unwrap();
            assert_eq!(full.on, 0.0);
            assert!((full.parting[0] - 1.0).abs() < 1e-12, "{full:?}");
        }
    }
}
