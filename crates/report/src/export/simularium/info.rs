//! What Simularium is told beside the frames: units, box, camera, types and a plot.

use serde_json::{Map, Value, json};

use super::Stage;
use crate::report::Colour;

/// How much of the scene the camera sees from top to bottom. \[degrees\]
const VIEW: f64 = 75.0;

impl Stage<'_> {
    /// `trajectoryInfo`.
    pub(super) fn info(&self) -> Value {
        let scene = self.scene;
        let [x, y, z] = scene.edges().map(|edge| edge / self.unit);
        let frames: Vec<usize> = scene.frames().take(2).collect();
        let between = match frames[..] {
            [first, second] => scene.time(second).zip(scene.time(first)).map(|(b, a)| b - a),
            _ => None,
        };
        // So far back that the whole box is in sight, with a tenth to spare.
        let half_view = libm::tan((0.5 * VIEW).to_radians());
        let distance = 0.5 * z + 1.1 * 0.5 * x.max(y) / half_view;
        json!({
            "version": 3,
            "timeUnits": { "magnitude": 1.0, "name": "µs" },
            "timeStepSize": between.unwrap_or(0.0),
            "totalSteps": scene.frames().len(),
            "spatialUnits": { "magnitude": self.unit, "name": "nm" },
            "size": { "x": x, "y": y, "z": z },
            "cameraDefault": {
                "position": { "x": 0.0, "y": 0.0, "z": distance },
                "lookAtPosition": { "x": 0.0, "y": 0.0, "z": 0.0 },
                "upVector": { "x": 0.0, "y": 1.0, "z": 0.0 },
                "fovDegrees": VIEW,
            },
            "typeMapping": self.types(),
            "trajectoryTitle": scene.title,
        })
    }

    fn types(&self) -> Map<String, Value> {
        let entry = |name: String, shape: &str, colour: Colour| json!({ "name": name, "geometry": { "displayType": shape, "color": colour.hex() } });
        let mut types = Map::new();
        for (kind, &k) in self.species.iter().enumerate() {
            let name = self.scene.species[k].tagged();
            types.insert(kind.to_string(), entry(name, "SPHERE", Colour::of_class(k)));
        }
        if self.has_bonds {
            types
                .insert(self.species.len().to_string(), entry("bond".into(), "FIBER", Colour::INK));
        }
        types
    }

    /// `plotData`: populations over time.
    pub(super) fn plots(&self) -> Value {
        let line = |(kind, &k): (usize, &usize)| {
            let counts: Vec<u64> = self.counts.iter().map(|counts| counts[kind]).collect();
            let name = &self.scene.species[k].whole;
            json!({ "name": name, "type": "scatter", "mode": "lines", "x": self.times, "y": counts })
        };
        let lines: Vec<Value> = self.species.iter().enumerate().map(line).collect();
        json!({
            "version": 1,
            "data": [{
                "layout": {
                    "title": "Populations",
                    "xaxis": { "title": "time (µs)" },
                    "yaxis": { "title": "particles" },
                },
                "data": lines,
            }],
        })
    }
}
