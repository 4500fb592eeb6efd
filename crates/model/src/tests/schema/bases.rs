//! A small model of each engine.

use crate::schema::Engine;

/// A model of each engine with as little as possible in it; one length and one time are bare.
pub(super) const BASES: [(Engine, &str); 4] = [
    (Engine::Brownian, BROWNIAN),
    (Engine::Granular, GRANULAR),
    (Engine::Polygons, POLYGONS),
    (Engine::Gas, GAS),
];

const BROWNIAN: &str = r#"
[space]
dimension = 3
edges = 2000
boundary = "reflecting"
[run]
timestep = 1
steps = 50000
[[species]]
name = "EGFR"
radius = "2 nm"
diffusion = "1 um^2/s"
count = 20
[[species]]
name = "A"
radius = "2.5 nm"
diffusion = "1 um^2/s"
count = 5
[[species]]
name = "B"
radius = "2.5 nm"
diffusion = "1 um^2/s"
count = 5
[[species]]
name = "C"
radius = "3 nm"
diffusion = "1 um^2/s"
[[species]]
name = "Dimer"
radius = "3 nm"
diffusion = "1 um^2/s"
[[surface]]
name = "cell"
sphere = { radius = "600 nm" }
[[surface]]
name = "membrane"
plane = { axis = "z", at = "1900 nm" }
[[molecule]]
name = "twin"
spheres = [{ species = "C", at = [0, 0, 0] }, { species = "C", at = [0, 0, 7] }]
count = 2
[[rule]]
name = "dimerise"
do = "bind"
merge = "coalesce"
on = ["A", "B"]
product = "Dimer"
rate = "1e6 /M/s"
[[rule]]
name = "cut"
do = "decay"
on = "A"
rate = "1 /s"
[[schedule]]
name = "stop"
at = "1 ms"
switch_off = "cut"
[[observable]]
name = "all"
patterns = ["A", "B"]
[[potential]]
name = "attract"
between = ["A", "A"]
steps = [{ to = "6 nm", energy = "1 kT" }]
"#;

const GRANULAR: &str = r#"
[space]
dimension = 2
edges = 2e8
boundary = "reflecting"
[run]
engine = "granular"
until = 1e6
[gravity]
acceleration = "1 m/s^2"
[[species]]
name = "ball"
radius = "6.5 mm"
count = 20
"#;

const POLYGONS: &str = r#"
[space]
dimension = 2
edges = 1e8
boundary = "reflecting"
[run]
engine = "polygons"
timestep = "auto"
until = 1e6
[gravity]
acceleration = "1 m/s^2"
[contact]
stiffness = "1e5 N/m"
[[species]]
name = "tile"
shape = { regular = 5, radius = "3 mm" }
density = "5000 kg/m^2"
count = 20
[[wall]]
name = "gate"
rectangle = [["40 mm", "40 mm"], ["50 mm", "45 mm"]]
"#;

const GAS: &str = r#"
[space]
dimension = 2
edges = 2e8
boundary = "reflecting"
[run]
engine = "gas"
timestep = 100
until = 1e6
[gravity]
acceleration = "1 m/s^2"
[[species]]
name = "puck"
radius = "3 mm"
mass = "2 g"
count = 20
"#;

/// A mesh of four triangles. \[µm\]
pub(super) const TETRAHEDRON: &str = "solid cell
facet normal 0 0 0\nouter loop\nvertex 0.1 0.1 0.1\nvertex 0.1 0.5 0.1\nvertex 0.5 0.1 0.1\nendloop\nendfacet
facet normal 0 0 0\nouter loop\nvertex 0.1 0.1 0.1\nvertex 0.5 0.1 0.1\nvertex 0.1 0.1 0.5\nendloop\nendfacet
facet normal 0 0 0\nouter loop\nvertex 0.1 0.1 0.1\nvertex 0.1 0.1 0.5\nvertex 0.1 0.5 0.1\nendloop\nendfacet
facet normal 0 0 0\nouter loop\nvertex 0.5 0.1 0.1\nvertex 0.1 0.5 0.1\nvertex 0.1 0.1 0.5\nendloop\nendfacet
endsolid cell
";

/// Rules.
pub(super) const SPLIT: &str = "{ name = 'dimerise', do = 'fragment', on = 'A', rate = '1 /s' }";
pub(super) const UNBIND: &str = "{ name = 'cut', do = 'unbind', of = 'dimerise', rate = '1 /s' }";
pub(super) const BOND: &str =
    "{ name = 'dimerise', do = 'bind', merge = 'bond', on = ['A', 'B'], rate = '1e6 /M/s' }";
pub(super) const AT_SITES: &str =
    "{ name = 'dimerise', reaction = 'A(s) + B(s) -> A(s!1).B(s!1)', rate = '1e6 /M/s' }";
