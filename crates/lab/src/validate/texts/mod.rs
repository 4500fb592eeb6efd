//! What four papers and a web page print, counted anew (`jostle reproduce` has all of it, with
//! times). The counts have seeds of their own: the seed of the run has no part in them, and neither
//! has chance.

mod cells;
mod polygons;
mod shaker;
mod strips;
mod structures;

use super::{Check, Group};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "text-cells",
        group: Group::Texts,
        title: "worked examples, and counts of work of Figure 6 (Johnson & Whalley 2002)",
        theory: "two particles touch at 0.3 of the step; a pushes b onto c within one step, at 1/3 and 1/2; \
                 pairs looked at grow as N^2 without cells, about as N with them",
        source: "Johnson and Whalley 2002, sections 3.3, 4.1 and 6",
        seconds: 1.0,
        quick: true,
        run: cells::worked_examples,
    },
    Check {
        name: "text-shaker",
        group: Group::Texts,
        title: "Tables 1 to 5 of the shaker ball mill (Gavrilova et al. 2003)",
        theory: "collisions within 25 %, predict-trajectory events within 0.1 %, checks without a structure \
                 within 1 %, of cells within 20 %, of segments and of the triangulation within 25 %, ratios \
                 of checks within 30 % of what is printed; left out, and named, are those that the paper \
                 does not say enough about: all of Table 3, 70 %, and 16 more of the full form",
        source: "Gavrilova et al. 2003, Tables 1 to 5",
        seconds: 8.0,
        quick: true,
        run: shaker::tables,
    },
    Check {
        name: "text-structures",
        group: Group::Texts,
        title: "complexities of the structures, and the triangulation of 1000 disks (Gavrilova & Rokne 2002)",
        theory: "a bounded number of neighbours, new pairs and plans per event for each structure; every \
                 pair that touches is an edge of the triangulation, which has 3 n - 3 - h of them",
        source: "Gavrilova and Rokne 2002, Table 1 and Figure 1",
        seconds: 4.0,
        quick: true,
        run: structures::complexities,
    },
    Check {
        name: "text-strips",
        group: Group::Texts,
        title: "comparisons of disks sorted into strips (\"Grouping the particles\", 2021)",
        theory: "N (N - 1)/2 comparisons of all pairs; N (N - 1)/(2 S) + N (N - 1)(S - 1)/S^2 of S even \
                 strips; the barometric sum in an atmosphere; the same pairs whichever way strips lie",
        source: "Grouping the particles, 2021; expectations derived for independent uniform centres",
        seconds: 1.0,
        quick: true,
        run: strips::comparisons,
    },
    Check {
        name: "text-polygons",
        group: Group::Texts,
        title: "rules of exchange, worked example and walk to the closest features (Schinner 1999)",
        theory: "every row of Tables 1 to 3, the numbers of exchanges of Figures 5 and 6, the three \
                 iterations of Figure 10",
        source: "Schinner 1999, sections 3.3 and 4.2",
        seconds: 0.1,
        quick: true,
        run: polygons::rules,
    },
];
