//! Why the program ends with an exit code other than 0.

use std::error::Error;
use std::fmt;
use std::io;

use crate::analysis::ask::{AskError, QuestionError};
use crate::analysis::{ReadError, TableError};
use crate::export::ExportError;
use crate::model::Faults;
use crate::model::bngl::ImportFaults;
use crate::record::RecordError;
use crate::report::PictureError;
use crate::run::RunError;
use crate::sweep::{PlanError, SweepError};

/// Why the program ends with an exit code other than 0.
pub(super) enum Failure {
    /// Something failed; the message says what.
    Error(Why),
    /// The model is refused, or something failed where exit code 1 has another meaning.
    Trouble(Why),
    /// A run failed for a reason that says nothing about its model: its file could not be written; of a
    /// run of a sweep also, there was too little memory.
    Machine(Why),
    /// A comparison found a difference, which has been printed.
    Different,
    /// A run was stopped by Ctrl-C or SIGTERM and can be resumed.
    Stopped,
    /// A run was stopped by Ctrl-C without a checkpoint to resume from.
    Interrupted,
    /// The reader of the printed output has gone away.
    Unread,
}

/// What failed.
#[derive(Debug)]
pub(super) enum Why {
    /// A model is refused.
    Model(Faults),
    /// A run.
    Run(RunError),
    /// A file that a run writes.
    Record(RecordError),
    /// A file of results cannot be read.
    Read(ReadError),
    /// A question to one makes no sense.
    Asked(QuestionError),
    /// A file in the format of another program.
    Export(ExportError),
    /// Something else that says by itself what it is.
    Other(Box<dyn Error + Send + Sync>),
    /// The system refuses something.
    Io(io::Error),
}

impl Failure {
    /// The exit code of the program. Those above 2 are from sysexits.h: 74 is for input and output,
    /// 75 for what should be tried again later. 130 is what shells have for Ctrl-C.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Unread => 0,
            Self::Error(_) | Self::Different => 1,
            Self::Trouble(_) => 2,
            Self::Machine(_) => 74,
            Self::Stopped => 75,
            Self::Interrupted => 130,
        }
    }

    /// What failed, if that is to be told.
    pub(super) fn why(&self) -> Option<&Why> {
        match self {
            Self::Error(why) | Self::Trouble(why) | Self::Machine(why) => Some(why),
            Self::Different | Self::Stopped | Self::Interrupted | Self::Unread => None,
        }
    }

    /// For commands whose exit code 1 means a difference, as for diff(1).
    pub(super) fn into_trouble(self) -> Self {
        match self {
            Self::Error(why) => Self::Trouble(why),
            other => other,
        }
    }

    /// The same with a word before its message.
    pub(super) fn at(self, place: impl fmt::Display) -> Self {
        match self {
            Self::Error(why) => format!("{place}: {why}").into(),
            other => other,
        }
    }
}

impl Why {
    fn as_error(&self) -> &(dyn Error + 'static) {
        match self {
            Self::Model(why) => why,
            Self::Run(why) => why,
            Self::Record(why) => why,
            Self::Read(why) => why,
            Self::Asked(why) => why,
            Self::Export(why) => why,
            Self::Other(why) => &**why,
            Self::Io(why) => why,
        }
    }

    /// How many faults it tells of.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Model(faults) => faults.list.len(),
            _ => 1,
        }
    }
}

/// An option as it is typed.
pub(super) fn typed(option: &str) -> String {
    format!("--{option}")
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(why) | Self::Export(ExportError::Asked(why)) => {
                f.write_str(&why.in_words(typed))
            }
            Self::Export(ExportError::Exists(_))
            | Self::Record(RecordError::Exists { .. })
            | Self::Run(RunError::Record(RecordError::Exists { .. })) => {
                let why = self.as_error();
                write!(f, "{why}; choose another name, or replace it with --force")
            }
            Self::Run(why @ RunError::Input { .. }) => write!(f, "{why} (--out)"),
            _ => fmt::Display::fmt(self.as_error(), f),
        }
    }
}

impl Error for Why {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.as_error().source()
    }
}

/// Faults of a model are told with an exit code of their own.
impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Self::Trouble(Why::Model(faults))
    }
}

impl From<io::Error> for Failure {
    fn from(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Error(Why::Io(why)),
        }
    }
}

impl From<TableError> for Failure {
    fn from(why: TableError) -> Self {
        match why {
            TableError::Write(why) if why.kind() == io::ErrorKind::BrokenPipe => Self::Unread,
            why => Self::Error(Why::Other(why.into())),
        }
    }
}

impl From<AskError> for Failure {
    fn from(why: AskError) -> Self {
        match why {
            AskError::Asked(why) => why.into(),
            AskError::Read(why) => why.into(),
        }
    }
}

impl From<SweepError> for Failure {
    fn from(why: SweepError) -> Self {
        match why {
            SweepError::Stopped => Self::Stopped,
            SweepError::Model(faults) => faults.into(),
            SweepError::File(why) => Self::Trouble(Why::Other(why.into())),
            SweepError::Refused(why) => Self::Trouble(Why::Other(why.into())),
            SweepError::Run(why) => why.into(),
            SweepError::Record(why) => why.into(),
            SweepError::Read(why) => why.into(),
            SweepError::Plan(why) => why.into(),
            SweepError::Io(why) => why.into(),
            SweepError::Changed(why) => {
                format!("{why}; --changed continues all the same, and records it").into()
            }
            SweepError::Other(why) => why.into(),
        }
    }
}

/// What fails with exit code 1.
macro_rules! errors {
    ($($error:ty => $why:expr),* $(,)?) => {
        $(
            impl From<$error> for Why {
                fn from(why: $error) -> Self {
                    $why(why)
                }
            }

            impl From<$error> for Failure {
                fn from(why: $error) -> Self {
                    Self::Error(why.into())
                }
            }
        )*
    };
}

fn other(why: impl Into<Box<dyn Error + Send + Sync>>) -> Why {
    Why::Other(why.into())
}

errors! {
    RunError => Why::Run,
    RecordError => Why::Record,
    ReadError => Why::Read,
    QuestionError => Why::Asked,
    ExportError => Why::Export,
    PictureError => other,
    PlanError => other,
    ImportFaults => other,
    String => other,
    &str => other,
}

#[cfg(feature = "lab")]
errors! {
    jostle_lab::bench::BenchError => other,
    jostle_lab::converge::ConvergeError => other,
    jostle_lab::reproduce::ReproduceError => other,
}
