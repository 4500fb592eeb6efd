//! Animated PNG: a film that needs no other program to be made, and that browsers play.

use std::io::{self, Write};

use super::raster::{Pixels, pixels};
use super::sheet::Sheet;

/// An animated PNG that is being written, picture by picture. It starts again at its end.
pub struct AnimatedPng<W: Write> {
    state: State<W>,
    pictures: u32,
    per_second: u16,
}

enum State<W: Write> {
    /// Nothing is known of the size yet.
    Empty(W),
    Begun {
        writer: png::Writer<W>,
        size: [u32; 2],
    },
}

impl<W: Write> AnimatedPng<W> {
    /// For so many pictures.
    pub fn new(out: W, pictures: usize, per_second: u16) -> Self {
        Self { state: State::Empty(out), pictures: pictures as u32, per_second }
    }

    /// Adds a picture, which has to be as large as the first one.
    ///
    /// # Errors
    /// If it is not, or cannot be written.
    pub fn push(self, sheet: &Sheet) -> io::Result<Self> {
        let Self { state, pictures, per_second } = self;
        let Pixels { size, rgb } = pixels(sheet)?;
        let (mut writer, first) = match state {
            State::Begun { writer, size } => (writer, size),
            State::Empty(out) => {
                let mut encoder = png::Encoder::new(out, size[0], size[1]);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_depth(png::BitDepth::Eight);
                // Flat colours, as in `raster`.
                encoder.set_compression(png::Compression::Best);
                encoder.set_filter(png::FilterType::NoFilter);
                encoder.set_animated(pictures, 0)?;
                encoder.set_frame_delay(1, per_second)?;
                (encoder.write_header()?, size)
            }
        };
        if size != first {
            return Err(io::Error::other("the pictures of a film must be of one size"));
        }
        writer.write_image_data(&rgb)?;
        Ok(Self { state: State::Begun { writer, size }, pictures, per_second })
    }

    /// Ends the film.
    ///
    /// # Errors
    /// If pictures are missing, or it cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self.state {
            State::Empty(_) => Err(io::Error::other("the film has no pictures")),
            State::Begun { writer, .. } => Ok(writer.finish()?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Colour;
    use super::super::sheet::Stroke;
    use super::*;

    #[test]
    fn the_pictures_come_back_one_after_the_other() {
        let sheet = |x: f64| {
            let mut sheet = Sheet::new([40.0, 30.0], "");
            sheet.line(vec![[x, 0.0], [x, 30.0]], Stroke::solid(Colour(0, 0, 0), 2.0));
            sheet
        };
        let mut bytes = Vec::new();
        let mut film = AnimatedPng::new(&mut bytes, 3, 25);
        for n in 0..3 {
            film = film.push(&sheet(10.0 + f64::from(n))).unwrap();
        }
        film.finish().unwrap();
        let mut reader = png::Decoder::new(&bytes[..]).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
        for n in 0..3 {
            let mut found = vec![0; reader.output_buffer_size()];
            reader.next_frame(&mut found).unwrap();
            assert_eq!(reader.info().frame_control().unwrap().delay_den, 25);
            assert_eq!(found, pixels(&sheet(10.0 + f64::from(n))).unwrap().rgb);
        }
    }

    #[test]
    fn pictures_of_other_sizes_are_refused() {
        let film = AnimatedPng::new(Vec::new(), 2, 10);
        let film = film.push(&Sheet::new([4.0, 3.0], "")).unwrap();
        let refused = film.push(&Sheet::new([5.0, 3.0], "")).err().unwrap();
        assert!(refused.to_string().contains("one size"), "{refused}");
    }
}
