//! Rules at contact and in time, in Brownian motion.

mod capture;
mod coagulation;
mod contact_volume;
mod crowd;
pub(super) mod dice;
mod docking;
mod encounters;
mod enzyme;
mod first_order;
pub(super) mod ledger;
mod lone_pair;
mod passage;
mod polymerisation;
mod population;
mod returns;
mod rigid;
mod second_order;
mod swarm;
mod tethers;
mod wells;

use super::{Check, Group};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "contact-volume",
        group: Group::Brownian,
        title: "from where a particle touches its target within one step",
        theory: "V_c = 4 sqrt(pi) R^2 sqrt(D dt) in space, A_c = 2 sqrt(pi) R sqrt(D dt) in the plane: target times mean \
                 path, exact at any time step",
        source: "integral of the probability of first contact over all places",
        seconds: 1.0,
        quick: true,
        run: contact_volume::volumes,
    },
    Check {
        name: "capture-3d",
        group: Group::Brownian,
        title: "first passage to a target in a periodic box, at every contact and with a given k_a",
        theory: "T = V'/k_a + (V/D)(1/(4 pi R) - 2.8373/(4 pi L) + ...), the same at any time step; survival ends as exp(-t/tau)",
        source: "Green's function of the periodic box (Hasimoto 1959) with the boundary condition of Collins and Kimball 1949",
        seconds: 4.5,
        quick: true,
        run: capture::in_space,
    },
    Check {
        name: "capture-2d",
        group: Group::Brownian,
        title: "first passage to a target in a periodic square, at every contact and with a given k_a",
        theory: "T = A'/k_a + (A/2 pi D)(ln(L/R) - 1.3105 + ...), the same at any time step; survival ends as exp(-t/tau)",
        source: "Green's function of the periodic square with the boundary condition of Collins and Kimball 1949",
        seconds: 3.0,
        quick: true,
        run: capture::in_the_plane,
    },
    Check {
        name: "first-passage",
        group: Group::Brownian,
        title: "first passage from a reflecting wall to a target",
        theory: "a way L with a wall at its start: at every contact (L/s + 0.5826)^2 + 1/4 steps on average, s the rms \
                 step; with k_a for both sides L^2/2D + 2 L/k_a, at any time step",
        source: "Wald 1945; Siegmund 1979 for the mean and the mean square of how far a Gaussian walk oversteps; the law \
                 holds to 1e-7 of integral equations of such walks for L >= 5 s",
        seconds: 1.5,
        quick: true,
        run: passage::from_a_wall,
    },
    Check {
        name: "smoluchowski",
        group: Group::Brownian,
        title: "time-dependent encounters with a target at rest, in space",
        theory: "k(t) = 4 pi D R (1 + R/sqrt(pi D t)) for capture at every contact, seen from a = R - 0.5826 s; with k_a: k_a k_D/(k_a + k_D) (1 + (k_a/k_D) exp(x^2) erfc x); a target survives with probability exp(-c Int k dt)",
        source: "Smoluchowski 1917; Collins and Kimball 1949; offset of straight steps: -zeta(1/2)/sqrt(2 pi)",
        seconds: 6.5,
        quick: true,
        run: encounters::in_space,
    },
    Check {
        name: "encounters-2d",
        group: Group::Brownian,
        title: "time-dependent encounters with a target at rest, in the plane",
        theory: "Int k dt = (8/pi) Int (1 - exp(-D u^2 t))/(u^3 |H0(uR) + (2 pi D/k_a) uR H1(uR)|^2) du",
        source: "Carslaw and Jaeger 1959, 13.5; Naqvi 1974",
        seconds: 6.5,
        quick: true,
        run: encounters::in_the_plane,
    },
    Check {
        name: "lone-pair",
        group: Group::Brownian,
        title: "reversible binding of one pair, at three time steps",
        theory: "time bound over time free = k_a/(k_d V'), V' the free volume, exactly at any time step; times bound exponential",
        source: "detailed balance; Morelli and ten Wolde 2008",
        seconds: 4.0,
        quick: true,
        run: lone_pair::equilibrium,
    },
    Check {
        name: "binding-in-a-well",
        group: Group::Brownian,
        title: "a pair that binds at contact, in a well and behind a barrier",
        theory: "time bound over time free = (k_a/k_d) exp(-U at contact)/(the free volume weighted with exp(-U))",
        source: "detailed balance; exact for any time step",
        seconds: 6.0,
        quick: true,
        run: wells::binding,
    },
    Check {
        name: "tethers",
        group: Group::Brownian,
        title: "particles that become tethered near each other, at three time steps and in a crowd",
        theory: "time tethered over time free = k_a/(k_d V'), V' the free volume; in a crowd, tethered pairs over free pairs as near each other = k_a/(k_d V), V the volume of the shell",
        source: "detailed balance of the Doi rule; exact for any time step",
        seconds: 15.0,
        quick: true,
        run: tethers::equilibrium,
    },
    Check {
        name: "docking",
        group: Group::Brownian,
        title: "a pair that binds at sites which point somewhere, at three time steps, and rings",
        theory: "time bound over time free = k_a/(k_d V') for any openings, torsion and time step, also on a membrane; directions of free particles are uniform; time as a ring over time as a chain of six = close_rate/(6 k_d)",
        source: "detailed balance: docking and parting are each other's reverse",
        seconds: 14.0,
        quick: true,
        run: docking::equilibrium,
    },
    Check {
        name: "waiting-times",
        group: Group::Brownian,
        title: "rules in time: waiting times and competing channels",
        theory: "exponential with the sum of the rates at any time step, whichever channel; channels share as their rates",
        source: "Gillespie 1977",
        seconds: 0.5,
        quick: true,
        run: first_order::waiting_times,
    },
    Check {
        name: "isomers",
        group: Group::Brownian,
        title: "A turns into B and back",
        theory: "the number of B is binomial with k1/(k1 + k2); from all A the mean approaches it as exp(-(k1 + k2) t)",
        source: "McQuarrie 1967",
        seconds: 1.3,
        quick: true,
        run: first_order::isomers,
    },
    Check {
        name: "birth-and-death",
        group: Group::Brownian,
        title: "creation in a region, and decay",
        theory: "stationary numbers are Poisson with mean lambda/mu; autocorrelation exp(-mu t); creations a Poisson process, uniform over the region",
        source: "McQuarrie 1967",
        seconds: 1.4,
        quick: true,
        run: first_order::birth_and_death,
    },
    Check {
        name: "population",
        group: Group::Brownian,
        title: "twenty A and twenty B that bind and unbind: fluctuations and fluxes",
        theory: "P(c) ~ (K/V)^c/((20-c)!^2 c!) with excluded volume; contacts V_c g N_A N_B/V per step; unbindings k_d N_C; both at any time within the step",
        source: "statistical mechanics of A + B = C; contact value of mixtures: Boublik 1970",
        seconds: 2.0,
        quick: true,
        run: population::equilibrium,
    },
    Check {
        name: "returns",
        group: Group::Brownian,
        title: "unwrapped paths of particles that are taken in by others and set free",
        theory: "from step to step each particle, or the one that it rests in, moves by less than half an edge: its path has \
                 no break through coalescence, unbinding, conversion, cutting and turning across periodic faces",
        source: "definition of an unwrapped path",
        seconds: 0.5,
        quick: true,
        run: returns::paths,
    },
    Check {
        name: "crowd",
        group: Group::Brownian,
        title: "reversible binding of one pair in a crowd",
        theory: "K_eff/K = room for the product over room for A and B apart, at any time step",
        source: "Widom 1963 (test-particle insertion), drawn afresh in each run",
        seconds: 4.5,
        quick: true,
        run: crowd::equilibrium,
    },
    Check {
        name: "all-pairs",
        group: Group::Brownian,
        title: "slow reactions of pairs: A + B -> 0, A + A -> 0, A + B -> B + B",
        theory: "reactions = k Int N_A N_B dt/V, for A + A k Int N_A (N_A - 1) dt/2V, at any time step",
        source: "definition of the rate constant: dn/dt = -k n^2 for A + A -> 0",
        seconds: 4.5,
        quick: true,
        run: second_order::all_pairs,
    },
    Check {
        name: "annihilation",
        group: Group::Brownian,
        title: "A + B -> 0 from equal numbers, and A + A -> 0, at a quarter of the speed of diffusion",
        theory: "n = n0/(1 + n0 Int k dt), k that of Collins and Kimball",
        source: "Smoluchowski 1917; Collins and Kimball 1949",
        seconds: 4.0,
        quick: true,
        run: second_order::annihilation,
    },
    Check {
        name: "coagulation",
        group: Group::Brownian,
        title: "clusters that join at the same rate whatever their size",
        theory: "n_k = N0 T^(k-1)/(1+T)^(k+1), total N0/(1+T), T = k n0 t/2; given the total all compositions are equally likely",
        source: "Smoluchowski 1916; Kingman 1982",
        seconds: 1.0,
        quick: true,
        run: coagulation::constant_kernel,
    },
    Check {
        name: "polymerisation",
        group: Group::Brownian,
        title: "nucleated polymerisation: growth, breakage, decay",
        theory: "means of monomers, polymers and mass in polymers as in exact runs of the same rules, well mixed",
        source: "Masel, Jansen and Nowak 1999; Gillespie 1977",
        seconds: 2.5,
        quick: true,
        run: polymerisation::against_exact_runs,
    },
    Check {
        name: "michaelis-menten",
        group: Group::Brownian,
        title: "an enzyme and its substrate, in a tenth of the volume of the benchmark",
        theory: "means of ES and P as in exact runs of the well-mixed scheme",
        source: "Andrews, Addy, Brent and Arkin 2010; Gillespie 1977",
        seconds: 40.0,
        quick: false,
        run: enzyme::turnover,
    },
    Check {
        name: "cluster-mobility",
        group: Group::Brownian,
        title: "how far clusters of three diffuse",
        theory: "D_3/D_1: rouse 1/3, stokes 3^(-1/d), a table its entry, membrane a ratio of logarithms, immobile 0; bonded or as one particle",
        source: "Rouse 1953; Stokes 1851; Saffman and Delbrueck 1975",
        seconds: 0.8,
        quick: true,
        run: rigid::mobility,
    },
    Check {
        name: "rotation",
        group: Group::Brownian,
        title: "how the direction of a lone dimer decays",
        theory: "<u(0) u(t)> = exp(-2 D_r t) in space, exp(-D_r t) in the plane",
        source: "Debye 1929",
        seconds: 0.5,
        quick: true,
        run: rigid::rotation,
    },
];
