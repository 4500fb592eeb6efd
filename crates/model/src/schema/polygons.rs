//! Sections of polygon models: contacts, walls and shapes.

use crate::units::Wanted;

use super::types::{
    ANGLE, FREQUENCY, Key, LENGTH, MASS, NUMBER, PLACE, TIME, Table, Type, VELOCITIES, VELOCITY,
    not_negative, positive,
};

pub(super) static CONTACT: Table = Table::new(
    "contact",
    &[
        Key::new("stiffness", positive(Type::Quantity(&Wanted::STIFFNESS)), "\"1e6 N/m\"",
            "*Y*, the stiffness of contacts, a force per length")
            .needed(),
        Key::new(
            "law",
            Type::Word(&["gradient", "area"]),
            "\"area\"",
            "`\"gradient\"`: the gradient of an energy (Feng and Owen 2004); `\"area\"`: in proportion to the area \
             (Tillemans and Herrmann 1995), which is not conservative",
        )
        .usually("\"gradient\""),
        Key::new("damping", not_negative(NUMBER), "0.3", "γ: how strongly contacts damp the normal speed")
            .without("that of `restitution`, otherwise 0.5"),
        Key::new(
            "restitution",
            Type::Table(&REBOUND),
            "{ coefficient = 0.6, speed = \"1 m/s\" }",
            "instead of `damping`: what two disks keep of their speed that meet head-on, with the mean area and mass of \
             the first species; `jostle check` prints it at other speeds",
        )
        .written_as(&["damping"]),
        Key::new("friction", not_negative(NUMBER), "0.3", "Coulomb's μ between particles").usually("0.5"),
        Key::new("wall_friction", not_negative(NUMBER), "0.3", "Coulomb's μ with walls").without("as between particles"),
        Key::new("tangential_stiffness", not_negative(NUMBER), "0.5",
            "the stiffness of the friction spring, divided by *Y*").without("2/7"),
        Key::new("rolling_friction", not_negative(NUMBER), "0.1",
            "what resists rolling: a torque of at most this times the normal force times *r*₁*r*₂/(*r*₁ + *r*₂), on a wall *r*")
            .usually("0"),
    ],
);

static REBOUND: Table = Table::new(
    "rebound",
    &[
        Key::new(
            "coefficient",
            NUMBER,
            "0.6",
            "the fraction of the speed that remains, above 0 and below 1",
        )
        .needed()
        .written_as(&["contact.damping"]),
        Key::new("speed", positive(VELOCITY), "\"1 m/s\"", "the speed at which the two meet")
            .needed()
            .written_as(&["contact.damping"]),
    ],
);

/// Two places or more.
const PLACES: Type = Type::List(&PLACE);

pub(super) static WALL: Table = Table::new(
    "wall",
    &[
        Key::new("name", Type::Text, "\"gate\"", "one word").needed(),
        Key::new(
            "corners",
            PLACES,
            "[[\"10 mm\", \"10 mm\"], [\"20 mm\", \"10 mm\"], [\"15 mm\", \"20 mm\"]]",
            "a convex polygon, its corners counter-clockwise",
        )
        .without("one of `corners`, `rectangle`, `segment`, `ring` and `shape` is needed")
        .see("Polygon models"),
        Key::new(
            "rectangle",
            PLACES,
            "[[\"10 mm\", \"10 mm\"], [\"20 mm\", \"15 mm\"]]",
            "from its lower left to its upper right corner",
        )
        .written_as(&["corners"]),
        Key::new(
            "segment",
            PLACES,
            "[[\"10 mm\", \"10 mm\"], [\"20 mm\", \"15 mm\"]]",
            "a beam about the line from one place to the other",
        )
        .written_as(&["corners"]),
        Key::new(
            "ring",
            Type::Table(&RING),
            "{ corners = 32, radius = \"20 mm\", thickness = \"5 mm\", centre = [\"50 mm\", \"50 mm\"] }",
            "a drum made of this many pieces, named `NAME_1`, `NAME_2`, ..",
        )
        .written_as(&["corners"]),
        Key::new("shape", Type::Table(&SHAPE), "{ disk = \"5 mm\" }", "a shape at a `position`"),
        Key::new("thickness", positive(LENGTH), "\"4 mm\"", "the thickness of a `segment`")
            .without("needed there")
            .written_as(&["corners"]),
        Key::new("position", PLACE, "[\"30 mm\", \"30 mm\"]",
            "the position of the centre of a `shape`").without("needed there"),
        Key::new("angle", ANGLE, "\"30 deg\"", "the orientation of a `shape`").usually("0"),
        Key::new(
            "copies",
            Type::Table(&COPIES),
            "{ count = 3, step = [\"10 mm\", \"0 mm\"] }",
            "copies of the wall, each displaced by a step",
        )
        .without("just the wall")
        .written_as(&["corners"]),
        Key::new("drive", Type::Table(&DRIVE), "{ velocity = [\"1 mm/s\", \"0 mm/s\"] }", "how it moves")
            .without("it stays where it is"),
        Key::new("friction", not_negative(NUMBER), "0.3", "Coulomb's μ on this wall").without("`wall_friction`"),
        Key::new("opens_at", not_negative(TIME), "\"5 ms\"", "when it is removed, as a gate").without("never"),
    ],
);

pub(super) static SHAPE: Table = Table::new(
    "shape",
    &[
        Key::new(
            "corners",
            PLACES,
            "[[\"0 mm\", \"0 mm\"], [\"4 mm\", \"0 mm\"], [\"2 mm\", \"3 mm\"]]",
            "a convex polygon, its corners counter-clockwise, about any origin",
        ),
        Key::new("regular", Type::Whole(3), "6", "a regular polygon with this many corners, one side horizontal"),
        Key::new("rectangle", Type::List(&positive(LENGTH)), "[\"4 mm\", \"2 mm\"]", "width and height"),
        Key::new(
            "ellipse",
            Type::List(&positive(LENGTH)),
            "[\"3 mm\", \"2 mm\"]",
            "the two semi-axes; it touches others through a polygon of its area",
        ),
        Key::new("disk", positive(LENGTH), "\"3 mm\"", "the radius of a disk, which is exact"),
        Key::new(
            "random",
            Type::Either(&[Type::Whole(3), Type::List(&Type::Whole(3))]),
            "[5, 8]",
            "a different polygon for each particle, with this many corners on an ellipse",
        ),
        Key::new(
            "radius",
            Type::Either(&[positive(LENGTH), Type::List(&positive(LENGTH))]),
            "\"3 mm\"",
            "the distance from the centre of a `regular` polygon to its corners; the mean radius of `random` \
             ones, or the smallest and the largest",
        )
        .without("needed there"),
        Key::new("sides", Type::Whole(3), "32", "the number of corners of the polygon of an `ellipse`").usually("48"),
        Key::new("aspect", positive(NUMBER), "0.7", "the smallest ratio of the axes of `random` polygons").usually("1"),
    ],
);

static RING: Table = Table::new(
    "ring",
    &[
        Key::new("corners", Type::Whole(3), "32", "the number of corners, and of pieces")
            .needed()
            .written_as(&["wall.corners"]),
        Key::new(
            "radius",
            positive(LENGTH),
            "\"50 mm\"",
            "the distance from the centre to the inner corners",
        )
        .needed()
        .written_as(&["wall.corners"]),
        Key::new("thickness", positive(LENGTH), "\"5 mm\"", "the thickness of its sides")
            .needed()
            .written_as(&["wall.corners"]),
        Key::new(
            "centre",
            PLACE,
            "[\"60 mm\", \"60 mm\"]",
            "its centre, and the centre of any rotation",
        )
        .needed()
        .written_as(&["wall.corners"]),
    ],
);

const COPIES_OF_WALL: Type = Type::UpTo(1, 100_000, ", but at most 100000 copies are possible");

static COPIES: Table = Table::new(
    "copies",
    &[
        Key::new("count", COPIES_OF_WALL, "20", "the total number")
            .needed()
            .written_as(&["wall.corners"]),
        Key::new("step", PLACE, "[\"10 mm\", \"0 mm\"]", "the displacement from one to the next")
            .needed()
            .written_as(&["wall.corners"]),
    ],
);

static DRIVE: Table = Table::new(
    "drive",
    &[
        Key::new("velocity", VELOCITIES, "[\"1 mm/s\", \"0 mm/s\"]", "it moves steadily"),
        Key::new(
            "rotation",
            Type::Quantity(&Wanted::ANGULAR_VELOCITY),
            "\"10 rpm\"",
            "it turns steadily",
        ),
        Key::new("centre", PLACE, "[\"60 mm\", \"60 mm\"]", "the centre of rotation")
            .without("needed there, except for a ring or a `shape`"),
        Key::new(
            "oscillation",
            PLACE,
            "[\"5 mm\", \"0 mm\"]",
            "its displacement is this times sin(2π*ft* + phase)",
        ),
        Key::new("frequency", positive(FREQUENCY), "\"20 Hz\"", "*f* of an oscillation")
            .without("needed there"),
        Key::new("phase", ANGLE, "\"90 deg\"", "the phase of an oscillation at time 0")
            .usually("0"),
        Key::new(
            "force",
            Type::PerAxis(&Type::Quantity(&Wanted::FORCE)),
            "[\"0 N\", \"-1 N\"]",
            "it moves along the direction of this force, pushed by it and by particles that touch it, but not \
             by gravity",
        ),
        Key::new(
            "mass",
            positive(MASS),
            "\"1 kg\"",
            "the mass of a wall that is moved by a `force`",
        )
        .without("needed there"),
    ],
);
