//! Spheres in Brownian motion: how they move, and the fluids that they make.

mod bounces;
mod chains;
mod contact_log;
mod displacements;
mod drifts;
mod errors;
mod escape;
mod first_contact;
mod fluid;
mod fluids;
mod free_motion;
mod overlap;
mod pairs;
mod potentials;
mod self_diffusion;
mod single_file;
mod structure;
mod walls;
mod watch;

use super::{Check, Group};

/// The radius of particles so small that they never meet.
const SPECK: f64 = 1e-3;

/// The laws of the log of contacts, which hold for any time step.
const LOG: &str = "contacts per step = pairs x contact volume x g / volume, contact volume = surface x s/sqrt(2 pi); \
    times uniform in the step; normals isotropic; impacts uniform over the cross-section; approach v Rayleigh, \
    (v/s^2) exp(-v^2/2 s^2); P V/N k T = 1 + sum of 2 sigma v/s^2 over the contacts / (d N steps); s^2 = 2 (D_A + D_B) dt; \
    no particles overlap";

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "free-motion",
        group: Group::Brownian,
        title: "mean squared displacement of free particles",
        theory: "<x^2> = 2 D t along each axis, at every t and for any time step; several D in one run; 1, 2, 3 dimensions",
        source: "Berg 1993, Random walks in biology; exact",
        seconds: 0.1,
        quick: true,
        run: free_motion::mean_squared_displacement,
    },
    Check {
        name: "gaussian-steps",
        group: Group::Brownian,
        title: "steps are Gaussian and independent",
        theory: "steps along an axis are Gaussian with variance 2 D dt, independent in time, between axes and between \
            particles; r^2/4Dt exponential in the plane; r Maxwell distributed in space",
        source: "Berg 1993, Random walks in biology; exact",
        seconds: 0.3,
        quick: true,
        run: displacements::steps_are_gaussian_and_independent,
    },
    Check {
        name: "drift",
        group: Group::Brownian,
        title: "constant drift, shear flow and harmonic well",
        theory: "<x> = v t, with the variance of free motion; shear: <x^2> = 2 D t (1 + (rate t)^2/3) as dt -> 0, and exactly \
            the sum over steps; well: <x^2> = D tau, memory exp(-t/tau), also for steps longer than tau",
        source: "Ornstein and Uhlenbeck 1930; shear: van de Ven 1977; exact at the time step used",
        seconds: 0.1,
        quick: true,
        run: drifts::drift_adds_to_diffusion,
    },
    Check {
        name: "uniform-density",
        group: Group::Brownian,
        title: "density between walls and in a periodic box",
        theory: "uniform, up to the walls, for steps short and long beside the box",
        source: "reflection principle; exact for any time step",
        seconds: 2.0,
        quick: true,
        run: walls::density_is_uniform,
    },
    Check {
        name: "displacements-in-boxes",
        group: Group::Brownian,
        title: "displacements between walls, density waves, and periods counted",
        theory: "<x^2> = l^2/6 - (16 l^2/pi^4) sum over odd n of n^-4 exp(-n^2 pi^2 D t/l^2) between walls; \
            <cos(n pi x/l)> ~ exp(-n^2 pi^2 D t/l^2); <x^2> = 2 D t across many periods",
        source: "reflection principle; exact for any time step",
        seconds: 0.3,
        quick: true,
        run: walls::displacements_in_boxes,
    },
    Check {
        name: "wall-contacts",
        group: Group::Brownian,
        title: "how often and how fast walls are met",
        theory: "contacts per step with a wall of area A: n A s/sqrt(2 pi), n the density at the wall, s^2 = 2 D dt; approach \
            Rayleigh distributed; hard rods between walls: n = N/(free length)",
        source: "flux of Gaussian steps; Tonks 1936 for rods; exact for any time step",
        seconds: 0.6,
        quick: true,
        run: walls::contacts_with_walls,
    },
    Check {
        name: "first-contact",
        group: Group::Brownian,
        title: "probability that a pair touches within a step",
        theory: "straight relative steps of width s per axis: 3D 1/2 integral of S(t1) over the directions that hit, 2D \
            1/pi integral of exp(-t1^2/2 s^2), 1D erfc(gap/(s sqrt 2))/2, t1 the way to contact",
        source: "first contacts of Johnson and Whalley 2002, integrated over Gaussian steps; exact",
        seconds: 1.0,
        quick: true,
        run: first_contact::probabilities,
    },
    Check {
        name: "single-file",
        group: Group::Brownian,
        title: "rods that cannot pass each other",
        theory: "<x^2> at any t is that of points that exchange names when they meet; it comes to gap 2 sqrt(D t/pi) after \
            long times; the order of rods never changes",
        source: "Jepsen 1965, Harris 1965, Levitt 1973; exact for any time step",
        seconds: 7.0,
        quick: true,
        run: single_file::displacements,
    },
    Check {
        name: "errors",
        group: Group::Brownian,
        title: "standard errors of analyses, over many seeds",
        theory: "a number is off its mean over many seeds by the standard error that is printed, as a root mean square \
            within a tenth",
        source: "Flyvbjerg and Petersen 1989; Kendall 1954 (chains that are short); Efron and Stein 1981",
        seconds: 50.0,
        quick: false,
        run: errors::of_analyses,
    },
    Check {
        name: "no-overlap",
        group: Group::Brownian,
        title: "hard particles never overlap, with any search structure",
        theory: "no two surfaces, nor a surface and a wall, ever overlap by more than rounding; no contact is found late",
        source: "definition of hard particles",
        seconds: 2.0,
        quick: true,
        run: overlap::none_overlap,
    },
    Check {
        name: "pair-distribution",
        group: Group::Brownian,
        title: "g(r) of rods, and of thin fluids of disks and spheres",
        theory: "rods: gaps of points thrown at random, exact; spheres: Percus-Yevick, exact to first order in phi; disks: \
            1 + (4 phi/pi) x the lens of a third disk, and the second order in phi",
        source: "Zernike and Prins 1927; Wertheim 1963; virial expansion",
        seconds: 3.0,
        quick: true,
        run: structure::pair_distributions,
    },
    Check {
        name: "rods",
        group: Group::Brownian,
        title: "contacts and structure of hard rods",
        theory: LOG,
        source: "equilibrium with elastic bounces of masses 1/D; Tonks 1936; exact for any time step",
        seconds: 0.3,
        quick: true,
        run: fluids::rods,
    },
    Check {
        name: "disks",
        group: Group::Brownian,
        title: "contacts and structure of hard disks",
        theory: LOG,
        source: "equilibrium with elastic bounces of masses 1/D, exact for any time step; g: Henderson 1975, Liu 2020",
        seconds: 3.5,
        quick: true,
        run: fluids::disks,
    },
    Check {
        name: "spheres",
        group: Group::Brownian,
        title: "contacts and structure of hard spheres",
        theory: LOG,
        source: "equilibrium with elastic bounces of masses 1/D, exact for any time step; g: Carnahan and Starling 1969 with \
            the virial coefficients of Clisby and McCoy 2006",
        seconds: 4.0,
        quick: true,
        run: fluids::spheres,
    },
    Check {
        name: "mixtures",
        group: Group::Brownian,
        title: "contacts in mixtures of unequal radii and of unequal D",
        theory: LOG,
        source: "equilibrium with elastic bounces of masses 1/D, exact for any time step; g: Boublik 1970, Mansoori et al. \
            1971; disks: Jenkins and Mancini 1987",
        seconds: 7.0,
        quick: true,
        run: fluids::mixtures,
    },
    Check {
        name: "bounces",
        group: Group::Brownian,
        title: "smooth potentials by the law of bounces",
        theory: "exp(-U) at any time step: the energy and the number of near pairs of fluids in 1D to 3D, half of \
            whose particles diffuse nine times as fast, at steps that differ 17-fold",
        source: "Metropolis sampling of the same fluids; Peters and de With 2012, Phys. Rev. E 85, 026703",
        seconds: 4.0,
        quick: true,
        run: bounces::smooth,
    },
    Check {
        name: "potentials",
        group: Group::Brownian,
        title: "spheres that attract or repel each other, and a rigid dimer beside one",
        theory: "pairs at each distance as in the equilibrium exp(-U), for steps of 0.05 to 0.6 diameters; rotations of \
            rigid clusters keep it",
        source: "Metropolis et al. 1953, a reference of its own; the dimer by an integral; exact for any time step",
        seconds: 12.0,
        quick: true,
        run: potentials::square_wells,
    },
    Check {
        name: "escapes",
        group: Group::Brownian,
        title: "escape from a well, beside the equation of Smoluchowski",
        theory: "the mean time until a particle is at 2.5 contact distances from one that attracts it, in the limit of short \
            steps; the error is of first order in the step, which is the square root of the time step",
        source: "radial equation of Smoluchowski; mean first passage by quadrature; exact",
        seconds: 3.0,
        quick: true,
        run: escape::from_well,
    },
    Check {
        name: "chains",
        group: Group::Brownian,
        title: "chains of spheres that are tethered to their neighbours",
        theory: "squared distance of the ends and radius of gyration as in equilibrium, for steps of 0.06 to 1 diameters",
        source: "Metropolis et al. 1953, a reference of its own; exact for any time step",
        seconds: 10.0,
        quick: true,
        run: chains::sizes,
    },
    Check {
        name: "self-diffusion",
        group: Group::Brownian,
        title: "long-time self-diffusion against packing",
        theory: "D/D0 = 1 - 2 phi to first order, in the plane and in space (without hydrodynamics); beyond that the table of \
            an independent program of the same authors, with errors of its own",
        source: "Hanna, Hess and Klein 1982; independent reference program by the authors of this one",
        seconds: 14.0,
        quick: true,
        run: self_diffusion::slows_down_in_crowds,
    },
];
