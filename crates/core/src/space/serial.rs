//! Vectors, and rows of whole numbers, as states are kept: `D` values one after the other; what a
//! state that is read has to hold to.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Vector;

impl<const D: usize> Serialize for Vector<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        array::serialize(&self.0, serializer)
    }
}

impl<'de, const D: usize> Deserialize<'de> for Vector<D> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        array::deserialize(deserializer).map(Self)
    }
}

/// For `#[serde(with)]`: an array of any length, which serde knows no way of its own for.
pub mod array {
    use super::*;

    /// One value after the other.
    pub fn serialize<T: Serialize, S: Serializer, const N: usize>(
        values: &[T; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        values.iter().try_for_each(|value| tuple.serialize_element(value))?;
        tuple.end()
    }

    /// As many as there have to be.
    pub fn deserialize<'de, T, R, const N: usize>(deserializer: R) -> Result<[T; N], R::Error>
    where
        T: Deserialize<'de> + Copy + Default,
        R: Deserializer<'de>,
    {
        deserializer.deserialize_tuple(N, Values(PhantomData))
    }
}

/// For `#[serde(with)]`: rows of `N` values.
pub mod rows {
    use super::*;

    /// How many rows, then the rows.
    pub fn serialize<T: Serialize, S: Serializer, const N: usize>(
        rows: &[[T; N]],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rows.iter().map(Row))
    }

    /// All rows. No room is made for more than there are.
    pub fn deserialize<'de, T, R, const N: usize>(deserializer: R) -> Result<Vec<[T; N]>, R::Error>
    where
        T: Deserialize<'de> + Copy + Default,
        R: Deserializer<'de>,
    {
        let rows = Vec::<Owned<T, N>>::deserialize(deserializer)?;
        Ok(rows.into_iter().map(|row| row.0).collect())
    }
}

/// Holds a state to something; `what` says what is wrong where it is not so.
pub fn holds(sound: bool, what: &'static str) -> Result<(), &'static str> {
    if sound { Ok(()) } else { Err(what) }
}

struct Row<'a, T, const N: usize>(&'a [T; N]);

impl<T: Serialize, const N: usize> Serialize for Row<'_, T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        array::serialize(self.0, serializer)
    }
}

struct Owned<T, const N: usize>([T; N]);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for Owned<T, N> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        array::deserialize(deserializer).map(Self)
    }
}

struct Values<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de> for Values<T, N> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{N} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<[T; N], A::Error> {
        let mut found = [T::default(); N];
        for (n, value) in found.iter_mut().enumerate() {
            *value = values.next_element()?.ok_or_else(|| A::Error::invalid_length(n, &self))?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Kept<const D: usize> {
        place: Vector<D>,
        places: Vec<Vector<D>>,
        #[serde(with = "rows")]
        images: Vec<[i32; D]>,
    }

    #[test]
    fn what_is_kept_comes_back_to_the_bit() {
        let kept = Kept {
            place: Vector([-0.0, f64::MIN_POSITIVE, 1.0 / 3.0]),
            places: vec![Vector([1.0, 2.0, f64::INFINITY]); 3],
            images: vec![[i32::MIN, 0, i32::MAX], [1, 2, 3]],
        };
        let bytes = postcard::to_stdvec(&kept).unwrap();
        let back: Kept<3> = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back, kept);
        assert!(back.place[0].is_sign_negative());
        assert!(postcard::from_bytes::<Kept<3>>(&bytes[..bytes.len() - 1]).is_err());
    }
}
