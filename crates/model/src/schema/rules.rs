//! `[[rule]]`, `[[schedule]]` and `[clusters]`: what happens at contacts, in time, and by the
//! clock.

use crate::units::Wanted;

use super::surfaces::REGION;
use super::types::{
    ANGLE, AXIS, Key, LENGTH, NAMES, NUMBER, RATE, TIME, Table, Type, not_negative, positive,
};

/// The rate of what happens at a contact, or in time.
const ANY_RATE: Type = Type::Either(&[
    RATE,
    Type::InSpace(Wanted::contact_rate),
    Type::InSpace(Wanted::creation_rate),
]);
const CONTACT_RATE: Type = Type::InSpace(Wanted::contact_rate);
const SIZE: Type = Type::Either(&[Type::Text, Type::Whole(1)]);

pub(crate) static RULE: Table = Table::new(
    "rule",
    &[
        Key::new("name", Type::Text, "\"dimerise\"",
            "one word; it appears in the log and in reports; for a `reaction`, derived from it if absent")
            .needed(),
        Key::new(
            "reaction",
            Type::Text,
            "\"A + B <-> C\"",
            "instead of `do`, `on` and products: a reaction in one line",
        )
        .see("In one line")
        .written_as(&["do"]),
        Key::new(
            "do",
            Type::Word(&[
                "bounce", "pass", "ignore", "bind", "convert", "annihilate", "fragment", "unbind",
                "decay", "create",
            ]),
            "\"bind\"",
            "what happens",
        )
        .needed()
        .see("Rules"),
        Key::new("on", NAMES, "[\"EGFR\", \"EGFR\"]",
            "the species: two partners for an event at contact, one for an event in time")
            .without("needed, except for `unbind` and `create`"),
        Key::new("products", Type::List(&Type::Text), "[\"B\"]", "`convert`: what they become; `[]` for nothing; `bind` and `unbind` of molecules with sites: what becomes of \
             the two if their states change")
            .without("needed by `convert`"),
        Key::new("product", Type::Text, "\"Dimer\"",
            "`bind` with `coalesce`: what they become; `create`: the species that is created")
            .without("needed there"),
        Key::new(
            "cases",
            Type::List(&Type::Table(&CASE)),
            "[{ on = [\"A\", \"B\"] }]",
            "instead of `on` and products, several of them: `[{ on = [..], products = [..] }, ..]`",
        )
        .written_as(&["on"]),
        Key::new(
            "merge",
            Type::Word(&["bond", "coalesce", "tether"]),
            "\"bond\"",
            "`bind`: a rigid bond between two particles that keep their species, one sphere instead of two, or a tether \
             that leaves both free to move",
        )
        .without("needed by `bind`"),
        Key::new("length", positive(LENGTH), "\"12 nm\"",
            "`bind` with `tether`: how far apart the centres of the two can be, and within which distance they become tethered")
            .without("needed there")
            .see("Tethers that form and break"),
        Key::new("rate", ANY_RATE, "\"0.1 /s\"", "at contact: the intrinsic rate constant *k*_a; in time: the rate")
            .without("one of `rate`, `k_on` and `probability` is needed; in time, `rate`"),
        Key::new("k_on", CONTACT_RATE, "\"1e6 /M/s\"",
            "at contact, in 3D: the macroscopic rate constant, as found in the literature"),
        Key::new("probability", NUMBER, "0.1", "at contact: the probability, independent of the time step"),
        Key::new(
            "cluster_size",
            Type::Either(&[Type::Text, Type::Whole(1), Type::List(&SIZE)]),
            "\"1..4\"",
            "the allowed number of particles in the cluster of each partner: `[\"1..4\", \"2..\"]`, or one text \
             for both (in time, for the one); both ends are included, `\"3\"` means exactly three",
        )
        .without("any"),
        Key::new(
            "max_bonds",
            Type::Either(&[Type::Whole(1), Type::List(&Type::Whole(1))]),
            "[1, 2]",
            "`bind` with `bond`: the maximum number of bonds of each partner afterwards",
        )
        .without("any"),
        Key::new("snap", Type::Boolean, "false",
            "`bind` at sites that point somewhere: whether the smaller cluster is moved so that the two sites are in \
             line")
            .usually("true")
            .see("Sites that point somewhere"),
        Key::new("torsion", ANGLE, "\"30 deg\"",
            "`bind` at such sites: the angle from the `normal` of the first site to that of the second, about the line of centres")
            .without("it stays as it is at contact"),
        Key::new("torsion_opening", ANGLE, "\"20 deg\"", "how far from `torsion` it may be at contact")
            .without("180 deg"),
        Key::new("close_rate", RATE, "\"1e4 /s\"",
            "`bind` at such sites: the rate at which two of one cluster bind that are in line, so that a ring closes")
            .without("rings stay open"),
        Key::new("tolerance", ANGLE, "\"2 deg\"", "with `close_rate`: how far the two may be off the line")
            .usually("\"5 deg\""),
        Key::new(
            "during",
            Type::List(&Type::Either(&[not_negative(TIME), Type::List(&not_negative(TIME))])),
            "[\"0 s\", \"1 s\"]",
            "the time window in which the rule applies, or a list of such windows",
        )
        .without("always"),
        Key::new(
            "k_off",
            RATE,
            "\"0.1 /s\"",
            "`bind`, with `k_on`: short for an unbind rule with this macroscopic rate, named after it \
             (`NAME_unbind`); `unbind`: the macroscopic rate",
        )
        .without("none")
        .see("Rules"),
        Key::new(
            "K_D",
            Type::InSpace(Wanted::concentration),
            "\"100 nM\"",
            "the same, given by the dissociation constant, with `k_on` or `rate`",
        )
        .without("none")
        .written_as(&["k_off", "rate"]),
        Key::new(
            "unbind",
            RATE,
            "\"0.1 /s\"",
            "`bind`: the same with the intrinsic rate, with `rate` or `probability`",
        )
        .without("none")
        .written_as(&["rate"]),
        Key::new(
            "back",
            Type::Either(&[RATE, Type::InSpace(Wanted::creation_rate)]),
            "\"0.1 /s\"",
            "`reaction` with `<->` and one reactant or none: the rate of the reverse reaction",
        )
        .without("needed there")
        .written_as(&["rate"]),
        Key::new(
            "concentration",
            Type::InSpace(Wanted::concentration),
            "\"1 uM\"",
            "`reaction = \"0 <-> A\"`, in place of `rate`: the concentration that is held, in the `region` if there is one",
        )
        .without("`rate` and `back` say it")
        .see("Hold a concentration")
        .written_as(&["rate"]),
        Key::new(
            "reversible",
            Type::Boolean,
            "true",
            "`convert` of one particle into one other: whether this is one way of a reaction there and back, and so \
             weighed with energies, as `reaction` with `<->` is",
        )
        .usually("false")
        .see("Attraction and repulsion"),
        Key::new(
            "removes",
            Type::Word(&["molecules", "complexes"]),
            "\"complexes\"",
            "where molecules go: whether only these go, and what is bound to them is free, or their whole complexes",
        )
        .usually("\"molecules\"")
        .see("Molecules with sites"),
        Key::new("of", NAMES, "\"dimerise\"",
            "`unbind`: the name of the bind rule that it undoes; with `on`, one or more of those that make such bonds")
            .without("needed there, except with `on`"),
        Key::new(
            "which",
            Type::Word(&["any", "end", "all"]),
            "\"end\"",
            "`unbind` of bonds: `\"any\"` (each at this rate), `\"end\"` (only those at an end of the chain) or \
             `\"all\"` (the whole cluster at once)",
        )
        .usually("\"any\""),
        Key::new(
            "at",
            Type::Either(&[Type::Word(&["any", "end"]), Type::List(&Type::Text)]),
            "\"end\"",
            "`fragment`: a cut at `\"any\"` bond, with equal probability, or at an `\"end\"`; `bind` of molecules \
             with sites: the site of each that binds, `[\"b\", \"a\"]`",
        )
        .usually("\"any\""),
        Key::new("minimum", Type::Whole(1), "3", "`fragment`: pieces with fewer particles fall apart into single ones")
            .usually("1"),
        Key::new("dissolve", Type::Text, "\"A\"", "`fragment`: what those single particles become")
            .without("what they were"),
        Key::new(
            "region",
            Type::Table(&REGION),
            "{ from = [\"0 nm\", \"0 nm\", \"0 nm\"], to = [\"100 nm\", \"100 nm\", \"100 nm\"] }",
            "`create`: where particles are created; otherwise where a particle must be for a rule in time to apply, \
             or where the two must touch",
        )
        .without("anywhere"),
    ],
);

static CASE: Table = Table::new(
    "case",
    &[
        Key::new("on", NAMES, "[\"A\", \"B\"]", "the species").needed().written_as(&["rule.on"]),
        Key::new("products", Type::List(&Type::Text), "[\"B\"]", "what they become")
            .without("as for the rule")
            .written_as(&["rule.products"]),
        Key::new("product", Type::Text, "\"C\"", "what they become")
            .without("as for the rule")
            .written_as(&["rule.product"]),
        Key::new("at", Type::List(&Type::Text), "[\"b\", \"a\"]", "the site of each that binds")
            .without("as for the rule")
            .written_as(&["rule.at"]),
    ],
);

pub(super) static SCHEDULE: Table = Table::new(
    "schedule",
    &[
        Key::new(
            "name",
            Type::Text,
            "\"guanidine\"",
            "one word, different from the names of rules",
        )
        .without("`schedule_1` and so on"),
        Key::new("at", not_negative(TIME), "\"2 s\"", "when it happens").needed(),
        Key::new(
            "every",
            positive(TIME),
            "\"90 s\"",
            "the time after which it happens again, repeatedly",
        )
        .without("once only"),
        Key::new(
            "set",
            Type::Table(&SET),
            "{ rule = \"cut\", rate = \"2 /s\" }",
            "gives a rule a new value of its rate constant or probability",
        )
        .without("one of these five is needed"),
        Key::new("switch_on", Type::Text, "\"cut\"", "switches this rule or potential on"),
        Key::new("switch_off", Type::Text, "\"cut\"", "switches this rule or potential off"),
        Key::new(
            "add",
            Type::Table(&ADD),
            "{ species = \"A\", count = 10 }",
            "adds particles at random",
        ),
        Key::new("divide", Type::Table(&DIVIDE), "{ keep = 0.5 }", "divides the cell"),
    ],
);

static SET: Table = Table::new(
    "set",
    &[
        Key::new("rule", Type::Text, "\"cut\"", "the rule").needed(),
        Key::new("rate", ANY_RATE, "\"2 /s\"", "its rate")
            .without("the key that the rule uses is needed"),
        Key::new("k_on", CONTACT_RATE, "\"1e6 /M/s\"", "its macroscopic rate constant"),
        Key::new("probability", NUMBER, "0.1", "its probability"),
        Key::new("k_off", RATE, "\"0.1 /s\"", "its macroscopic rate of unbinding"),
        Key::new(
            "factor",
            Type::Text,
            "\"1/(1 + A/100)\"",
            "a formula by which this value is multiplied each time: of numbers of particles, of what is observed \
             (`[[observable]]`) and of the `time` in seconds",
        )
        .without("1")
        .see("Rates that follow numbers"),
    ],
);

pub(super) static OBSERVABLE: Table = Table::new(
    "observable",
    &[
        Key::new("name", Type::Text, "\"bound\"", "one word of letters, digits and `_`").needed(),
        Key::new(
            "count",
            Type::Word(&["particles", "clusters"]),
            "\"clusters\"",
            "what is counted: particles, each as often as a pattern fits it, or clusters that hold any such particle",
        )
        .usually("\"particles\""),
        Key::new(
            "patterns",
            NAMES,
            "[\"A\"]",
            "species, `\"EGFR{bound}\"`, or molecules in BioNetGen's notation, `\"EGFR(l!1).EGF(r!1)\"`, \
             which are counted together",
        )
        .needed(),
    ],
);

static ADD: Table = Table::new(
    "add",
    &[
        Key::new("species", Type::Text, "\"A\"", "the species").needed(),
        Key::new("count", Type::Whole(1), "10", "the number of particles").needed(),
        Key::new("region", Type::Table(&REGION), "{ inside = \"cell\" }", "where they are placed")
            .without("anywhere"),
    ],
);

static DIVIDE: Table = Table::new(
    "divide",
    &[
        Key::new("keep", NUMBER, "0.5", "the probability that a particle stays")
            .without("`volume_fraction`"),
        Key::new("volume_fraction", NUMBER, "0.4", "the part of the box in which particles stay")
            .without("`keep`"),
        Key::new(
            "axis",
            AXIS,
            "\"y\"",
            "with `volume_fraction`: the axis at right angles to the cut",
        )
        .usually("\"x\""),
    ],
);

pub(super) static CLUSTERS: Table = Table::new(
    "clusters",
    &[
        Key::new(
            "mobility",
            Type::Either(&[Type::Word(&["stokes", "rouse", "immobile"]), Type::Table(&MOBILITY)]),
            "\"rouse\"",
            "how fast clusters diffuse",
        )
        .usually("\"stokes\"")
        .see("Clusters"),
        Key::new(
            "bonds",
            Type::List(&Type::List(&Type::Either(&[Type::Text, Type::Whole(1)]))),
            "[[\"A\", 1, \"B\", 7, \"bind\"]]",
            "bonds at the start, between particles with given positions",
        )
        .without("taken from position files")
        .see("Bonds at the start"),
    ],
);

static MOBILITY: Table = Table::new(
    "mobility",
    &[
        Key::new(
            "saffman_delbruck",
            Type::Table(&MEMBRANE),
            "{ length = \"1 um\" }",
            "the law of disks in a membrane, in 2D",
        ),
        Key::new(
            "table",
            Type::List(&not_negative(NUMBER)),
            "[1.0, 0.5]",
            "the factor for clusters of 1, 2, .. particles",
        ),
    ],
);

static MEMBRANE: Table = Table::new(
    "saffman_delbruck",
    &[Key::new(
        "length",
        positive(LENGTH),
        "\"1 um\"",
        "membrane viscosity x thickness / (2 x water viscosity)",
    )
    .needed()],
);
