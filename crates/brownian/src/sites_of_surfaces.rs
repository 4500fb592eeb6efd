//! How many of a surface's sites are taken ([`SurfaceSites`]).
//!
//! They are counted over all particles when one touches such a surface, unless nothing has changed since the last
//! count: every change of the population is reported, and so ends it. A running count would have to be kept wherever
//! a particle comes to be, goes or changes its species.

use super::system::System;
use jostle_core::environment::SurfaceSites;
use jostle_core::rules::Product;

/// The sites of all surfaces of a system.
pub(super) struct TakenSites<'a, const D: usize>(pub(super) &'a mut System<D>);

impl<const D: usize> TakenSites<'_, D> {
    /// The share of a surface's sites that is free for one of `species`, without what one of `former` holds; 1 if these
    /// get onto it without a site.
    pub(super) fn share_free(&mut self, surface: u16, species: u16, former: Option<u16>) -> f64 {
        let limits =
            |sites: &SurfaceSites| sites.limit(self.0.environment.manner(species, surface));
        match self.0.environment.sites(surface).is_some_and(limits) {
            true => self.share_without(surface, former),
            false => 1.0,
        }
    }

    /// The probability with which one of `former` finds the sites that `products` hold more: 1 if they hold none more.
    pub(super) fn chance(&mut self, former: u16, products: &[Product]) -> f64 {
        let takes = |sites: &SurfaceSites| {
            let held = products.iter().map(|product| sites.held[usize::from(product.species)]);
            held.sum::<u64>() > sites.held[usize::from(former)]
        };
        let takers = (0..self.0.environment.surfaces().len() as u16)
            .filter(|&surface| self.0.environment.sites(surface).is_some_and(takes));
        let takers: Vec<u16> = takers.collect();
        takers.into_iter().map(|surface| self.share_without(surface, None)).product()
    }

    fn share_without(&mut self, surface: u16, without: Option<u16>) -> f64 {
        if self.0.taken_sites.is_none() {
            self.0.taken_sites = Some(self.count());
        }
        debug_assert_eq!(self.0.taken_sites, Some(self.count()));
        let taken = self.0.taken_sites.as_ref().map_or(0, |taken| taken[usize::from(surface)]);
        self.0.environment.sites(surface).map_or(1.0, |sites| {
            let own = without.map_or(0, |species| sites.held[usize::from(species)]);
            sites.share_free(taken.saturating_sub(own))
        })
    }

    fn count(&self) -> Vec<u64> {
        let mut taken = vec![0; self.0.environment.surfaces().len()];
        for (surface, taken) in (0..).zip(&mut taken) {
            let Some(sites) = self.0.environment.sites(surface) else { continue };
            let both = self.0.particles.species.iter().zip(&self.0.particles.alive);
            *taken = both
                .filter(|(_, alive)| **alive)
                .map(|(&species, _)| sites.held[usize::from(species)])
                .sum();
        }
        taken
    }
}
