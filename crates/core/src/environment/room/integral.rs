//! Integrals of functions that may bend in places that nobody knows: adaptive quadrature.

/// Where the rule of Gauss and Kronrod with 15 points looks, between -1 and 1, its weights there, and
/// those of the rule of Gauss with 7 points, which looks at every other (Piessens et al. 1983,
/// *QUADPACK*).
const NODES: [[f64; 3]; 8] = [
    [0.991_455_371_120_812_6, 0.022_935_322_010_529_224, 0.0],
    [0.949_107_912_342_758_5, 0.063_092_092_629_978_56, 0.129_484_966_168_869_7],
    [0.864_864_423_359_769_1, 0.104_790_010_322_250_19, 0.0],
    [0.741_531_185_599_394_5, 0.140_653_259_715_525_92, 0.279_705_391_489_276_64],
    [0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0],
    [0.405_845_151_377_397_2, 0.190_350_578_064_785_42, 0.381_830_050_505_118_9],
    [0.207_784_955_007_898_47, 0.204_432_940_075_298_9, 0.0],
    [0.0, 0.209_482_141_084_727_82, 0.417_959_183_673_469_4],
];

/// How often an interval is halved at most.
const DEEPEST: u32 = 12;

/// The integral of `f` over an interval, within about `tolerance`. At its ends `f` may go like a
/// square root, as the width of a ball does.
pub(super) fn integral(
    [low, high]: [f64; 2],
    tolerance: f64,
    f: &mut dyn FnMut(f64) -> f64,
) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    // With x = (3 t - t³)/2 the square root of the distance from an end is smooth in t.
    let mut smooth = |t: f64| {
        let x = 0.5 * t * (3.0 - t * t);
        1.5 * half * (1.0 - t * t) * f(middle + half * x)
    };
    halved([-1.0, 1.0], tolerance, DEEPEST, &mut smooth)
}

fn halved(
    [low, high]: [f64; 2],
    tolerance: f64,
    deeper: u32,
    f: &mut dyn FnMut(f64) -> f64,
) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let (mut fine, mut coarse) = (0.0, 0.0);
    for [x, kronrod, gauss] in NODES {
        let value = match x == 0.0 {
            true => f(middle),
            false => f(middle - half * x) + f(middle + half * x),
        };
        fine += half * kronrod * value;
        coarse += half * gauss * value;
    }
    let is_rough = (fine - coarse).abs() > tolerance;
    if deeper == 0 || !is_rough {
        return fine;
    }
    let mut of = |interval| halved(interval, 0.5 * tolerance, deeper - 1, f);
    of([low, middle]) + of([middle, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_exact_for_polynomials() {
        for power in 0..=21 {
            let found = halved([0.0, 1.0], f64::INFINITY, 0, &mut |x| x.powi(power));
            assert!((found * f64::from(power + 1) - 1.0).abs() < 1e-14, "{power}: {found}");
        }
        // Gauss' is for those up to degree 13: no halving is needed.
        let mut looks = 0;
        let found = halved([0.0, 2.0], 1e-9, DEEPEST, &mut |x| {
            looks += 1;
            x.powi(13)
        });
        assert!((found - 8192.0 / 7.0).abs() < 1e-9 * found && looks == 15, "{found}, {looks}");
    }

    #[test]
    fn roots_at_the_ends_and_bends_within_are_no_obstacle() {
        let mut looks = 0;
        let circle = integral([-1.0, 1.0], 1e-10, &mut |x| {
            looks += 1;
            2.0 * (1.0 - x * x).sqrt()
        });
        assert!((circle - std::f64::consts::PI).abs() < 1e-12 && looks < 50, "{circle}, {looks}");
        let bent = integral([0.0, 1.0], 1e-8, &mut |x| (x - 0.3).max(0.0));
        assert!((bent - 0.245).abs() < 1e-8, "{bent}");
        let step = integral([0.0, 1.0], 1e-6, &mut |x| if x < 0.3 { 0.0 } else { 1.0 });
        assert!((step - 0.7).abs() < 1e-3, "{step}");
    }
}
