//! stub
/// p
pub fn probability(_d: usize, k_a: f64, drel: f64, r: f64, dt: f64) -> Result<f64, ()> {
    let kc = contact_volume(3, r, drel, dt) / dt;
    Ok(1.0 / (1.0 + kc / k_a))
}
/// v
pub fn contact_volume(_d: usize, r: f64, drel: f64, dt: f64) -> f64 {
    4.0 * std::f64::consts::PI.sqrt() * r * r * (drel * dt).sqrt()
}
