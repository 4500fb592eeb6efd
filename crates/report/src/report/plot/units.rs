//! Figures in other units.

use super::{Axis, HeatMap, Panels, Plot};
use jostle_analysis::UnitSystem;

/// Changes the unit of an axis; says by what numbers along it have to be multiplied.
fn change(axis: &mut Axis, units: UnitSystem) -> f64 {
    let (label, factor) = units.label(&axis.label);
    axis.label = label;
    factor
}

impl Plot {
    /// The same plot in other units.
    #[must_use]
    pub fn in_units(mut self, units: UnitSystem) -> Self {
        let factors = [change(&mut self.x, units), change(&mut self.y, units)];
        for series in &mut self.series {
            for point in &mut series.points {
                (0..2).for_each(|k| point[k] *= factors[k]);
            }
            let along_y = series.intervals.iter_mut().flatten().chain(&mut series.errors);
            along_y.for_each(|y| *y *= factors[1]);
        }
        self
    }
}

impl HeatMap {
    /// The same map in other units.
    #[must_use]
    pub fn in_units(mut self, units: UnitSystem) -> Self {
        let factors = [change(&mut self.x, units), change(&mut self.y, units)];
        for (span, factor) in self.span.iter_mut().zip(factors) {
            span.iter_mut().for_each(|end| *end *= factor);
        }
        let factor = change(&mut self.value, units);
        self.rows.iter_mut().flatten().for_each(|value| *value *= factor);
        self
    }
}

impl Panels {
    /// The same panels in other units.
    #[must_use]
    pub fn in_units(mut self, units: UnitSystem) -> Self {
        self.plots = self.plots.into_iter().map(|plot| plot.in_units(units)).collect();
        self
    }
}
