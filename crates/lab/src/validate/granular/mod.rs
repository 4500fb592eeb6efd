//! Balls that fly and collide.

mod cooling;
mod disk_gas;
mod floor;
mod fluid;
mod impacts;
mod mechanics;
mod mixtures;
mod shaker;
mod walls;
pub mod world;

use super::{Check, Group};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "equation-of-state",
        group: Group::Granular,
        title: "pressure and collision rate of hard disks and spheres",
        theory: "P V/(N T) = Z(phi), from the momentum that collisions carry; each particle collides \
                 4 n s^2 g sqrt(pi T/m) times per time (2 n s g sqrt(pi T/m) in the plane), Z = 1 + 2^(d-1) phi g",
        source: "Kolafa, Labik and Malijevsky 2004 (spheres); virial coefficients of Clisby and McCoy 2006 \
                 (disks); Enskog 1922; 1/N terms: Lebowitz and Percus 1961",
        seconds: 3.0,
        quick: true,
        run: fluid::equation_of_state,
    },
    Check {
        name: "maxwell-speeds",
        group: Group::Granular,
        title: "velocities of a gas that starts with equal speeds",
        theory: "each component is Gaussian with variance T/m; <v^4>/<v^2>^2 = 3 D/(D + 2), D = d (N - 1), at \
                 fixed energy and momentum",
        source: "Maxwell 1860; exact for the microcanonical ensemble",
        seconds: 3.0,
        quick: true,
        run: fluid::maxwell_speeds,
    },
    Check {
        name: "grain-conservation",
        group: Group::Granular,
        title: "what elastic grains keep, and their way back",
        theory: "energy (with m g h) and momentum are kept by every collision; with all velocities reversed the gas \
                 returns to its start; none ever overlap",
        source: "classical mechanics; exact but for rounding",
        seconds: 1.0,
        quick: true,
        run: mechanics::conservation,
    },
    Check {
        name: "pair-response",
        group: Group::Granular,
        title: "single collisions of unlike grains, and with a moving wall",
        theory: "v_n' = -e v_n of the relative normal velocity, momentum and tangential velocities are kept, \
                 m* v_n^2 (1 - e^2)/2 becomes heat; at a wall v' = -e v + (1 + e) V",
        source: "Gavrilova, Rokne, Gavrilov and Vinogradov 2003, equation (3); exact",
        seconds: 0.1,
        quick: true,
        run: mechanics::pair_response,
    },
    Check {
        name: "grain-mixtures",
        group: Group::Granular,
        title: "which particles meet in mixtures, and which particles have how much energy",
        theory: "each particle of kind i meets n_j g_ij s_ij^2 sqrt(8 pi T/mu_ij) of kind j per time \
                 (n_j g_ij s_ij sqrt(2 pi T/mu_ij) in the plane); <m_i v_i^2>/d = T (1 - m_i/M) for all kinds",
        source: "Enskog 1922; contact values: Boublik 1970, Mansoori et al. 1971 (spheres), Jenkins and Mancini \
                 1987 (disks)",
        seconds: 5.0,
        quick: true,
        run: mixtures::meetings,
    },
    Check {
        name: "wall-pressure",
        group: Group::Granular,
        title: "pressure of hard spheres on walls",
        theory: "the momentum that walls take up per area and time is n T Z(n) of the bulk between them",
        source: "mechanical equilibrium; Z of Kolafa, Labik and Malijevsky 2004",
        seconds: 2.0,
        quick: true,
        run: walls::pressure,
    },
    Check {
        name: "grain-atmosphere",
        group: Group::Granular,
        title: "light and heavy spheres under gravity",
        theory: "n_i(z) ~ exp(-m_i g z/T) for each kind, lifted by 2 B2 n; the same temperature at every height",
        source: "Laplace 1805, Boltzmann 1879; second virial coefficient 2 pi s^3/3",
        seconds: 3.0,
        quick: true,
        run: walls::atmosphere,
    },
    Check {
        name: "haff",
        group: Group::Granular,
        title: "cooling of an inelastic gas",
        theory: "T = T0 exp(-(1 - e^2) tau/d) after tau collisions per particle; T = T0/(1 + t/t0)^2 with \
                 1/t0 = (1 - e^2) rate/(2 d)",
        source: "Haff 1983; corrections for speeds that are not Maxwellian: van Noije and Ernst 1998",
        seconds: 3.0,
        quick: true,
        run: cooling::haff,
    },
    Check {
        name: "bouncing-ball",
        group: Group::Granular,
        title: "a dropped ball comes to rest",
        theory: "impact speeds e^k sqrt(2 g h); at rest after sqrt(2 h/g) (1 + e)/(1 - e), with contacts that last \
                 for any short time",
        source: "classical mechanics; TC model: Luding and McNamara 1998",
        seconds: 0.1,
        quick: true,
        run: floor::bouncing_ball,
    },
    Check {
        name: "shaken-floor",
        group: Group::Granular,
        title: "a ball on a shaken floor: in step, doubled, locked, thrown off",
        theory: "flights of m periods for Gamma from pi m (1-e)/(1+e) to where they double, \
                 sqrt(Gamma_m^2 + (2 (1+e^2)/(1+e)^2)^2); at rest on the floor below Gamma = 1; above it leaves at \
                 sin(omega t) = 1/Gamma",
        source: "exact impact map; Luck and Mehta 1993, Barroso et al. 2009",
        seconds: 1.0,
        quick: true,
        run: floor::shaken_floor,
    },
    Check {
        name: "restitution-laws",
        group: Group::Granular,
        title: "restitution of steel balls, its heat, and the time of contact",
        theory: "m* x'' = -k x^(3/2) - (3/2) A k x^(1/2) x' (viscoelastic); Hertz up to yield, then \
                 F' = pi p_y R (plastic); t_c = 2.94 depth/v; heat m* v^2 (1 - e^2)/2 in the caps that overlap",
        source: "Hertz 1882; Brilliantov et al. 1996, Mueller and Poeschel 2011; Johnson 1985, Thornton 1997",
        seconds: 0.5,
        quick: true,
        run: impacts::restitution,
    },
    Check {
        name: "shaker-books",
        group: Group::Granular,
        title: "the energy balance of a shaken box",
        theory: "work of the walls = heat + change of kinetic and potential energy, in the energy balance and in the log of \
                 contacts",
        source: "conservation of energy; exact but for rounding",
        seconds: 1.0,
        quick: true,
        run: shaker::balance,
    },
    Check {
        name: "kinetic-structures",
        group: Group::Granular,
        title: "every search structure finds the same contacts",
        theory: "the course of events is that of looking at all pairs, and none overlap: shaken disks, sizes 1 : 50, \
                 a shaken cylinder, periodic spheres",
        source: "exact",
        seconds: 1.5,
        quick: true,
        run: shaker::structures,
    },
    Check {
        name: "disk-gas",
        group: Group::Granular,
        title: "the gas that looks for overlaps after each move",
        theory: "energy is kept, momentum comes from walls only; of Enskog's collisions it sees those whose approach \
                 within the overlap holds the end of a step, all as dt -> 0: a share of 1 - (v dt/s)^2",
        source: "Enskog 1922; geometry of chords",
        seconds: 2.0,
        quick: true,
        run: disk_gas::disk_gas,
    },
];
