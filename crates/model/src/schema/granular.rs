//! What moves balls and walls, and what collisions leave: sections of granular models, and the
//! gravity of polygons and gases.

use crate::units::Wanted;

use super::engine::{Engine, GAS, GRANULAR, POLYGONS};
use super::types::{
    ACCELERATION, ANGLE, AXIS, DENSITY, FREQUENCY, Key, LENGTH, NUMBER, PLACE, PRESSURE, RATE,
    TIME, Table, Type, VELOCITY, not_negative, positive, unless,
};

const STEADY: &[(Engine, &str)] = &[(
    Engine::Gas,
    "this belongs to granular models (`engine = \"granular\"`): the gravity of a gas does not change",
)];

pub(super) static GRAVITY: Table = Table::new(
    "gravity",
    &[
        Key::new(
            "acceleration",
            Type::Either(&[not_negative(ACCELERATION), Type::PerAxis(&ACCELERATION)]),
            "\"9.81 m/s^2\"",
            "downwards along the last axis, or one component per axis",
        )
        .without("none"),
        Key::new(
            "amplitude",
            not_negative(ACCELERATION),
            "\"1 m/s^2\"",
            "*a* of a part that oscillates along the same direction as *a* sin(2π*ft* + phase)",
        )
        .without("none")
        .only(GRANULAR)
        .elsewhere(STEADY),
        Key::new("frequency", positive(FREQUENCY), "\"20 Hz\"", "*f* of that part")
            .without("needed with `amplitude`")
            .only(GRANULAR)
            .elsewhere(STEADY),
        Key::new("phase", ANGLE, "\"90 deg\"", "the phase of that part")
            .usually("0")
            .only(GRANULAR)
            .elsewhere(STEADY),
        Key::new("angle", ANGLE, "\"30 deg\"", "turns it counter-clockwise: the box stands on an incline")
            .usually("0")
            .only(POLYGONS)
            .written_as(&["acceleration"]),
        Key::new(
            "start",
            Type::Word(&["atmosphere", "uniform"]),
            "\"uniform\"",
            "how `count` and `random` place disks that have a temperature: `\"atmosphere\"`, by Boltzmann's factor; \
             or `\"uniform\"`",
        )
        .usually("\"atmosphere\"")
        .only(GAS),
    ],
);

pub(super) static SHAKING: Table = Table::new(
    "shaking",
    &[
        Key::new(
            "walls",
            Type::Word(&["all", "lower", "upper"]),
            "\"lower\"",
            "what moves: the whole container; or only the wall at the lower or the upper end of the axis, like a piston, \
             which must not start inside its rest position",
        )
        .usually("\"all\""),
        Key::new("axis", AXIS, "\"x\"", "the axis along which it oscillates").without("the last"),
        Key::new(
            "amplitude",
            not_negative(LENGTH),
            "\"5 mm\"",
            "how far it moves either way from its rest position",
        )
        .needed(),
        Key::new(
            "frequency",
            positive(FREQUENCY),
            "\"20 Hz\"",
            "the number of oscillations per time",
        )
        .needed(),
        Key::new("phase", ANGLE, "\"90 deg\"", "the phase at time 0").usually("0"),
    ],
);

pub(super) static DRAG: Table = Table::new(
    "drag",
    &[Key::new("rate", not_negative(RATE), "\"1 /s\"", "velocities decay at this rate")
        .without("none")],
);

pub(super) static FIELD: Table = Table::new(
    "field",
    &[
        Key::new("centre", PLACE, "[\"100 mm\", \"100 mm\"]", "its minimum").needed(),
        Key::new("rate", positive(RATE), "\"3 /s\"", "its angular frequency").needed(),
    ],
);

pub(super) static COLLISIONS: Table = Table::new(
    "collisions",
    &[
        Key::new(
            "restitution",
            Type::Word(&["viscoelastic", "constant", "plastic", "elastic"]),
            "\"elastic\"",
            "how much of the normal speed remains after a collision",
        )
        .usually("\"viscoelastic\"")
        .see("Granular models"),
        Key::new("coefficient", unless(NUMBER, no_restitution), "0.9", "for `\"constant\"`: the fraction of the normal speed that remains")
            .without("needed there"),
        Key::new(
            "reference",
            Type::Table(&REFERENCE),
            "{ coefficient = 0.9, speed = \"2 m/s\", radius = \"5 mm\" }",
            "for `\"viscoelastic\"`: one collision of two identical balls",
        )
        .usually("{ coefficient = 0.93, speed = \"1 m/s\", radius = \"5 mm\" }"),
        Key::new("constant_A", not_negative(TIME), "\"1 us\"", "instead: the dissipative constant *A* itself")
            .without("`reference`"),
        Key::new(
            "tc",
            Type::Either(&[Type::Word(&["auto", "none"]), TIME]),
            "\"20 us\"",
            "how long a contact lasts: `\"auto\"` (Hertz, by pair and speed), a time, or `\"none\"`",
        )
        .usually("\"auto\""),
    ],
);

static REFERENCE: Table = Table::new(
    "reference",
    &[
        Key::new(
            "coefficient",
            unless(NUMBER, no_viscous_restitution),
            "0.93",
            "the fraction of the speed that remains",
        )
        .needed(),
        Key::new("speed", positive(VELOCITY), "\"1 m/s\"", "the speed at which the two met")
            .needed(),
        Key::new("radius", positive(LENGTH), "\"5 mm\"", "the radius of each").needed(),
    ],
);

/// What is wrong with a coefficient of restitution, if anything is.
fn no_restitution(value: f64) -> Option<String> {
    let why = "a coefficient of restitution, the fraction of the speed that remains after a collision, is from 0 to 1";
    (!(0.0..=1.0).contains(&value)).then(|| format!("found {value:?}, but {why}"))
}

/// The same for viscoelastic balls.
fn no_viscous_restitution(value: f64) -> Option<String> {
    let none = "viscoelastic balls never lose all of their speed: the value must be above 0";
    no_restitution(value).or_else(|| (value == 0.0).then(|| none.to_owned()))
}

/// What is wrong with Poisson's ratio, if anything is.
fn no_poissons_ratio(value: f64) -> Option<String> {
    let why = "Poisson's ratio is above -1 and at most 0.5; 0.3 is usual";
    (value <= -1.0 || value > 0.5).then(|| format!("found {value:?}, but {why}"))
}

pub(super) static MATERIAL: Table = Table::new(
    "material",
    &[
        Key::new("youngs_modulus", positive(PRESSURE), "\"70 GPa\"", "Young's modulus")
            .usually("\"206 GPa\""),
        Key::new("poissons_ratio", unless(NUMBER, no_poissons_ratio), "0.25", "Poisson's ratio")
            .usually("0.3"),
        Key::new(
            "density",
            positive(DENSITY),
            "\"2700 kg/m^3\"",
            "the density of species without their own",
        )
        .usually("\"7850 kg/m^3\""),
        Key::new(
            "yield_pressure",
            positive(PRESSURE),
            "\"1 GPa\"",
            "the pressure at which plastic flow begins",
        )
        .usually("\"2 GPa\""),
        Key::new(
            "heat_capacity",
            positive(Type::Quantity(&Wanted::HEAT_CAPACITY)),
            "\"900 J/kg/K\"",
            "the heat capacity per mass",
        )
        .usually("\"460 J/kg/K\""),
    ],
);
