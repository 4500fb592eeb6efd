//! Tables 1 to 5 of Gavrilova et al. 2003 as they are printed, and what has to be known besides to
//! run them.
//!
//! The radii are printed, the packing is too; the number of cells along an edge follows from the
//! printed collision checks. Times are seconds on the machine of 2003.

use super::placement::Placing;

/// How the balls of a column are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// By the rule that gives the packings of the paper, see `placement`.
    Room,
    /// On a square lattice: no random placement is as dense.
    Lattice,
    /// One ball of the largest radius, and the others on a triangular lattice around it.
    Around,
}

/// What Tables 2 and 4 print of a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedRow {
    /// The structure, by our name.
    pub structure: &'static str,
    /// Elapsed time. \[s\]
    pub time: f64,
    /// Topological events.
    pub topological: f64,
    /// Collision checks.
    pub checks: f64,
}

/// A column of Table 1, 3 or 5, with what Table 2 or 4 says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// The number of the table.
    pub table: u8,
    /// Within its table.
    pub name: &'static str,
    /// How many balls.
    pub balls: usize,
    /// Least and greatest radius. \[mm\]
    pub radii: [f64; 2],
    /// The printed share of the area.
    pub packing: f64,
    /// How far from it a placement may be.
    pub tolerance: f64,
    /// \[s\]
    pub duration: f64,
    /// How the balls are placed.
    pub start: Start,
    /// Cells along an edge that the printed checks imply, where that is not what the largest
    /// possible ball would allow: the largest ball must be small enough for them.
    pub cells: Option<u32>,
    /// Collisions, with balls and walls.
    pub collisions: f64,
    /// Predict-trajectory events.
    pub predicted: f64,
    /// Of Table 2 or 4.
    pub rows: &'static [PrintedRow],
}

const fn row(structure: &'static str, time: f64, topological: f64, checks: f64) -> PrintedRow {
    PrintedRow { structure, time, topological, checks }
}

const MONO_5: &[PrintedRow] = &[
    row("direct", 1114.61, 0.0, 20_645_172.0),
    row("cubic", 96.50, 1718.0, 93_137.0),
    row("tree", 103.04, 1718.0, 93_137.0),
    row("segments", 106.94, 13_038.0, 11_542.0),
    row("laguerre", 304.84, 778.0, 1_926_240.0),
];
const MONO_33: &[PrintedRow] = &[
    row("direct", 1218.85, 0.0, 20_783_008.0),
    row("cubic", 117.71, 582.0, 625_788.0),
    row("tree", 128.36, 582.0, 625_788.0),
    row("segments", 121.72, 13_362.0, 116_468.0),
    row("laguerre", 312.64, 601.0, 1_925_194.0),
];
const MONO_70: &[PrintedRow] = &[
    row("direct", 1255.10, 0.0, 21_899_782.0),
    row("cubic", 166.15, 759.0, 1_443_880.0),
    row("tree", 171.81, 759.0, 1_443_880.0),
    row("segments", 151.87, 30_094.0, 337_770.0),
    row("laguerre", 333.89, 770.0, 1_979_036.0),
];
const POLY_5: &[PrintedRow] = &[
    row("direct", 1332.66, 0.0, 20_657_627.0),
    row("cubic", 103.26, 1161.0, 298_667.0),
    row("tree", 111.99, 1161.0, 298_667.0),
    row("segments", 109.68, 12_432.0, 14_154.0),
    row("laguerre", 303.85, 881.0, 1_934_517.0),
];
const POLY_33: &[PrintedRow] = &[
    row("direct", 1284.71, 0.0, 20_741_959.0),
    row("cubic", 242.66, 257.0, 3_648_103.0),
    row("tree", 247.72, 257.0, 3_648_103.0),
    row("segments", 121.77, 11_050.0, 91_584.0),
    row("laguerre", 318.73, 626.0, 1_934_358.0),
];
const POLY_70: &[PrintedRow] = &[
    row("direct", 1690.39, 0.0, 27_485_297.0),
    row("cubic", 1880.48, 30.0, 27_358_811.0),
    row("tree", 1922.31, 30.0, 27_358_811.0),
    row("segments", 395.65, 36_450.0, 575_909.0),
    row("laguerre", 397.27, 735.0, 2_221_611.0),
];

const fn mono(
    name: &'static str,
    packing: f64,
    radius: f64,
    counts: [f64; 2],
    rows: &'static [PrintedRow],
) -> Column {
    Column {
        table: 1,
        name,
        balls: 100,
        radii: [radius; 2],
        packing,
        tolerance: 0.01,
        duration: 10.0,
        start: if radius > 9.0 { Start::Lattice } else { Start::Room },
        cells: None,
        collisions: counts[0],
        predicted: counts[1],
        rows,
    }
}

const fn poly(
    name: &'static str,
    packing: f64,
    radii: [f64; 2],
    counts: [f64; 2],
    rows: &'static [PrintedRow],
) -> Column {
    let start = if radii[1] > 40.0 { Start::Around } else { Start::Room };
    Column { table: 3, radii, start, ..mono(name, packing, 0.0, counts, rows) }
}

const fn growing(name: &'static str, balls: usize, packing: f64, counts: [f64; 2]) -> Column {
    let column = mono(name, packing, 0.0, counts, &[]);
    Column { table: 5, balls, radii: [5.0, 10.0], tolerance: 0.006, duration: 2.0, ..column }
}

/// All columns. Table 5 ran for 2 s: its predict-trajectory events are about 401 for each ball.
pub const COLUMNS: [Column; 20] = [
    mono("5 %", 0.05, 2.5, [174.0, 199_855.0], MONO_5),
    mono("20 %", 0.20, 5.0, [387.0, 199_459.0], &[]),
    mono("33 %", 0.33, 6.5, [661.0, 198_941.0], MONO_33),
    mono("50 %", 0.50, 8.0, [1143.0, 198_009.0], &[]),
    mono("70 %", 0.70, 9.5, [4170.0, 192_371.0], MONO_70),
    poly("5 %", 0.05, [0.4, 4.0], [189.0, 199_816.0], POLY_5),
    poly("20 %", 0.20, [1.0, 10.0], [375.0, 199_416.0], &[]),
    Column { cells: Some(6), ..poly("33 %", 0.33, [1.8, 18.0], [488.0, 199_209.0], POLY_33) },
    Column { tolerance: 0.03, ..poly("50 %", 0.50, [3.0, 27.0], [695.0, 198_912.0], &[]) },
    poly("70 %", 0.70, [7.5, 50.0], [3127.0, 220_282.0], POLY_70),
    growing("10 balls", 10, 0.045, [3.0, 4014.0]),
    growing("20 balls", 20, 0.085, [5.0, 8021.0]),
    growing("30 balls", 30, 0.125, [8.0, 12_026.0]),
    growing("40 balls", 40, 0.150, [24.0, 16_006.0]),
    growing("50 balls", 50, 0.200, [31.0, 20_000.0]),
    growing("60 balls", 60, 0.230, [52.0, 23_985.0]),
    growing("70 balls", 70, 0.265, [47.0, 27_972.0]),
    growing("80 balls", 80, 0.310, [79.0, 31_902.0]),
    growing("90 balls", 90, 0.335, [121.0, 35_871.0]),
    growing("100 balls", 100, 0.350, [128.0, 39_854.0]),
];

/// The edge of the box. \[mm\]
pub const EDGE: f64 = 200.0;
/// Between two predict-trajectory events of a ball. \[s\]
pub const TIMESTEP: f64 = 0.005;
/// The mean speed that the printed counts imply; the paper has none. \[mm/s\]
pub const SPEED: f64 = 6.5;

impl Column {
    /// Which balls are to be placed.
    pub(super) fn placing(&self) -> Placing {
        Placing {
            balls: self.balls,
            radii: self.radii,
            packing: self.packing,
            tolerance: self.tolerance,
            start: self.start,
        }
    }

    /// `Table 1, 5 %`.
    pub fn title(&self) -> String {
        format!("Table {}, {}", self.table, self.name)
    }

    /// What is printed of a structure, by our name of it.
    pub fn row(&self, structure: &str) -> Option<&'static PrintedRow> {
        self.rows.iter().find(|row| row.structure == structure)
    }

    /// Time steps in the run.
    pub fn steps(&self) -> u64 {
        (self.duration / TIMESTEP).round() as u64
    }
}
