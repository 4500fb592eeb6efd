//! The page's numbers, and what its way of finding contacts does to the rate of collisions.

use jostle::model::gas::Contact;
use jostle_lab::reproduce::strips::counting::{atmosphere, between_walls, even, expected};
use jostle_lab::reproduce::strips::{HEIGHTS, StripsPlan, strips};

/// The means of 40 states are held to 4.5 of their standard errors: fails once in 100 000 times by
/// chance. Rates are held to five standard errors.
#[test]
fn the_counts_of_the_page_come_out() {
    let mut reported = 0;
    let plan = StripsPlan::quick();
    let findings = strips(&plan, &mut |_| reported += 1).unwrap();
    assert_eq!(reported, 1 + HEIGHTS.len() + 1 + plan.gases.len());
    assert_eq!(findings.naive, 4_498_500);
    for (found, shares) in [(findings.anywhere, even(150)), (findings.inside, between_walls(150))] {
        let [mean, deviation] = expected(3000, &shares);
        let bound = 4.5 * deviation / (found.runs as f64).sqrt();
        assert!((found.mean - mean).abs() < bound, "{found:?}, expected {mean} +- {deviation}");
        assert!((found.mean - 89_570.0).abs() < 3.0 * 326.0, "{found:?}");
    }
    for one in &findings.atmospheres {
        let [mean, deviation] = expected(3000, &atmosphere(one.height));
        let bound = 4.5 * deviation / (one.points.runs as f64).sqrt();
        assert!((one.points.mean - mean).abs() < bound, "{one:?}, expected {mean} +- {deviation}");
        // Disks take up room, and are fewer in each strip.
        assert!((0.75..0.97).contains(&(one.disks.mean / mean)), "{one:?}");
        assert!((0.9..1.1).contains(&one.warmth), "{one:?}");
    }
    let same = &findings.same;
    assert!(same.collisions[1] > 100 && same.overlaps[0] == same.overlaps[2], "{same:?}");
    assert!(same.differ * 50 < same.collisions[1], "{same:?}");
    for rates in &findings.rates {
        let events = &rates[0];
        for rate in &rates[1..] {
            let [above, error] = rate.above(events);
            match rate.contact {
                Contact::AfterMove => {
                    // Too few, by more the longer the step.
                    let [least, most] = [0.3, 1.0].map(|slope| -slope * rate.travel);
                    assert!(
                        above < least + 5.0 * error && above > most - 5.0 * error,
                        "{rate:?} {above}"
                    );
                }
                _ => assert!(above.abs() < 5.0 * error, "{rate:?} {above} +- {error}"),
            }
        }
    }
    let report = findings.report();
    let names: Vec<_> = report.sections.iter().map(|section| section.name).collect();
    assert_eq!(names, ["comparisons", "times", "contacts", "rates"]);
    for section in &report.sections {
        assert!(!section.table.rows.is_empty(), "{}", section.name);
    }
}
