//! Surfaces in the box: those that stop particles, let them through or take them, and those on
//! which particles live.

mod containers;
mod crowds;
mod exit_times;
mod permeable;
mod round;
mod scene;
mod targets;

use super::{Check, Group};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "containers",
        group: Group::Brownian,
        title: "density in a sphere, a rod, a slab and a mesh, and around one",
        theory: "uniform, up to the wall, for balls and points, at steps short and long; no particle is beyond the wall, ever; \
            around an obstacle, edges and tips included, volumes by Steiner's formula",
        source: "equilibrium with elastic bounces, exact for any time step; parallel particles: Steiner 1840",
        seconds: 1.1,
        quick: true,
        run: containers::uniform_up_to_the_wall,
    },
    Check {
        name: "exit-times",
        group: Group::Brownian,
        title: "mean time to absorbing planes and spheres",
        theory: "(R^2 - x^2)/2 D between planes, (R^2 - r^2)/6 D in a sphere, plus R/3 kappa if it takes kappa c, less \
            a^3/3D (1/r - 1/R) around a reflecting sphere; of finite steps, exactly, by the moments of how far beyond the \
            wall a Gaussian walk ends",
        source: "Redner 2001, A guide to first-passage processes; Wald 1944, overshoot: Chang and Peres 1997",
        seconds: 1.2,
        quick: true,
        run: exit_times::mean_times,
    },
    Check {
        name: "permeable-wall",
        group: Group::Brownian,
        title: "relaxation through a permeable plane and a permeable sphere",
        theory: "flux = P times the difference of concentrations: a sum of waves exp(-D k^2 t) that continue behind the wall, \
            at five moments, at two P each",
        source: "Carslaw and Jaeger 1959, Conduction of heat in solids (contact resistance); eigenvalues found numerically",
        seconds: 1.2,
        quick: true,
        run: permeable::relaxation,
    },
    Check {
        name: "on-a-sphere",
        group: Group::Brownian,
        title: "diffusion on a sphere and on a circle",
        theory: "<P_l(cos)> = exp(-l (l + 1) D t/R^2) on a sphere, <cos l a> = exp(-l^2 D t/R^2) on a circle, l = 1 to 4; at \
            long steps what a great-circle step leaves of P_l, to the power of the steps; no particle leaves the surface",
        source: "Perrin 1928; addition theorem: steps in any direction multiply what is left of a harmonic",
        seconds: 2.5,
        quick: true,
        run: round::harmonics_decay,
    },
    Check {
        name: "surface-targets",
        group: Group::Brownian,
        title: "receptors on a plane, a sheet and a sphere: balance, and the flux to one",
        theory: "bound over free = n k_a/(k_d V) (V0/V)^(n - 1), V and V0 the room of a ligand with and without what a free receptor \
            takes of it (in the plane areas); a receptor in a reflecting plane takes up half of what a free one of 2 k_a \
            does: 1/k = 1/k_a + 1/(2 pi D R)",
        source: "law of mass action; reflection, with the Green's function of the periodic box (Hasimoto 1959) and the boundary \
            condition of Collins and Kimball 1949",
        seconds: 3.0,
        quick: true,
        run: targets::balance_and_flux,
    },
    Check {
        name: "surface-crowds",
        group: Group::Brownian,
        title: "crowded particles on a plane and on a sphere",
        theory: "those of hard disks: contacts per step = pairs x contact line x s/sqrt(2 pi) x g / area; no particles overlap",
        source: "equilibrium of hard disks: contact value by ten virial coefficients; on a sphere to first order in curvature",
        seconds: 1.2,
        quick: true,
        run: crowds::disks,
    },
];
