//! Tests of the exact side of a line.

use super::super::side::side;
use crate::space::Vector;

#[test]
fn a_point_one_unit_in_the_last_place_off_a_line_is_not_on_it() {
    // the classic grid of neighbouring numbers about (0.5, 0.5), seen from (12, 12) and (24, 24):
    // the exact sign is that of y - x
    let step = |k: usize| 0.5 + k as f64 * (f64::EPSILON / 2.0);
    for i in 0..64 {
        for j in 0..64 {
            let (p, q) = (Vector([12.0, 12.0]), Vector([24.0, 24.0]));
            let found = side(p, q, Vector([step(i), step(j)]));
            assert_eq!(found.partial_cmp(&0.0), j.partial_cmp(&i), "{i} {j}: {found}");
        }
    }
}
