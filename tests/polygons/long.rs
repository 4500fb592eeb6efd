//! The same proofs with more bodies, for longer.

use crate::heap::{Grains, repose};

#[test]
fn the_angle_of_repose_grows_with_friction_and_with_roughness() {
    let mut last = 0.0;
    for friction in [0.1, 0.25, 0.5] {
        let of = |grains| repose(grains, friction, 4, [8, 16]);
        let [disks, polygons] = [Grains::Disks, Grains::Polygons].map(of);
        println!("friction {friction}: disks {disks:?}, polygons {polygons:?} degrees");
        assert!(polygons[0] > disks[0] + 2.0 * (polygons[1] + disks[1]));
        assert!(polygons[0] > last);
        last = polygons[0];
    }
}
