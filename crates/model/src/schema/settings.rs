//! The sections that set numbers: `[units]`, `[space]`, `[run]`, `[search]` and `[output]`.

use crate::units::Wanted;

use super::engine::{
    BROWNIAN, CONTACTS, Engine, GAS, GRANULAR, INERTIAL, POLYGONS, ROUND, STEPPED,
};
use super::types::{AXIS, Key, LENGTH, TIME, Table, Type, positive};

pub(super) static UNITS: Table = Table::new(
    "units",
    &[
        Key::new(
            "length",
            Type::Unit(&Wanted::LENGTH),
            "\"nm\"",
            "the unit of lengths without a unit",
        )
        .usually("\"nm\"")
        .written_as(&["space.edges"]),
        Key::new("time", Type::Unit(&Wanted::TIME), "\"us\"", "the unit of times without a unit")
            .usually("\"us\"")
            .written_as(&["run.timestep", "run.until"]),
    ],
);

const SPACES: Type = Type::UpTo(1, 3, ", but 1, 2 or 3 is needed");
/// More would only wait for each other.
const THREADS: Type = Type::UpTo(
    1,
    1024,
    "; at most 1024 threads are possible, and more threads than cores do not help",
);
const BOUNDARY: Type = Type::Word(&["periodic", "reflecting"]);

pub(super) static SPACE: Table = Table::new(
    "space",
    &[
        Key::new("dimension", SPACES, "2", "1, 2 or 3; polygons and gases need 2").needed(),
        Key::new(
            "edges",
            Type::Either(&[positive(LENGTH), Type::PerAxis(&positive(LENGTH))]),
            "[\"2 um\", \"2 um\"]",
            "the edges of the box: one length for all axes, or one per axis",
        )
        .needed(),
        Key::new(
            "boundary",
            Type::Either(&[BOUNDARY, Type::PerAxis(&BOUNDARY)]),
            "\"reflecting\"",
            "whether each axis is periodic or ends at walls",
        )
        .usually("\"periodic\""),
        Key::new(
            "shape",
            Type::Word(&["box", "cylinder"]),
            "\"cylinder\"",
            "`\"cylinder\"`: 3D, upright along z, with the edges along x and y as its diameter",
        )
        .usually("\"box\"")
        .only(GRANULAR),
        Key::new(
            "walls",
            Type::Either(&[
                Type::Boolean,
                Type::List(&Type::Word(&["left", "right", "bottom", "top"])),
            ]),
            "[\"bottom\", \"left\"]",
            "which non-periodic sides have walls outside the box: all, none, or those listed",
        )
        .usually("true")
        .only(POLYGONS),
    ],
);

const UNTIL: Key =
    Key::new("until", positive(TIME), "\"10 s\"", "the length of the run, as a time")
        .beside_results();

pub(super) static RUN: Table = Table::new(
    "run",
    &[
        Key::new(
            "engine",
            Type::Word(&["brownian", "granular", "polygons", "gas"]),
            "\"granular\"",
            "the engine that runs the model: spheres in Brownian motion, or balls, polygons or disks \
             with momentum, whose models have their own keys",
        )
        .usually("\"brownian\"")
        .written_as(&["engine", "timestep"]),
        Key::new(
            "contact",
            Type::Word(&["exact", "after_move", "events"]),
            "\"events\"",
            "how contacts are found: in order of time within a step, after the move, or from event to event",
        )
        .usually("\"exact\"")
        .only(GAS),
        Key::new("timestep", positive(TIME), "\"1 us\"", "the time step Δ*t*")
            .needed()
            .see("Choosing the time step")
            .only(CONTACTS)
            .elsewhere(NO_STEPS),
        Key::new(
            "timestep",
            Type::Either(&[Type::Word(&["auto"]), TIME]),
            "\"10 us\"",
            "the time step, at most a thirtieth of the shortest contact; `\"auto\"`: a fiftieth",
        )
        .needed()
        .only(POLYGONS)
        .elsewhere(NO_STEPS),
        Key::new(
            "interactions",
            Type::Word(&["hard", "reactive"]),
            "\"reactive\"",
            "what two particles do where no rule with two partners applies: `\"hard\"`: they bounce; \
             `\"reactive\"`: they pass through each other, so that only reactions matter",
        )
        .usually("\"hard\"")
        .only(BROWNIAN)
        .written_as(&["rule.do"]),
        UNTIL.without("`steps` is needed").only(STEPPED).written_as(&["steps"]),
        UNTIL.needed().only(GRANULAR),
        Key::new("steps", Type::Whole(1), "50000", "the length of the run, in time steps")
            .without("`until` is needed")
            .only(STEPPED)
            .elsewhere(NO_STEPS)
        .beside_results(),
        Key::new("seed", Type::Whole(0), "7", "the seed of all random numbers")
            .usually("1")
            .no_axis("the seed of each member follows from sweep.seed; use replicas"),
        Key::new(
            "threads",
            THREADS,
            "4",
            "the number of threads; results do not depend on it",
        )
        .without("the number that turns out to be fastest, tried during the run")
        .only(STEPPED)
        .elsewhere(ONE_THREAD)
        .beside_results()
        .no_axis(NO_EFFECT),
        Key::new(
            "memory",
            Type::Memory,
            "\"4 GB\"",
            "the run is stopped, with its file and its checkpoint whole, once it takes this much memory; `--memory` \
             overrides it",
        )
        .without("four fifths of what there is")
        .beside_results()
        .no_axis(NO_EFFECT),
        Key::new(
            "keep_checkpoint",
            Type::Boolean,
            "false",
            "whether the last checkpoint stays next to the file of a finished run, so that it can be made longer",
        )
        .usually("true")
        .brief()
        .beside_results()
        .no_axis(NO_EFFECT),
        Key::new(
            "scheduler",
            Type::Word(&["queue", "rescan", "islands"]),
            "\"queue\"",
            "how contacts within a step are put in order; results do not depend on it: `\"islands\"`: groups of \
             touching particles are processed independently, on any thread, and reactions after them in order of \
             time, where `search.kind` is `\"verlet\"`, otherwise as `\"queue\"`; `\"queue\"`: in order of time, \
             predicting again only what has changed; `\"rescan\"`: all candidates at each subdivision, as \
             printed by Johnson & Whalley (2002)",
        )
        .usually("\"islands\"")
        .only(CONTACTS)
        .elsewhere(ONE_THREAD)
        .beside_results(),
        Key::new(
            "trajectory_every",
            positive(TIME),
            "\"5 ms\"",
            "the interval at which paths are renewed under forces that bend them: drag, a field, driven gravity",
        )
        .without("needed with such forces")
        .only(GRANULAR)
        .elsewhere(NOTHING_BENDS),
        Key::new(
            "trajectory_clock",
            Type::Word(&["grid", "reset"]),
            "\"reset\"",
            "`\"grid\"`: paths are renewed at whole multiples for all balls; `\"reset\"`: also at each collision of \
             a ball, whose clock then starts again, as printed by Gavrilova & Rokne (2002)",
        )
        .usually("\"grid\"")
        .only(GRANULAR)
        .elsewhere(NOTHING_BENDS),
    ],
);

/// Why a sweep over a setting would show nothing.
const NO_EFFECT: &str = "no result depends on it";

const NO_STEPS: &[(Engine, &str)] = &[(
    Engine::Granular,
    "a granular run has no time steps: `until` says how long it lasts, `every` under `[output]` how \
     often it is written, `trajectory_every` how often paths are renewed",
)];

const SMALL_STEPS: &str = "this belongs to models of other kinds: polygons take small steps of constant length, \
    `timestep`";

const ONE_THREAD: &[(Engine, &str)] = &[
    (
        Engine::Granular,
        "a granular run goes from event to event, on one thread: there is nothing to choose",
    ),
    (Engine::Polygons, SMALL_STEPS),
];

const NOTHING_BENDS: &[(Engine, &str)] = &[
    (Engine::Polygons, SMALL_STEPS),
    (Engine::Gas, "only gravity bends the paths of a gas, and every engine treats it exactly"),
];

/// The structures of any engine, in the short form of `[search]`.
pub(super) const ANY_SEARCH: &[&str] = &[
    "auto", "naive", "cubic", "slices", "levels", "sweep", "swept", "verlet", "direct", "tree",
    "segments", "laguerre",
];

const NOTHING_TO_SET: &[(Engine, &str)] = &[
    (
        Engine::Granular,
        "this belongs to Brownian models: the search structures of a granular run have no settings except `kind`",
    ),
    (
        Engine::Polygons,
        "this belongs to Brownian models: the bounding boxes of polygons are kept sorted, without \
         settings",
    ),
];

pub(super) static SEARCH: Table = Table::new(
    "search",
    &[
        Key::new(
            "kind",
            Type::Word(&["auto", "naive", "cubic", "slices", "levels", "sweep", "swept", "verlet"]),
            "\"cubic\"",
            "all pairs (`\"naive\"`), cells (`\"cubic\"`), `\"slices\"` along one axis, `\"levels\"` (several \
             lattices of cells, each for the particles of a size), `\"sweep\"` (boxes in order along each axis, \
             for any mixture of sizes), `\"swept\"` (swept boxes in cells, for steps longer than radii) or \
             `\"verlet\"` (neighbour lists with a skin, which last many steps); `jostle list structures` says which to use when",
        )
        .usually("\"auto\"")
        .only(BROWNIAN),
        Key::new(
            "kind",
            Type::Word(&["auto", "direct", "cubic", "tree", "segments", "laguerre", "levels"]),
            "\"tree\"",
            "the structure that follows balls from event to event; `\"laguerre\"` is for 2D and 3D; \
             `jostle list structures` says which to use when",
        )
        .usually("\"auto\"")
        .only(GRANULAR),
        Key::new(
            "kind",
            Type::Word(&["sweep", "auto"]),
            "\"sweep\"",
            "bounding boxes of polygons, sorted along both axes; the only choice",
        )
        .usually("\"sweep\"")
        .only(POLYGONS),
        Key::new(
            "kind",
            Type::Word(ANY_SEARCH),
            "\"slices\"",
            "with exact contacts, one of Brownian models; after the move, `\"slices\"` or `\"naive\"`; with events, \
             one of granular models",
        )
        .usually("\"auto\"")
        .only(GAS),
        Key::new(
            "relink",
            Type::Word(&["step", "move"]),
            "\"move\"",
            "cells and levels: `\"step\"` links particles to cells once per step (Algorithm B), `\"move\"` with \
             every move (A)",
        )
        .usually("\"step\"")
        .only(CONTACTS)
        .elsewhere(NOTHING_TO_SET),
        Key::new(
            "listing",
            Type::Word(&["centre", "touch"]),
            "\"touch\"",
            "cells and levels: `\"centre\"`, by the cell that holds the centre, or `\"touch\"`, by every cell that \
             it overlaps",
        )
        .usually("\"centre\"")
        .only(CONTACTS)
        .elsewhere(NOTHING_TO_SET),
        Key::new("axis", AXIS, "\"y\"", "slices: the axis that is divided")
            .usually("\"x\"")
            .only(CONTACTS)
            .elsewhere(NOTHING_TO_SET),
        Key::new(
            "pruning",
            Type::Boolean,
            "true",
            "cells, slices and levels: skip cells on the far side",
        )
        .usually("false")
        .only(CONTACTS)
        .elsewhere(NOTHING_TO_SET),
        Key::new(
            "cell_size",
            positive(LENGTH),
            "\"20 nm\"",
            "cells and slices: the smallest edge; a value that could miss contacts is refused, with the numbers. \
             Levels: the smallest edge in the finest lattice",
        )
        .without("chosen")
        .only(CONTACTS)
        .elsewhere(NOTHING_TO_SET),
        Key::new(
            "resize",
            Type::Either(&[Type::Word(&["auto", "never"]), Type::Whole(1)]),
            "250",
            "cells, slices and levels: when the cell size is chosen again as particles grow: `\"auto\"` (from \
             time to time, and when it is no longer suitable), `\"never\"`, or a number of steps",
        )
        .usually("\"auto\"")
        .only(CONTACTS)
        .elsewhere(NOTHING_TO_SET),
    ],
);

const EVERY: Key = Key::new("every", positive(TIME), "\"1 ms\"", "the time between two frames");
const FRAMES: Key =
    Key::new("frames", Type::Whole(1), "100", "the number of frames").usually("100");

const ALL_OR_NONE: &[(Engine, &str)] = &[(
    Engine::Polygons,
    "this belongs to logs of single contacts: for polygons, the forces of all contacts are logged, or none",
)];

pub(super) static OUTPUT: Table = Table::new(
    "output",
    &[
        EVERY.without("`frames`").only(STEPPED).written_as(&["frame_every"]),
        EVERY.without("`frames`").only(GRANULAR),
        Key::new("frame_every", Type::Whole(1), "10", "the steps between two frames")
            .without("`frames`")
            .only(STEPPED)
            .elsewhere(&[(
                Engine::Granular,
                "a granular run has no time steps to count: `every = \"10 ms\"` or `frames = 100`",
            )]),
        FRAMES.only(STEPPED).written_as(&["frame_every"]),
        FRAMES.only(GRANULAR).written_as(&["every"]),
        Key::new(
            "log",
            Type::Word(&["none", "reactions", "all"]),
            "\"all\"",
            "which contacts are kept",
        )
        .usually("\"reactions\"")
        .only(BROWNIAN),
        Key::new(
            "log",
            Type::Word(&["none", "all"]),
            "\"all\"",
            "whether contacts are kept: `\"all\"` keeps every contact (for balls, with the effects of its \
             impact); for polygons, the contact forces with every frame",
        )
        .usually("\"none\"")
        .only(INERTIAL),
        Key::new(
            "log_species",
            Type::List(&Type::Text),
            "[\"A\"]",
            "keep only contacts that involve one of these species",
        )
        .without("all")
        .only(ROUND)
        .elsewhere(ALL_OR_NONE),
        Key::new(
            "log_walls",
            Type::Boolean,
            "false",
            "with `log = \"all\"`: keep contacts with faces too",
        )
        .usually("true")
        .only(ROUND)
        .elsewhere(ALL_OR_NONE),
        Key::new(
            "log_shells",
            Type::Boolean,
            "true",
            "with `log = \"all\"`: keep as well where pairs come to the edge of a shell of their potential, or \
             to the end of their tether",
        )
        .usually("false")
        .brief()
        .only(BROWNIAN),
        Key::new(
            "precision",
            Type::Word(&["single", "double"]),
            "\"double\"",
            "the precision of positions in the file",
        )
        .usually("\"single\""),
        Key::new(
            "compress",
            Type::Boolean,
            "false",
            "compress the frames, without loss: about a third of the size, for a few per cent of the time",
        )
        .usually("true")
        .only(BROWNIAN),
        Key::new("compress", Type::Boolean, "true", "compress the frames, without loss")
            .usually("false")
            .only(INERTIAL),
        Key::new(
            "counts_every",
            Type::Either(&[positive(TIME), Type::Whole(1)]),
            "\"10 us\"",
            "also counts the particles of each species at this interval, a time or a number of steps: rows \
             in `/series/counts`, without frames",
        )
        .without("never")
        .only(BROWNIAN),
    ],
);
