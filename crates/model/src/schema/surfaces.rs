//! `[[surface]]`: what there is in the box besides particles; and regions.

use crate::units::Wanted;

use super::engine::BROWNIAN;
use super::types::{
    AXIS, DIFFUSION, Key, LENGTH, NAMES, NUMBER, PLACE, Table, Type, VELOCITY, not_negative,
    positive,
};

/// What particles do at a surface.
const MEETING: Type =
    Type::Either(&[Type::Word(&["reflect", "ignore", "absorb"]), Type::Table(&MEETS)]);

/// As many as are counted without loss.
const SITES: Type = Type::UpTo(1, 1_000_000_000, "; at most 1000000000 sites are possible");

pub(super) static SURFACE: Table = Table::new(
    "surface",
    &[
        Key::new("name", Type::Text, "\"membrane\"", "one word; it appears in the log").needed(),
        Key::new("plane", Type::Table(&PLANE), "{ axis = \"z\", at = \"0 nm\" }", "a plane")
            .without("one shape is needed"),
        Key::new("sphere", Type::Table(&SPHERE), "{ radius = \"500 nm\" }", "a sphere"),
        Key::new("circle", Type::Table(&SPHERE), "{ radius = \"500 nm\" }", "the same, in 2D")
            .written_as(&["sphere"]),
        Key::new(
            "cylinder",
            Type::Table(&CYLINDER),
            "{ axis = \"x\", radius = \"200 nm\", length = \"1 um\" }",
            "a cylinder",
        ),
        Key::new("mesh", Type::Table(&MESH), "{ file = \"cell.stl\", unit = \"um\" }", "in 3D: a closed mesh"),
        Key::new(
            "polygon",
            Type::List(&PLACE),
            "[[\"100 nm\", \"100 nm\"], [\"300 nm\", \"100 nm\"], [\"200 nm\", \"300 nm\"]]",
            "in 2D: the corners in order; the polygon need not be convex",
        ),
        Key::new("meets", MEETING, "\"absorb\"", "what particles do when they meet it")
            .usually("\"reflect\"")
            .written_as(&["species"]),
        Key::new(
            "species",
            Type::Named(&MEETING),
            "{ A = \"ignore\" }",
            "what particles of certain species do instead: `{ A = \"ignore\", B = { diffusion_inside = \"0.1 um^2/s\", \
             affinity = 2 } }`",
        )
        .without("as `meets`"),
        Key::new(
            "sites",
            SITES,
            "5000",
            "how many there are for what gets onto the surface (`becomes`): it takes one, and finds fewer free the more are \
             taken",
        )
        .without("they are not counted"),
        Key::new(
            "held_by",
            Type::Named(&SITES),
            "{ A_bound = 1, A2_bound = 2 }",
            "with `sites`: the species that hold some, and how many each",
        )
        .without("those named by `becomes`, one each"),
    ],
);

static PLANE: Table = Table::new(
    "plane",
    &[
        Key::new("axis", AXIS, "\"z\"", "the axis at right angles to it").needed(),
        Key::new(
            "at",
            Type::Either(&[LENGTH, Type::List(&LENGTH)]),
            "\"0 nm\"",
            "its position along that axis; several, `[\"60 nm\", \"180 nm\"]`, are as many surfaces, whose names end with \
             `_1`, `_2` and so on",
        )
        .needed(),
    ],
);

static SPHERE: Table = Table::new(
    "sphere",
    &[
        Key::new("centre", PLACE, "[\"1 um\", \"1 um\", \"1 um\"]", "its centre")
            .without("the centre of the box"),
        Key::new("radius", positive(LENGTH), "\"500 nm\"", "its radius").needed(),
    ],
);

static CYLINDER: Table = Table::new(
    "cylinder",
    &[
        Key::new("axis", AXIS, "\"x\"", "the direction of its axis").needed(),
        Key::new("centre", PLACE, "[\"1 um\", \"1 um\", \"1 um\"]", "its centre")
            .without("the centre of the box"),
        Key::new("radius", positive(LENGTH), "\"500 nm\"", "its radius").needed(),
        Key::new("length", positive(LENGTH), "\"2 um\"", "its length, from tip to tip if the ends are round")
            .without("needed, except for open ends"),
        Key::new(
            "ends",
            Type::Word(&["round", "flat", "open"]),
            "\"flat\"",
            "the shape of its ends; `\"open\"`: it extends through the whole of a periodic axis and has no length",
        )
        .usually("\"round\""),
    ],
);

static MESH: Table = Table::new(
    "mesh",
    &[
        Key::new("file", Type::Text, "\"cell.stl\"", "an STL or OBJ file")
            .without("`vertices` and `facets`")
            .written_as(&["vertices"]),
        Key::new("unit", Type::Unit(&Wanted::LENGTH), "\"um\"", "the unit of the file")
            .without("the default unit of lengths")
            .written_as(&["vertices"]),
        Key::new(
            "scale",
            Type::Either(&[positive(NUMBER), Type::List(&positive(NUMBER))]),
            "[65, 65, 200]",
            "the coordinates in the file are multiplied by it, along each axis, as by the edges of a voxel",
        )
        .usually("1")
        .written_as(&["vertices"]),
        Key::new("shift", PLACE, "[\"100 nm\", \"0 nm\", \"0 nm\"]", "a displacement of the mesh")
            .without("none")
            .written_as(&["vertices"]),
        Key::new(
            "vertices",
            Type::List(&PLACE),
            "[[100, 100, 100], [500, 100, 100], [100, 500, 100], [100, 100, 500]]",
            "instead of a file: the positions of its corners",
        ),
        Key::new(
            "facets",
            Type::List(&Type::List(&Type::Whole(0))),
            "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]",
            "the numbers of the three vertices of each triangle, counted from 0",
        ),
    ],
);

static MEETS: Table = Table::new(
    "meets",
    &[
        Key::new(
            "absorb",
            positive(VELOCITY),
            "\"1 um/s\"",
            "the absorbed flux is this times the concentration",
        ),
        Key::new(
            "becomes",
            Type::Text,
            "\"A_bound\"",
            "with a velocity `absorb`: what is absorbed becomes one of this species, which lives `on` the surface",
        )
        .without("it ends there"),
        Key::new(
            "permeability",
            not_negative(VELOCITY),
            "\"1 um/s\"",
            "the flux through the surface is this times the difference in concentration",
        ),
        Key::new(
            "permeability_outwards",
            not_negative(VELOCITY),
            "\"0 um/s\"",
            "from inside to outside (of a plane: from above to below), if that is another one: the flux inwards is \
             `permeability` times the concentration outside less this times that inside",
        )
        .without("as `permeability`"),
        Key::new(
            "diffusion_inside",
            positive(DIFFUSION),
            "\"0.1 um^2/s\"",
            "the diffusion coefficient inside, of one species",
        ),
        Key::new(
            "affinity",
            positive(NUMBER),
            "2",
            "with `diffusion_inside`: the ratio of the concentration inside to that outside",
        )
        .usually("1"),
    ],
);

const SIDE: &str = "this side of a surface, or of each in a list";

pub(super) static REGION: Table = Table::new(
    "region",
    &[
        Key::new("from", PLACE, "[\"0 nm\", \"0 nm\", \"0 nm\"]", "its lowest corner"),
        Key::new("to", PLACE, "[\"100 nm\", \"100 nm\", \"100 nm\"]", "its highest corner"),
        Key::new("inside", NAMES, "\"cell\"", SIDE).only(BROWNIAN),
        Key::new("outside", NAMES, "\"cell\"", SIDE).only(BROWNIAN),
        Key::new("above", NAMES, "\"membrane\"", SIDE).only(BROWNIAN),
        Key::new("below", NAMES, "\"membrane\"", SIDE).only(BROWNIAN),
    ],
);
