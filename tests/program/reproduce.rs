//! `jostle reproduce --quick`: what the papers print comes out, within the bands that are stated.

use jostle::kinetic::KineticKind;
use jostle_lab::reproduce::complexity::{self, Measured, complexity};
use jostle_lab::reproduce::guidelines::{GuidelinesPlan, guidelines};
use jostle_lab::reproduce::laguerre::Triangulated;
use jostle_lab::reproduce::shaker::{self, Comparison, PrintedVerdict, Quantity, shaker};

use crate::program::{folder, jostle};

/// The comparison of one printed number.
fn find<'a>(
    all: &'a [Comparison],
    column: &str,
    structure: &str,
    quantity: Quantity,
) -> &'a Comparison {
    let same = |c: &&Comparison| {
        (c.column.as_str(), c.structure, c.quantity) == (column, structure, quantity)
    };
    all.iter().find(same).unwrap_or_else(|| panic!("{column}, {structure}, {quantity:?}"))
}

#[test]
fn the_tables_of_the_shaker_come_out() {
    let mut reported = 0;
    let findings = shaker(&shaker::ShakerPlan::quick(), &mut |_| reported += 1).unwrap();
    assert_eq!(reported, 4 + 1 + 1, "columns, mill in the plane and in space");
    let all = findings.comparisons();
    for c in &all {
        // Over twenty seeds the cells of this column differ from what is printed (docs/shaker.md),
        // 199 with a deviation of 18; two seeds are within four standard errors of that.
        let of_cells =
            matches!(c.structure, "cubic" | "tree") && c.quantity == Quantity::Topological;
        if of_cells && c.column == "Table 3, 33 %" {
            assert!((c.ours.mean - 199.0).abs() < 51.0, "{c:?}");
            continue;
        }
        assert_eq!(c.verdict, PrintedVerdict::Reproduced, "{c:?}");
        assert!(c.reason.is_empty(), "{c:?}");
    }

    // The same again, by the printed numbers themselves.
    let first = |quantity| find(&all, "Table 1, 5 %", "", quantity).ours.mean;
    assert!((130.0..218.0).contains(&first(Quantity::Collisions)));
    assert!((first(Quantity::Predicted) - 199_855.0).abs() < 200.0);
    let of = |structure, quantity| find(&all, "Table 1, 5 %", structure, quantity).ours.mean;
    assert!((of("direct", Quantity::Checks) - 20_645_172.0).abs() < 206_000.0);
    assert!((of("cubic", Quantity::Topological) - 1718.0).abs() < 344.0);
    assert!((of("segments", Quantity::Topological) - 13_038.0).abs() < 3260.0);
    assert!((of("laguerre", Quantity::Checks) - 1_926_240.0).abs() < 385_000.0);
    assert_eq!(of("cubic", Quantity::Checks), of("tree", Quantity::Checks));
    let many = |structure| find(&all, "Table 3, 33 %", structure, Quantity::Checks).ours.mean;
    let order = ["segments", "laguerre", "cubic", "direct"].map(many);
    assert!(order.is_sorted(), "{order:?}");

    // The algorithm as printed has more trajectory events than the tables: (b - h)/2 more than two
    // for each ball and time step. The spread of a collision's part is 1/sqrt(12).
    for results in &findings.results {
        for trial in &results.trials {
            let counts = &trial.printed_algorithm;
            let grid = (results.column.balls as u64 * (results.column.steps() + 1)) as f64;
            let expected = grid + 0.5 * (counts.ball_collisions() - counts.balls_hit as f64);
            let spread = (counts.ball_collisions() / 12.0).sqrt();
            let found = counts.tally.trajectory_events as f64;
            assert!(
                (found - expected).abs() < 4.5 * spread + 1.0,
                "{found} for {expected} +- {spread}"
            );
        }
    }
    for mill in &findings.milled {
        assert!(mill.imbalance.abs() < 1e-11 && mill.counts[0].collisions() > 1000.0, "{mill:?}");
        assert_eq!(mill.kinds.len(), 6);
    }
}

#[test]
fn the_guidelines_are_checked_in_the_plane_and_in_space() {
    let plan = GuidelinesPlan { dimensions: vec![2, 3], balls: vec![100], at_once: true };
    let report = guidelines(&plan, &mut |_| ()).unwrap();
    let [timings, claims] = &report.sections[..] else { panic!("{report:?}") };
    assert_eq!(timings.table.rows.len(), 2 * 5 * 6, "dimensions, mixtures, structures");
    assert_eq!(claims.table.rows.len(), 2 * 11);
    let holds = claims.table.columns.iter().position(|column| column == "holds").unwrap();
    for row in &claims.table.rows {
        let holds = row[holds].to_string();
        assert!(["yes", "no"].contains(&holds.as_str()), "undecided: {row:?}");
    }
}

#[test]
fn the_structures_do_as_much_as_the_text_says() {
    let findings = complexity(&complexity::ComplexityPlan::quick(), &mut |_| ()).unwrap();
    let of = |kind, dimension, particles| -> &Measured {
        let same =
            |m: &&Measured| (m.kind, m.dimension, m.particles) == (kind, dimension, particles);
        findings
            .measured
            .iter()
            .find(same)
            .unwrap_or_else(|| panic!("{kind:?} {dimension} {particles}"))
    };
    for (dimension, most) in [(2, 9.0), (3, 27.0)] {
        for kind in [KineticKind::Cubic, KineticKind::Tree] {
            let [few, many] = [100, 1000].map(|n| of(kind, dimension, n));
            // A constant number of neighbours, one event pending for each particle.
            assert!((many.neighbours[0] / few.neighbours[0] - 1.0).abs() < 0.3, "{few:?} {many:?}");
            assert!(
                many.gained[0] < most && many.topological[1] == 1.0 && many.trajectory[1] == 1.0
            );
            assert!(many.pending.topological <= many.particles);
        }
        let segments = of(KineticKind::Segments, dimension, 1000);
        // At most one check per exchange; three facets replanned; two for each endpoint.
        assert_eq!(segments.gained[1], 1.0);
        assert!(segments.topological[1] <= 3.0 && segments.trajectory[1] <= 4.0 * dimension as f64);
        let few = of(KineticKind::Segments, dimension, 100);
        assert!(segments.between[0] > 2.0 * few.between[0], "exchanges outgrow collisions");
        assert_eq!(of(KineticKind::Direct, dimension, 1000).neighbours, [999.0; 2]);
    }
    let laguerre = of(KineticKind::Laguerre, 2, 1000);
    assert_eq!(laguerre.gained[1], 1.0, "a flip makes one pair");
    assert!((5.5..6.0).contains(&laguerre.neighbours[0]), "{laguerre:?}");
    let in_space = of(KineticKind::Laguerre, 3, 1000);
    assert_eq!(in_space.gained[1], 1.0, "from two to three tetrahedra makes one pair");
    assert!((13.0..15.5).contains(&in_space.neighbours[0]), "{in_space:?}");
    // The mean over 1000 points scatters by some 0.1.
    let random = findings.random[0].neighbours[0];
    assert!((random - complexity::AT_RANDOM).abs() < 0.5, "{random}");

    let at = |ratio: f64, name: &str| {
        let one = findings.ratios.iter().find(|r| r.dimension == 2 && r.ratio == ratio).unwrap();
        one.checks.iter().find(|(kind, _)| kind.name() == name).unwrap().1[0]
    };
    // Cells take the ratio to the power of the dimension more checks, bounding boxes no more.
    assert!(at(4.0, "cubic") > 8.0 * at(1.0, "cubic"));
    assert!(at(4.0, "segments") < 1.5 * at(1.0, "segments"));
}

#[test]
fn every_touching_pair_of_a_thousand_is_an_edge() {
    let found = Triangulated::new(1000, true, 2);
    assert_eq!(found.diagram.edges.len(), found.expected_edges());
    let [touching, missed] = found.touching_pairs();
    assert!(touching > 450 && missed == 0, "{touching} {missed}");
}

#[test]
fn the_program_writes_the_triangulation() {
    let folder = folder();
    let out = jostle(folder.path(), &["reproduce", "laguerre", "--out", "new/figure"]).succeeds();
    assert!(out.out.contains("3 n - 3 - h"), "{out:?}");
    for file in ["figure1.svg", "figure1.png", "figure1.csv", "report.txt"] {
        let path = folder.path().join("new/figure").join(file);
        assert!(std::fs::metadata(&path).unwrap().len() > 100, "{}", path.display());
    }
}
