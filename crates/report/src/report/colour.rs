//! Colours that everyone can tell apart.

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Paper.
    pub const WHITE: Self = Self(255, 255, 255);
    /// Ink: text and axes.
    pub const INK: Self = Self(34, 34, 34);
    /// Grid lines.
    pub const FAINT: Self = Self(226, 226, 226);

    /// The palette of Okabe & Ito (2002), which people with any common colour vision can tell
    /// apart, in the order in which we use it: strong colours first, yellow, which is hard to see
    /// on paper, last.
    pub const OKABE_ITO: [Self; 8] = [
        Self(0, 114, 178),
        Self(213, 94, 0),
        Self(0, 158, 115),
        Self(204, 121, 167),
        Self(230, 159, 0),
        Self(86, 180, 233),
        Self(0, 0, 0),
        Self(240, 228, 66),
    ];

    /// The colour of class `n`; the palette starts again after eight.
    pub fn of_class(n: usize) -> Self {
        Self::OKABE_ITO[n % Self::OKABE_ITO.len()]
    }

    /// The colour of the lines of surface `n`: muted, so that particles stand out; they start again
    /// after four.
    pub fn of_surface(n: usize) -> Self {
        const TONES: [Colour; 4] = [
            Colour(92, 108, 132),
            Colour(150, 112, 72),
            Colour(76, 128, 112),
            Colour(134, 96, 128),
        ];
        TONES[n % TONES.len()]
    }

    /// The colour of rank `n` of `count`, for classes with an order: the first light grey, the
    /// others from yellow through red to a dark violet, ever darker, so that the order survives a
    /// black and white print.
    pub fn of_rank(n: usize, count: usize) -> Self {
        const STOPS: [Colour; 4] =
            [Colour(246, 190, 72), Colour(222, 95, 61), Colour(154, 38, 103), Colour(60, 12, 92)];
        if n == 0 {
            return Self(196, 200, 206);
        }
        let place = (n - 1) as f64 / (count.saturating_sub(2)).max(1) as f64;
        Self::along(&STOPS, place)
    }

    /// The colour of a share of the greatest value, from 0 (nearly white) to 1 (dark), ever darker.
    pub fn of_share(share: f64) -> Self {
        const STOPS: [Colour; 5] = [
            Colour(252, 250, 242),
            Colour(246, 190, 72),
            Colour(222, 95, 61),
            Colour(154, 38, 103),
            Colour(40, 8, 72),
        ];
        Self::along(&STOPS, share)
    }

    /// A place on the way from the first of some colours to the last.
    fn along(stops: &[Self], share: f64) -> Self {
        let along = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let below = (along as usize).min(stops.len() - 2);
        stops[below].mixed(stops[below + 1], along - below as f64)
    }

    /// This colour with a share (0 to 1) of another mixed in.
    pub fn mixed(self, other: Self, share: f64) -> Self {
        let mix =
            |a: u8, b: u8| (f64::from(a) * (1.0 - share) + f64::from(b) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// The colour of a text as SVG and HTML write it, `#rrggbb` or `#rgb`.
    pub fn of_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        let part = |bits: u32, shift: u32| (value >> shift & ((1 << bits) - 1)) as u8;
        match digits.len() {
            6 => Some(Self(part(8, 16), part(8, 8), part(8, 0))),
            3 => Some(Self(17 * part(4, 8), 17 * part(4, 4), 17 * part(4, 0))),
            _ => None,
        }
    }

    /// As SVG and HTML write it: `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(c: Colour) -> f64 {
        0.2126 * f64::from(c.0) + 0.7152 * f64::from(c.1) + 0.0722 * f64::from(c.2)
    }

    #[test]
    fn ranks_get_darker() {
        for count in 2..8 {
            let shades: Vec<f64> =
                (0..count).map(|n| lightness(Colour::of_rank(n, count))).collect();
            assert!(shades.windows(2).all(|w| w[1] < w[0]), "{shades:?}");
        }
    }

    #[test]
    fn shares_get_darker() {
        let shades: Vec<f64> =
            (0..=20).map(|n| lightness(Colour::of_share(f64::from(n) / 20.0))).collect();
        assert!(shades.windows(2).all(|w| w[1] < w[0]), "{shades:?}");
    }

    #[test]
    fn mixing_goes_from_one_colour_to_the_other() {
        let (a, b) = (Colour(0, 100, 200), Colour(100, 0, 200));
        assert_eq!(a.mixed(b, 0.0), a);
        assert_eq!(a.mixed(b, 1.0), b);
        assert_eq!(a.mixed(b, 0.5), Colour(50, 50, 200));
        assert_eq!(Colour(1, 16, 255).hex(), "#0110ff");
    }

    #[test]
    fn colours_are_read_as_they_are_written() {
        assert_eq!(Colour::of_hex("#0110fF"), Some(Colour(1, 16, 255)));
        assert_eq!(Colour::of_hex("#08f"), Some(Colour(0, 136, 255)));
        for wrong in ["", "#", "red", "0110ff", "#0110f", "#0110ff0", "#+110ff", "#µµµ"] {
            assert_eq!(Colour::of_hex(wrong), None, "{wrong}");
        }
    }
}
