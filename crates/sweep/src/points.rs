//! The points of a sweep.

use serde::{Deserialize, Serialize};

/// What one point sets on top of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Point {
    /// Keys and values as `--set` takes them, in the order of the axes.
    pub values: Vec<(String, String)>,
}

impl Point {
    /// A number for what the point sets, whatever else the sweep has: 64-bit FNV-1a of the lines
    /// `key=value`, each with its end, in the order of the keys. Further points leave it as it is,
    /// and so the seeds of this point's members.
    ///
    /// ```
    /// let point = jostle_sweep::Point { values: vec![("run.timestep".into(), "1 ns".into())] };
    /// assert_eq!(point.key(), 0x4d73_6096_3af4_3946);
    /// ```
    pub fn key(&self) -> u64 {
        let mut lines: Vec<String> =
            self.values.iter().map(|(key, value)| format!("{key}={value}\n")).collect();
        lines.sort_unstable();
        lines.concat().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// What it sets this key to, if it does.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The point as the command line says it: `--set key=value ..`.
    pub fn as_options(&self) -> String {
        let quoted = |text: String| match text.chars().all(is_plain) {
            true => text,
            false => format!("'{}'", text.replace('\'', "'\\''")),
        };
        let options = self
            .values
            .iter()
            .map(|(key, value)| format!("--set {}", quoted(format!("{key}={value}"))));
        options.collect::<Vec<_>>().join(" ")
    }
}

/// Whether a shell takes a character as it is.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._-=+/:,".contains(character)
}

/// What one axis sets: for each of its places, the keys and their values.
pub(crate) type Axis = Vec<Vec<(String, String)>>;

/// Every combination of places on the axes; the last axis runs fastest.
pub(crate) fn combinations(axes: &[Axis]) -> Vec<Point> {
    let start = vec![Point { values: Vec::new() }];
    axes.iter().fold(start, |points, axis| {
        let with = |point: &Point, place: &Vec<(String, String)>| Point {
            values: point.values.iter().chain(place).cloned().collect(),
        };
        points.iter().flat_map(|point| axis.iter().map(move |place| with(point, place))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(key: &str, values: &[&str]) -> Axis {
        values.iter().map(|&value| vec![(key.to_owned(), value.to_owned())]).collect()
    }

    #[test]
    fn the_last_axis_runs_fastest() {
        let points = combinations(&[axis("a", &["1", "2"]), axis("b", &["x", "y z"])]);
        let told: Vec<String> = points.iter().map(Point::as_options).collect();
        assert_eq!(
            told,
            [
                "--set a=1 --set b=x",
                "--set a=1 --set 'b=y z'",
                "--set a=2 --set b=x",
                "--set a=2 --set 'b=y z'"
            ]
        );
    }

    #[test]
    fn the_key_of_a_point_depends_on_its_values_alone() {
        let [one, other] = [["a", "b"], ["b", "a"]].map(|keys| Point {
            values: keys.map(|key| (key.to_owned(), key.to_uppercase())).to_vec(),
        });
        assert_eq!(one.key(), other.key());
        let third = Point { values: vec![("a".into(), "B".into()), ("b".into(), "A".into())] };
        assert_ne!(one.key(), third.key());
    }
}
