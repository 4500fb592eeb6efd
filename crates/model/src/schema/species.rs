//! `[[species]]`: what kinds of particles there are, and where they are at the start.

use crate::hints::NO_TEMPERATURE;
use crate::units::Wanted;

use super::engine::{BROWNIAN, Engine, GAS, GRANULAR, INERTIAL, POLYGONS, ROUND};
use super::polygons::SHAPE;
use super::surfaces::REGION;
use super::types::{
    ANGLE, AXIS, COUNT, DENSITY, DIFFUSION, Key, LENGTH, MASS, NAMES, NUMBER, PLACE, RATE, TIME,
    Table, Type, VELOCITIES, VELOCITY, not_negative, positive,
};

/// What particles with momentum have in place of diffusion, drift and states.
const MOMENTUM: &[(Engine, &str)] = &[
    (
        Engine::Granular,
        "this belongs to Brownian models: balls of a granular run move by their own momentum, and \
         start with `speed` or `velocity`",
    ),
    (
        Engine::Polygons,
        "this belongs to Brownian models: polygons move by their own momentum, and start with `speed` \
         or `velocity`",
    ),
    (
        Engine::Gas,
        "this belongs to Brownian models: the disks of a gas move by their own momentum, and start with \
         a `temperature`, a mean `speed` or a `velocity`",
    ),
];

const GAS_HAS_MASS: (Engine, &str) =
    (Engine::Gas, "the disks of a gas have a `mass`, for example `mass = \"1 g\"`");
const POLYGONS_HAVE_DENSITY: (Engine, &str) = (
    Engine::Polygons,
    "the mass of a polygon is its area times `density`, for example \"5000 kg/m^2\"",
);
const POLYGONS_HAVE_SHAPE: &[(Engine, &str)] = &[(
    Engine::Polygons,
    "the size belongs to the shape: shape = { disk = \"3 mm\" }, or { regular = 6, radius = \"3 mm\" }",
)];

const NAME: &str = "one word, different for each";
/// A number of particles, or a concentration.
const AMOUNTS: &[Type] = &[COUNT, Type::InSpace(Wanted::amount), Type::Table(&CONCENTRATION)];

pub(super) static SPECIES: Table = Table::new(
    "species",
    &[
        Key::new("name", Type::Text, "\"EGFR\"", NAME).needed().only(BROWNIAN),
        Key::new("name", Type::Text, "\"ball\"", NAME).needed().only(INERTIAL),
        Key::new("radius", positive(LENGTH), "\"2.5 nm\"", "the radius")
            .without("needed, unless the species is formed only by coalescence")
            .only(BROWNIAN)
            .elsewhere(POLYGONS_HAVE_SHAPE),
        Key::new(
            "radius",
            Type::Either(&[positive(LENGTH), Type::List(&positive(LENGTH))]),
            "\"6.5 mm\"",
            "one radius, or `[\"1 mm\", \"10 mm\"]`: a random radius between these for each ball",
        )
        .needed()
        .only(GRANULAR),
        Key::new("radius", positive(LENGTH), "\"2 mm\"", "the radius of each disk").needed().only(GAS),
        Key::new(
            "diffusion",
            not_negative(DIFFUSION),
            "\"0.05 um^2/s\"",
            "the diffusion coefficient; `\"0 nm^2/us\"` for particles that do not move",
        )
        .without("as for `radius`")
        .only(BROWNIAN)
        .elsewhere(MOMENTUM),
        Key::new(
            "drift",
            Type::Table(&DRIFT),
            "{ velocity = [\"1 um/s\", \"0 um/s\", \"0 um/s\"] }",
            "motion besides diffusion",
        )
        .without("none")
        .only(BROWNIAN)
        .elsewhere(MOMENTUM),
        Key::new(
            "states",
            Type::List(&Type::Either(&[Type::Text, Type::List(&Type::Text)])),
            "[\"free\", \"bound\"]",
            "words for its states, or a list of them for each site",
        )
        .without("it has none")
        .see("Species with states")
        .only(BROWNIAN)
        .elsewhere(MOMENTUM)
        .written_as(&["name"]),
        Key::new(
            "state",
            Type::Named(&Type::Table(&STATE)),
            "{ bound = { radius = \"3 nm\" } }",
            "properties that differ in some states: `{ bound = { radius = .., diffusion = .. } }`",
        )
        .without("nothing")
        .see("Species with states")
        .only(BROWNIAN)
        .elsewhere(MOMENTUM)
        .written_as(&["radius", "diffusion"]),
        Key::new(
            "sites",
            Type::List(&Type::Table(&SITE)),
            "[{ name = \"l\" }, { name = \"Y1068\", states = [\"u\", \"p\"] }]",
            "its sites, each with states and at most one bond; those with the same name are alike",
        )
        .without("it has none")
        .see("Molecules with sites")
        .only(BROWNIAN)
        .elsewhere(MOMENTUM),
        Key::new(
            "rotational_diffusion",
            not_negative(RATE),
            "\"1e5 /s\"",
            "the rotational diffusion coefficient *D*ᵣ (with angles in rad) of single particles with sites that \
             point somewhere",
        )
        .without("3*D*/(4*R*²) in 3D, 2*D*/*R*² in 2D")
        .see("Sites that point somewhere")
        .only(BROWNIAN)
        .elsewhere(MOMENTUM),
        Key::new(
            "shape",
            Type::Table(&SHAPE),
            "{ regular = 6, radius = \"3 mm\" }",
            "the shape of each particle",
        )
        .needed()
        .only(POLYGONS),
        Key::new("density", positive(DENSITY), "\"2500 kg/m^3\"", "the density of the material")
            .without("`mass`, or the density of the material")
            .only(GRANULAR)
            .elsewhere(&[GAS_HAS_MASS]),
        Key::new(
            "density",
            positive(Type::Quantity(&Wanted::AREAL_DENSITY)),
            "\"5000 kg/m^2\"",
            "the mass per area",
        )
        .needed()
        .only(POLYGONS),
        Key::new("mass", positive(MASS), "\"1.2 g\"", "the mass of each ball, if all are of one size")
            .without("by `density`")
            .only(GRANULAR)
            .elsewhere(&[POLYGONS_HAVE_DENSITY]),
        Key::new("mass", positive(MASS), "\"1 g\"", "the mass of each disk").needed().only(GAS),
        Key::new(
            "mass_law",
            Type::Word(&["volume", "area"]),
            "\"area\"",
            "`\"volume\"`: spheres, also in 2D; `\"area\"`: in 2D, discs as thick as the diameter of the \
             largest of the species",
        )
        .usually("\"volume\"")
        .only(GRANULAR)
        .elsewhere(&[POLYGONS_HAVE_DENSITY, GAS_HAS_MASS]),
        Key::new("speed", not_negative(VELOCITY), "\"1 m/s\"", "the mean of Maxwell velocities at the start")
            .without("at rest")
            .only(INERTIAL),
        Key::new("temperature", not_negative(Type::Quantity(&Wanted::TEMPERATURE)), "\"300 K\"",
            "the temperature at the start, instead of the mean speed")
            .without("`speed`")
            .only(GAS)
            .elsewhere(&[(Engine::Brownian, NO_TEMPERATURE)])
            .written_as(&["speed"]),
        Key::new(
            "velocity",
            VELOCITIES,
            "[\"1 m/s\", \"0 m/s\"]",
            "the velocity of all at the start, one component per axis",
        )
        .without("`speed`")
        .only(INERTIAL),
        Key::new("angle", Type::Either(&[Type::Word(&["random"]), ANGLE]), "\"30 deg\"",
            "the orientation of all, or `\"random\"`")
            .usually("0")
            .only(POLYGONS),
        Key::new(
            "angular_velocity",
            Type::Quantity(&Wanted::ANGULAR_VELOCITY),
            "\"1 rad/s\"",
            "the angular velocity of all at the start",
        )
        .usually("0")
        .only(POLYGONS),
        Key::new(
            "region",
            Type::Table(&REGION),
            "{ from = [\"0 mm\", \"0 mm\"], to = [\"50 mm\", \"50 mm\"] }",
            "the region for random placement and lattices",
        )
        .without("the box")
        .only(POLYGONS),
        Key::new(
            "count",
            Type::Either(&[COUNT, Type::InSpace(Wanted::amount), Type::Table(&CONCENTRATION), Type::Named(&Type::Either(AMOUNTS))]),
            "10",
            "the number of particles, placed at random without overlap, largest first; `{ \
             free = 600, bound = 100 }` by state; or a concentration",
        )
        .without("`placement`, or none")
        .see("Concentrations")
        .only(ROUND)
        .written_as(&["placement"]),
        Key::new("count", COUNT, "10", "the number of particles, placed at random, largest first")
            .without("`placement` is needed")
            .only(POLYGONS)
            .written_as(&["placement"]),
        Key::new(
            "placement",
            Type::Either(&[
                Type::Table(&PLACEMENT),
                Type::Word(&["random", "lattice", "packed", "equilibrium"]),
            ]),
            "{ random = 10 }",
            "their number and positions; beside `count` only the way, as in `placement = \"lattice\"`",
        )
        .without("`count`"),
        Key::new("on", Type::Text, "\"membrane\"", "the surface to which the centres of its particles are confined")
            .without("they move in the volume")
            .see("Surfaces")
            .only(BROWNIAN),
        Key::new(
            "faces",
            Type::Word(&["both", "inside", "outside", "above", "below"]),
            "\"outside\"",
            "the side of that surface on which others can reach them",
        )
        .usually("\"both\"")
        .only(BROWNIAN),
        Key::new("inside", NAMES, "\"cell\"", "a closed surface, or a list of several: particles are placed inside")
            .without("either side")
            .only(BROWNIAN),
        Key::new("outside", NAMES, "\"cell\"", "a closed surface, or a list of several: particles are placed outside")
            .without("either side")
            .only(BROWNIAN),
        Key::new("above", NAMES, "\"membrane\"", "a plane, or a list of several: particles are placed above")
            .without("either side")
            .only(BROWNIAN),
        Key::new("below", NAMES, "\"membrane\"", "a plane, or a list of several: particles are placed below")
            .without("either side")
            .only(BROWNIAN),
    ],
);

static DRIFT: Table = Table::new(
    "drift",
    &[
        Key::new(
            "velocity",
            VELOCITIES,
            "[\"1 um/s\", \"0 um/s\", \"0 um/s\"]",
            "a velocity that is the same everywhere",
        ),
        Key::new(
            "shear",
            Type::Table(&SHEAR),
            "{ rate = \"10 /s\", along = \"x\", across = \"y\" }",
            "a shear flow",
        ),
        Key::new(
            "well",
            Type::Table(&WELL),
            "{ centre = [\"1 um\", \"1 um\", \"1 um\"], relaxation = \"1 ms\" }",
            "a harmonic well",
        ),
    ],
);

static SHEAR: Table = Table::new(
    "shear",
    &[
        Key::new("rate", RATE, "\"10 /s\"", "how much the velocity increases per length across")
            .needed(),
        Key::new("along", AXIS, "\"x\"", "the axis of the velocity").needed(),
        Key::new("across", AXIS, "\"y\"", "the axis along which it increases").needed(),
    ],
);

static WELL: Table = Table::new(
    "well",
    &[
        Key::new("centre", PLACE, "[\"1 um\", \"1 um\"]", "its minimum").needed(),
        Key::new(
            "relaxation",
            positive(TIME),
            "\"1 ms\"",
            "the relaxation time of the distance from the centre",
        )
        .needed(),
    ],
);

static STATE: Table = Table::new(
    "state",
    &[
        Key::new("radius", positive(LENGTH), "\"3 nm\"", "the radius in this state")
            .without("that of the species")
            .written_as(&["species.radius"]),
        Key::new(
            "diffusion",
            not_negative(DIFFUSION),
            "\"0.02 um^2/s\"",
            "the diffusion coefficient in this state",
        )
        .without("that of the species")
        .written_as(&["species.diffusion"]),
    ],
);

static SITE: Table = Table::new(
    "site",
    &[
        Key::new("name", Type::Text, "\"Y1068\"", "letters, digits and underscores").needed(),
        Key::new(
            "states",
            Type::List(&Type::Text),
            "[\"u\", \"p\"]",
            "its states, that of new particles first",
        )
        .without("it has none"),
        Key::new(
            "direction",
            Type::PerAxis(&NUMBER),
            "[1, 0, 0]",
            "where it points, as the particle itself sees it",
        )
        .without("it binds all around")
        .see("Sites that point somewhere"),
        Key::new(
            "opening",
            ANGLE,
            "\"25 deg\"",
            "how far from its direction a partner may be at contact",
        )
        .without("needed with `direction`"),
        Key::new(
            "normal",
            Type::List(&NUMBER),
            "[0, 0, 1]",
            "in 3D, a vector from which torsions are measured; its part across `direction` counts",
        )
        .without("the *z* axis or, if that is the direction, the *x* axis"),
    ],
);

pub(super) static CONCENTRATION: Table = Table::new(
    "concentration",
    &[
        Key::new(
            "concentration",
            Type::InSpace(Wanted::amount),
            "\"100 nM\"",
            "the number per volume, area or length",
        )
        .without("the table has numbers by state")
        .written_as(&["species.placement"]),
        Key::new(
            "poisson",
            Type::Boolean,
            "true",
            "whether the number is drawn, using the seed, from a Poisson distribution with that mean",
        )
        .usually("false")
        .written_as(&["species.placement"]),
    ],
);

const RANDOM: &str = "this many at random without overlap, largest first";
const LATTICE: &str = "this many on a lattice";
const PACKED: &str = "this many packed: anywhere at first, then moved apart until none overlap, together with all species \
                      that are packed; up to near random close packing, 0.63 in 3D and 0.82 in 2D";
const EQUILIBRIUM: &str = "this many as hard particles are in equilibrium, with the affinities of regions for them: \
                           placed at random, and then moved about by Metropolis's rule, around all that is placed otherwise";
const FILE: &str = "at the positions in a table, or in the last frame of an H5MD file";

pub(super) static PLACEMENT: Table = Table::new(
    "placement",
    &[
        Key::new("random", Type::Either(AMOUNTS), "10", RANDOM).only(ROUND),
        Key::new("random", COUNT, "10", RANDOM).only(POLYGONS),
        Key::new("lattice", Type::Either(AMOUNTS), "10", LATTICE).only(ROUND),
        Key::new("lattice", COUNT, "10", LATTICE).only(POLYGONS),
        Key::new("packed", Type::Either(AMOUNTS), "10", PACKED).only(ROUND),
        Key::new("equilibrium", Type::Either(AMOUNTS), "10", EQUILIBRIUM).only(BROWNIAN),
        Key::new(
            "room",
            COUNT,
            "10",
            "this many, each with a random centre, and a random radius up to the available space",
        )
        .only(GRANULAR),
        Key::new("file", Type::Text, "\"positions.csv\"", FILE).only(ROUND).written_as(&["positions"]),
        Key::new(
            "file",
            Type::Text,
            "\"positions.csv\"",
            "at the positions in a table, with a column `angle` (rad) or `angle_deg`, or in the last frame of a \
             polygon file, provided that nothing overlaps there (particles that press on each other do)",
        )
        .only(POLYGONS)
        .written_as(&["positions"]),
        Key::new("positions", Type::List(&PLACE), "[[\"100 nm\", \"200 nm\"]]", "at these places").only(ROUND),
        Key::new(
            "positions",
            Type::List(&Type::List(&Type::Either(&[LENGTH, ANGLE]))),
            "[[\"10 mm\", \"20 mm\"], [\"30 mm\", \"20 mm\", \"30 deg\"]]",
            "at these positions, optionally rotated: `[[x, y], [x, y, angle]]`",
        )
        .only(POLYGONS),
        Key::new(
            "picture",
            Type::List(&Type::Text),
            "[\"# #\", \"###\"]",
            "a particle for each character other than a space or a dot",
        )
        .only(POLYGONS)
        .written_as(&["positions"]),
        Key::new("corner", PLACE, "[\"10 mm\", \"50 mm\"]", "the position of the lower left character of a `picture`")
            .without("needed with `picture`")
            .only(POLYGONS)
            .written_as(&["positions"]),
        Key::new("pitch", positive(LENGTH), "\"2.1 mm\"", "the distance between neighbours in a `picture`")
            .without("needed with `picture`")
            .only(POLYGONS)
            .written_as(&["positions"]),
        Key::new("state", Type::Text, "\"bound\"", "the state that all of them are in")
            .without("the first, or as in the file")
            .only(BROWNIAN)
            .written_as(&["species.name"]),
        Key::new(
            "species_number",
            Type::Whole(0),
            "1",
            "the number of this species in a `file` that has numbers for species and no names",
        )
        .without("its particles are those with its name, or all")
        .only(ROUND)
        .written_as(&["positions"]),
        Key::new("bonds", Type::Boolean, "false", "whether the bonds in an H5MD `file` are used")
            .usually("true")
            .see("Bonds at the start")
            .only(BROWNIAN)
            .written_as(&["positions"]),
    ],
);
