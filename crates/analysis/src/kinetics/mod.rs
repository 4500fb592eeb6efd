//! What the log of changes tells about rates, lifetimes and first passages.

mod first_passage;
mod integral;
mod lifetimes;
mod poisson;
mod rates;
mod sizes;
mod survival;
mod survival_curve;
mod transitions;

pub use first_passage::{FirstPassage, Goal, Passages, Place, first_passage};
pub use lifetimes::{Lifetimes, SizeLife, lifetimes};
pub use poisson::{PoissonRate, poisson_interval};
pub use rates::{Exposed, Order, Rate, RateBin, Rates, rates};
pub use survival::{Survivals, Survivor, survival};
pub use survival_curve::{AtAge, LifeTable, Observed, SurvivalCurve, SurvivalPoint};
pub use transitions::{Transition, Transitions, transitions};
