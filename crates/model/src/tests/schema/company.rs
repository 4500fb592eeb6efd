//! The models in which the keys of the schema are set one by one, and what has to be set with them.

use super::energies::{
    DEBYE_HUECKEL, GAUSSIAN, LENNARD_JONES, MORSE, NO_LAW, SMOOTH, SQUARE_SHOULDER, SQUARE_WELL,
    TABLE, WCA, YUKAWA,
};
use crate::schema::Engine;

const ALL: &[Engine] = &Engine::ALL;
const B: &[Engine] = &[Engine::Brownian];
const G: &[Engine] = &[Engine::Granular];
const P: &[Engine] = &[Engine::Polygons];
const D: &[Engine] = &[Engine::Gas];
const FLAT: &[Engine] = &[Engine::Granular, Engine::Polygons, Engine::Gas];

/// Which of several tables, or behind which name, keys are set.
pub(super) const HOMES: &[(&[Engine], &str, &str)] = &[
    (B, "species", "EGFR"),
    (G, "species", "ball"),
    (P, "species", "tile"),
    (D, "species", "puck"),
    (B, "species.state", "bound"),
    (B, "species.sites", "0"),
    (B, "surface", "cell"),
    (B, "surface.species", "EGFR"),
    (B, "molecule", "twin"),
    (B, "molecule.spheres", "0"),
    (B, "rule", "dimerise"),
    (B, "rule.cases", "0"),
    (B, "schedule", "stop"),
    (B, "observable", "all"),
    (B, "potential", "attract"),
    (B, "potential.steps", "0"),
    (B, "potential.table", "0"),
    (P, "wall", "gate"),
];

/// Keys that are set in another place than that.
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("rule.of", "rule.cut.of"),
    ("rule.which", "rule.cut.which"),
    ("molecule.spheres.bond", "molecule.twin.spheres.1.bond"),
];

/// Keys that may change nothing: those that say a default of an example in other words, or what
/// is to be done with a file.
pub(super) const SAME: &[&str] = &["species.placement.bonds"];

/// Engines, a key, what is set before it, and the value if it is not the example.
pub(super) type Company = (
    &'static [Engine],
    &'static str,
    &'static [(&'static str, &'static str)],
    Option<&'static str>,
);

const SPLIT: &str = "{ name = 'dimerise', do = 'fragment', on = 'A', rate = '1 /s' }";
const UNBIND: &str = "{ name = 'cut', do = 'unbind', of = 'dimerise', rate = '1 /s' }";
const BOND: &str =
    "{ name = 'dimerise', do = 'bind', merge = 'bond', on = ['A', 'B'], rate = '1e6 /M/s' }";
const TWO: &[(&str, &str)] = &[
    ("space.dimension", "2"),
    ("rule", "[]"),
    ("schedule", "[]"),
    ("molecule", "[]"),
    ("surface", "[{ name = 'cell' }]"),
];
const POINTING: &str = "[{ name = 's', direction = [1, 0, 0], opening = '30 deg' }]";
const DOCKING: &[(&str, &str)] = &[
    ("species.A.sites", POINTING),
    ("species.B.sites", POINTING),
    (
        "rule.dimerise",
        "{ name = 'dimerise', do = 'bind', merge = 'bond', on = ['A(s)', 'B(s)'], at = ['s', 's'], \
         probability = 0.1 }",
    ),
];
const NO_SHAPE: &[(&str, &str)] = &[("surface.cell", "{ name = 'cell' }")];

pub(super) const COMPANY: &[Company] = &[
    (ALL, "parameters", &[("run.seed", "$D")], Some("{ D = 7 }")),
    (ALL, "units.length", &[], Some("um")),
    (B, "units.time", &[], Some("ns")),
    (G, "units.time", &[], Some("ms")),
    (P, "units.time", &[], Some("ms")),
    (D, "units.time", &[], Some("ns")),
    (G, "output.log_species", &[], Some("['ball']")),
    (B, "output.log_shells", &[("output.log", "all")], None),
    (D, "output.log_species", &[], Some("['puck']")),
    (D, "search.cell_size", &[], Some("20 mm")),
    (B, "surface.name", &[], Some("nucleus")),
    (B, "space.dimension", &[], Some("3")),
    (B, "space.edges", &[], Some("['2 um', '2 um', '3 um']")),
    (FLAT, "space.edges", &[], Some("['200 mm', '300 mm']")),
    (G, "space.shape", &[("space.dimension", "3")], None),
    (B, "run.engine", &[], Some("\"brownian\"")),
    (P, "run.engine", &[], Some("polygons")),
    (D, "run.engine", &[], Some("gas")),
    (B, "run.timestep", &[], Some("0.5 us")),
    (D, "run.timestep", &[], Some("0.2 ms")),
    (G, "run.trajectory_clock", &[("run.trajectory_every", "5 ms")], None),
    (B, "species.drift.velocity", &[], Some("['2 um/s', '0 um/s', '0 um/s']")),
    (B, "species.drift.well.centre", &[], Some("['1 um', '1 um', '2 um']")),
    (B, "species.sites.name", &[], Some("other")),
    (B, "species.rotational_diffusion", &[("species.EGFR.sites", POINTING)], None),
    (
        B,
        "species.sites.direction",
        &[("species.EGFR.sites", "[{ name = 's', opening = '30 deg' }]")],
        None,
    ),
    (
        B,
        "species.sites.opening",
        &[("species.EGFR.sites", "[{ name = 's', direction = [1, 0, 0] }]")],
        None,
    ),
    (B, "species.sites.normal", &[("species.EGFR.sites", POINTING)], Some("[0, 1, 0]")),
    (B, "species.state", &[("species.EGFR.states", "['free', 'bound']")], None),
    (FLAT, "species.count.concentration", &[], Some("1e-9 /um^2")),
    (B, "species.count.poisson", &[("species.EGFR.count", "{ concentration = '100 nM' }")], None),
    (
        G,
        "species.count.poisson",
        &[("species.ball.count", "{ concentration = '1e-9 /um^2' }")],
        None,
    ),
    (
        D,
        "species.count.poisson",
        &[("species.puck.count", "{ concentration = '1e-9 /um^2' }")],
        None,
    ),
    (B, "species.placement.positions", &[], Some("[[100, 200, 300]]")),
    (B, "species.placement.state", &[("species.EGFR.states", "['free', 'bound']")], None),
    (
        B,
        "species.placement.bonds",
        &[("species.EGFR.placement", "{ file = 'positions.csv' }")],
        None,
    ),
    (
        B,
        "species.placement.species_number",
        &[("species.EGFR.placement", "{ file = 'numbers.csv' }")],
        None,
    ),
    (
        P,
        "species.placement.corner",
        &[("species.tile.placement", "{ picture = ['# #'], pitch = '9 mm' }")],
        None,
    ),
    (
        P,
        "species.placement.pitch",
        &[("species.tile.placement", "{ picture = ['# #'], corner = ['10 mm', '50 mm'] }")],
        None,
    ),
    (
        P,
        "species.placement.picture",
        &[("species.tile.placement", "{ corner = ['10 mm', '50 mm'], pitch = '9 mm' }")],
        None,
    ),
    (
        G,
        "species.placement.bonds",
        &[("species.ball.placement", "{ file = 'positions.csv' }")],
        None,
    ),
    (
        G,
        "species.placement.species_number",
        &[("species.ball.placement", "{ file = 'numbers.csv' }")],
        None,
    ),
    (
        D,
        "species.placement.bonds",
        &[("species.puck.placement", "{ file = 'positions.csv' }")],
        None,
    ),
    (
        D,
        "species.placement.species_number",
        &[("species.puck.placement", "{ file = 'numbers.csv' }")],
        None,
    ),
    (P, "species.region.from", &[], Some("['10 mm', '0 mm']")),
    (P, "species.region.to", &[], Some("['60 mm', '70 mm']")),
    (B, "species.faces", &[("species.EGFR.on", "cell")], None),
    (P, "species.shape.radius", &[("species.tile.shape", "{ regular = 6 }")], Some("4 mm")),
    (P, "species.shape.regular", &[("species.tile.shape", "{ radius = '3 mm' }")], None),
    (P, "species.shape.random", &[("species.tile.shape", "{ radius = '3 mm' }")], None),
    (P, "species.shape.sides", &[("species.tile.shape", "{ ellipse = ['3 mm', '2 mm'] }")], None),
    (P, "species.shape.aspect", &[("species.tile.shape", "{ random = 6, radius = '3 mm' }")], None),
    (P, "species.shape.corners", &[("species.tile.shape", "{}")], None),
    (P, "species.shape.rectangle", &[("species.tile.shape", "{}")], None),
    (P, "species.shape.ellipse", &[("species.tile.shape", "{}")], None),
    (P, "species.shape.disk", &[("species.tile.shape", "{}")], None),
    (B, "surface.sphere.centre", &[], Some("['1 um', '1 um', '1.1 um']")),
    (B, "surface.cylinder.centre", &[], Some("['1 um', '1 um', '1.1 um']")),
    (B, "surface.plane", NO_SHAPE, None),
    (B, "surface.circle", TWO, None),
    (B, "surface.cylinder", NO_SHAPE, None),
    (B, "surface.mesh", NO_SHAPE, None),
    (B, "surface.mesh.scale", &[], Some("[0.9, 0.8, 0.7]")),
    (
        B,
        "surface.mesh.vertices",
        &[("surface.cell.mesh", "{ facets = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }")],
        None,
    ),
    (
        B,
        "surface.mesh.facets",
        &[(
            "surface.cell.mesh",
            "{ vertices = [[100, 100, 100], [500, 100, 100], [100, 500, 100], [100, 100, 500]] }",
        )],
        None,
    ),
    (B, "surface.polygon", TWO, None),
    (
        B,
        "molecule.chain",
        &[("molecule.twin", "{ name = 'twin', tether = '20 nm', count = 2 }")],
        Some("{ species = 'C', length = 5 }"),
    ),
    (
        B,
        "molecule.chain.species",
        &[(
            "molecule.twin",
            "{ name = 'twin', tether = '20 nm', chain = { length = 3 }, count = 2 }",
        )],
        Some("C"),
    ),
    (
        B,
        "molecule.chain.length",
        &[(
            "molecule.twin",
            "{ name = 'twin', tether = '20 nm', chain = { species = 'C' }, count = 2 }",
        )],
        None,
    ),
    (B, "potential.name", &[], Some("repel")),
    (B, "potential.between", &[], Some("['A', 'A']")),
    (B, "potential.square_well", NO_LAW, None),
    (B, "potential.square_well.to", &[SQUARE_WELL], None),
    (B, "potential.square_well.depth", &[SQUARE_WELL], Some("2 kT")),
    (B, "potential.square_shoulder", NO_LAW, None),
    (B, "potential.square_shoulder.to", &[SQUARE_SHOULDER], None),
    (B, "potential.square_shoulder.height", &[SQUARE_SHOULDER], Some("3 kT")),
    (B, "potential.yukawa", SMOOTH, None),
    (B, "potential.yukawa.strength", &[YUKAWA], None),
    (B, "potential.yukawa.length", &[YUKAWA], Some("2 nm")),
    (B, "potential.debye_hueckel", SMOOTH, None),
    (B, "potential.debye_hueckel.charge_product", &[DEBYE_HUECKEL], Some("-6")),
    (B, "potential.debye_hueckel.salt", &[DEBYE_HUECKEL], Some("0.2 M")),
    (B, "potential.debye_hueckel.bjerrum_length", &[DEBYE_HUECKEL], None),
    (B, "potential.wca", SMOOTH, None),
    (B, "potential.wca.depth", &[WCA], Some("2 kT")),
    (B, "potential.wca.diameter", &[WCA], Some("5.5 nm")),
    (B, "potential.morse", SMOOTH, None),
    (B, "potential.morse.depth", &[MORSE], Some("2 kT")),
    (B, "potential.morse.width", &[MORSE], Some("2 nm")),
    (B, "potential.morse.distance", &[MORSE], None),
    (B, "potential.gaussian", SMOOTH, None),
    (B, "potential.gaussian.height", &[GAUSSIAN], Some("-2 kT")),
    (B, "potential.gaussian.width", &[GAUSSIAN], Some("2 nm")),
    (B, "potential.gaussian.distance", &[GAUSSIAN], None),
    (B, "potential.lennard_jones", SMOOTH, None),
    (B, "potential.lennard_jones.depth", &[LENNARD_JONES], Some("2 kT")),
    (B, "potential.lennard_jones.diameter", &[LENNARD_JONES], Some("5.1 nm")),
    (B, "potential.table", SMOOTH, None),
    (B, "potential.table.at", &[TABLE], Some("5.5 nm")),
    (B, "potential.table.energy", &[TABLE], None),
    (B, "potential.cutoff", &[YUKAWA], Some("9 nm")),
    (B, "potential.law", &[YUKAWA], Some("bounces")),
    (B, "potential.shells", &[YUKAWA], None),
    (
        B,
        "surface.species.permeability_outwards",
        &[("surface.cell.species.EGFR.permeability", "1 um/s")],
        None,
    ),
    (
        B,
        "surface.species.affinity",
        &[("surface.cell.species.EGFR.diffusion_inside", "0.1 um^2/s")],
        None,
    ),
    (
        B,
        "rule.reaction",
        &[("rule.dimerise", "{ name = 'dimerise', k_on = '1e6 /M/s' }"), ("schedule", "[]")],
        Some("A + B -> C"),
    ),
    (B, "molecule.name", &[], Some("Pair")),
    (B, "molecule.spheres.species", &[], Some("A")),
    (B, "molecule.spheres.at", &[], Some("['0 nm', '-3 nm', '0 nm']")),
    (B, "surface.meets", &[("molecule", "[]")], None),
    (
        B,
        "molecule.spheres.bond",
        &[
            (
                "rule",
                "[{ name = 'dimerise', do = 'bind', merge = 'bond', on = ['C', 'C'], rate = '1e6 /M/s' }]",
            ),
            ("schedule", "[]"),
            (
                "molecule.twin.spheres",
                "[{ species = 'C', at = [0, 0, 0] }, { species = 'C', at = [0, 0, 6] }]",
            ),
        ],
        Some("'dimerise'"),
    ),
    (B, "molecule.spheres.turn.axis", &[("molecule.twin.spheres.0.turn.angle", "'1 rad'")], None),
    (B, "molecule.spheres.turn.angle", &[("molecule.twin.spheres.0.turn.axis", "[0, 0, 1]")], None),
    (B, "rule.on", &[("rule.dimerise", BOND)], None),
    (
        B,
        "rule.products",
        &[(
            "rule.dimerise",
            "{ name = 'dimerise', do = 'convert', on = ['A', 'B'], rate = '1e6 /M/s' }",
        )],
        Some("['C']"),
    ),
    (
        B,
        "rule.cases",
        &[(
            "rule.dimerise",
            "{ name = 'dimerise', do = 'bind', merge = 'bond', rate = '1e6 /M/s' }",
        )],
        None,
    ),
    (
        B,
        "rule.cases.products",
        &[
            ("rule.dimerise.do", "convert"),
            (
                "rule.dimerise",
                "{ name = 'dimerise', do = 'convert', cases = [{ on = ['A', 'B'] }], rate = '1e6 /M/s' }",
            ),
        ],
        None,
    ),
    (
        B,
        "rule.cases.product",
        &[(
            "rule.dimerise",
            "{ name = 'dimerise', do = 'bind', merge = 'coalesce', cases = [{ on = ['A', 'B'] }], rate = '1e6 /M/s' }",
        )],
        None,
    ),
    (
        B,
        "rule.cases.at",
        &[
            ("species.A.sites", "[{ name = 'b' }, { name = 'c' }]"),
            ("species.B.sites", "[{ name = 'a' }]"),
            (
                "rule.dimerise",
                "{ name = 'dimerise', do = 'bind', merge = 'bond', cases = [{ on = ['A(c)', 'B(a)'], at = ['c', 'a'] }], \
                 rate = '1e6 /M/s' }",
            ),
        ],
        None,
    ),
    (B, "rule.snap", DOCKING, None),
    (B, "rule.torsion", DOCKING, None),
    (
        B,
        "rule.torsion_opening",
        &[DOCKING[0], DOCKING[1], DOCKING[2], ("rule.dimerise.torsion", "'1 rad'")],
        None,
    ),
    (B, "rule.close_rate", DOCKING, None),
    (
        B,
        "rule.tolerance",
        &[DOCKING[0], DOCKING[1], DOCKING[2], ("rule.dimerise.close_rate", "'1 /s'")],
        None,
    ),
    (B, "rule.merge", &[("rule.dimerise", BOND)], None),
    (
        B,
        "rule.length",
        &[
            ("molecule", "[]"),
            (
                "rule.dimerise",
                "{ name = 'dimerise', do = 'bind', merge = 'tether', on = ['A', 'B'], rate = '1e6 /M/s' }",
            ),
        ],
        None,
    ),
    (B, "rule.rate", &[], Some("2e6 /M/s")),
    (B, "rule.max_bonds", &[("rule.dimerise", BOND)], None),
    (B, "rule.k_off", &[("rule.dimerise.k_on", "1e6 /M/s")], None),
    (B, "rule.K_D", &[("rule.dimerise.k_on", "1e6 /M/s")], None),
    (
        B,
        "rule.back",
        &[("rule.dimerise", "{ name = 'dimerise', reaction = 'A <-> B', rate = '1 /s' }")],
        None,
    ),
    (
        B,
        "rule.reversible",
        &[(
            "rule.dimerise",
            "{ name = 'dimerise', do = 'convert', on = 'A', products = ['B'], rate = '1 /s' }",
        )],
        None,
    ),
    (
        B,
        "rule.removes",
        &[("rule.dimerise", "{ name = 'dimerise', do = 'decay', on = 'A', rate = '1 /s' }")],
        None,
    ),
    (B, "rule.of", &[("rule.cut", "{ name = 'cut', do = 'unbind', rate = '1 /s' }")], None),
    (B, "rule.which", &[("rule.dimerise", BOND), ("rule.cut", UNBIND)], None),
    (B, "rule.at", &[("rule.dimerise", SPLIT)], None),
    (B, "rule.minimum", &[("rule.dimerise", SPLIT)], None),
    (B, "rule.dissolve", &[("rule.dimerise", SPLIT)], Some("B")),
    (B, "rule.region.inside", &[("rule.dimerise.region", "{}")], None),
    (B, "rule.region.outside", &[("rule.dimerise.region", "{}")], None),
    (B, "rule.region.above", &[("rule.dimerise.region", "{}")], None),
    (B, "rule.region.below", &[("rule.dimerise.region", "{}")], None),
    (
        B,
        "schedule.set.k_on",
        &[("rule.dimerise.k_on", "1e6 /M/s"), ("schedule.stop.set", "{ rule = 'dimerise' }")],
        Some("2e6 /M/s"),
    ),
    (
        B,
        "schedule.set.probability",
        &[("rule.dimerise.probability", "0.2"), ("schedule.stop.set", "{ rule = 'dimerise' }")],
        None,
    ),
    (
        B,
        "schedule.set.k_off",
        &[
            ("rule.dimerise.k_on", "1e6 /M/s"),
            ("rule.cut", "{ name = 'cut', do = 'unbind', of = 'dimerise', k_off = '1 /s' }"),
            ("schedule.stop.set", "{ rule = 'cut' }"),
        ],
        None,
    ),
    (B, "schedule.set.factor", &[("schedule.stop.set", "{ rule = 'cut', rate = '1 /s' }")], None),
    (B, "schedule.divide.axis", &[("schedule.stop.divide.volume_fraction", "0.4")], None),
    (
        B,
        "clusters.bonds",
        &[
            ("rule.dimerise", BOND),
            ("species.A.placement", "{ positions = [[100, 100, 100]] }"),
            ("species.B.placement", "{ positions = [[105, 100, 100]] }"),
        ],
        Some("[['A', 1, 'B', 1, 'dimerise']]"),
    ),
    (B, "clusters.mobility.saffman_delbruck", &TWO_DIMENSIONS, None),
    (
        G,
        "gravity.amplitude",
        &[("gravity.frequency", "20 Hz"), ("run.trajectory_every", "5 ms")],
        None,
    ),
    (
        G,
        "gravity.frequency",
        &[("gravity.amplitude", "1 m/s^2"), ("run.trajectory_every", "5 ms")],
        None,
    ),
    (
        G,
        "gravity.phase",
        &[
            ("gravity.amplitude", "1 m/s^2"),
            ("gravity.frequency", "20 Hz"),
            ("run.trajectory_every", "5 ms"),
        ],
        None,
    ),
    (
        G,
        "shaking",
        &[("shaking", "{ amplitude = '3 mm', frequency = '10 Hz' }")],
        Some("{ amplitude = '3 mm', frequency = '10 Hz' }"),
    ),
    (G, "drag.rate", &[("run.trajectory_every", "5 ms")], None),
    (
        G,
        "field",
        &[
            ("run.trajectory_every", "5 ms"),
            ("field", "{ centre = ['90 mm', '90 mm'], rate = '2 /s' }"),
        ],
        Some("{ centre = ['90 mm', '90 mm'], rate = '2 /s' }"),
    ),
    (G, "collisions.coefficient", &[("collisions.restitution", "constant")], None),
    (P, "contact.restitution.coefficient", &[("contact.restitution", "{ speed = '1 m/s' }")], None),
    (P, "contact.restitution.speed", &[("contact.restitution", "{ coefficient = 0.6 }")], None),
    (P, "wall", &[], Some("[]")),
    (P, "wall.shape", &[("wall.gate", "{ name = 'gate', position = ['30 mm', '30 mm'] }")], None),
    (
        P,
        "wall.thickness",
        &[("wall.gate", "{ name = 'gate', segment = [['10 mm', '10 mm'], ['20 mm', '15 mm']] }")],
        None,
    ),
    (P, "wall.segment", &[("wall.gate.thickness", "4 mm")], None),
    (P, "wall.position", &[("wall.gate", "{ name = 'gate', shape = { disk = '5 mm' } }")], None),
    (
        P,
        "wall.angle",
        &[(
            "wall.gate",
            "{ name = 'gate', shape = { regular = 6, radius = '5 mm' }, position = ['30 mm', '30 mm'] }",
        )],
        None,
    ),
    (P, "wall.drive.rotation", &[("wall.gate.drive.centre", "['60 mm', '60 mm']")], None),
    (P, "wall.drive.centre", &[("wall.gate.drive", "{ rotation = '10 rpm' }")], None),
    (P, "wall.drive.oscillation", &[("wall.gate.drive", "{ frequency = '20 Hz' }")], None),
    (P, "wall.drive.frequency", &[("wall.gate.drive", "{ oscillation = ['5 mm', '0 mm'] }")], None),
    (
        P,
        "wall.drive.phase",
        &[("wall.gate.drive", "{ oscillation = ['5 mm', '0 mm'], frequency = '20 Hz' }")],
        None,
    ),
    (P, "wall.drive.force", &[("wall.gate.drive", "{ mass = '1 kg' }")], None),
    (P, "wall.drive.mass", &[("wall.gate.drive", "{ force = ['0 N', '-1 N'] }")], None),
];

const TWO_DIMENSIONS: [(&str, &str); 5] = [
    ("space.dimension", "2"),
    ("rule", "[]"),
    ("schedule", "[]"),
    ("surface", "[]"),
    ("molecule", "[]"),
];
