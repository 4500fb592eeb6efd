//! Simularium's JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::Stage;
use crate::export::Sink;
use crate::export::scene::{Moment, Scene};

/// Writes one JSON object, its frames one at a time.
pub(in crate::export) struct Json<'a, W> {
    out: W,
    stage: Stage<'a>,
    frames: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonFrame {
    frame_number: usize,
    time: f64,
    data: Vec<f32>,
}

impl<'a, W: Write> Json<'a, W> {
    pub(in crate::export) fn new(out: W, scene: &'a Scene<'a>) -> Self {
        Self { out, stage: Stage::new(scene), frames: 0 }
    }
}

impl<W: Write> Sink for Json<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        let info = self.stage.info();
        let frames = self.stage.scene.frames().len();
        write!(
            self.out,
            "{{\"trajectoryInfo\":{info},\"spatialData\":{{\"version\":1,\"msgType\":1,\"bundleStart\":0,\
             \"bundleSize\":{frames},\"bundleData\":["
        )
    }

    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        if self.frames > 0 {
            self.out.write_all(b",")?;
        }
        let data = self.stage.agents(moment)?;
        serde_json::to_writer(
            &mut self.out,
            &JsonFrame { frame_number: self.frames, time: moment.time.unwrap_or(0.0), data },
        )?;
        self.frames += 1;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.out, "]}},\"plotData\":{}}}", self.stage.plots())?;
        self.out.flush()
    }
}
