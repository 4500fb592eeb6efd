"""
The part of the package `jostle` that is written in Rust.
"""

from _typeshed import Incomplete, SupportsGetItem
from os import PathLike
from pathlib import Path
from types import CapsuleType
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["Ended", "Frame", "Genealogy", "Job", "ParsedModel", "Sheet", "Simulation", "StopFlag", "SweepFolder", "Table", "after_fork", "after_fork_in_child", "analyse", "before_fork", "check_readable", "cli", "contacts", "export", "genealogy", "info", "inline", "is_unit", "keys", "log_to_python", "may_write", "microseconds", "moments", "report", "rerun", "resume", "run_to_end", "set_program", "slot_species", "snapshot", "start", "state_hashes", "version", "warnings", "written"]

@final
class Ended:
    """
    What came of a run.
    """
    @property
    def is_equal(self, /) -> bool | None:
        """
        Of a run that was compared with another: whether they are equal.
        """
    @property
    def is_finished(self, /) -> bool:
        """
        Whether all steps were done.
        """
    @property
    def text(self, /) -> str:
        """
        What the program would print.
        """

@final
class Frame:
    """
    A frame of a file. What is asked of it is read from the file, which must not have become another
    one in the meantime.
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, path: str | PathLike[str], number: SupportsIndex) -> Frame:
        """
        The frame of this number, counted from 0.
        """
    def bonds(self, /) -> Incomplete:
        """
        The bonds, as pairs of places in the other arrays.
        """
    def clusters(self, /) -> tuple[Incomplete, Incomplete]:
        """
        The clusters that the particles belong to, and how many particles have coalesced into each.
        """
    def edges(self, /) -> tuple[Incomplete, list[bool]]:
        """
        The edges of the box, and which of its axes are periodic. \\[nm\\]
        """
    def ids(self, /) -> Incomplete:
        """
        The identities of the particles.
        """
    def molecules(self, /) -> list[str]:
        """
        The particles of species with sites as molecules in BioNetGen's notation, the others by the
        names of their species.
        """
    @property
    def number(self, /) -> int: ...
    def orientations(self, /) -> Incomplete | None:
        """
        By how much particles with outlines are turned, if the file says so. \\[rad\\]
        """
    def positions(self, /, unwrapped: bool) -> Incomplete:
        """
        Positions within the box, or as if periodic axes had no end. \\[nm\\]
        """
    def quaternions(self, /) -> Incomplete | None:
        """
        How particles are turned, as quaternions (w, x, y, z), if any site points somewhere.
        """
    def radii(self, /) -> Incomplete:
        """
        Radii. \\[nm\\]
        """
    def species(self, /) -> tuple[Incomplete, list[str]]:
        """
        The numbers of the species of the particles, and the names of all species.
        """
    @property
    def step(self, /) -> int: ...
    @property
    def time_us(self, /) -> float | None: ...
    def velocities(self, /) -> Incomplete | None:
        """
        Velocities, if the file has them. \\[nm/ns\\]
        """

@final
class Genealogy:
    """
    How clusters merged and fell apart.
    """
    def descents(self, /) -> Table:
        """
        A row for each descent.
        """
    def lives(self, /) -> Table:
        """
        A row for each life of a cluster.
        """
    def save(self, /, path: str | PathLike[str], overwrite: bool) -> None:
        """
        Writes it as .graphml, .dot or .csv.
        """

@final
class Job:
    """
    A run on a thread of its own.
    """
    def finish(self, /, progress: Any | None = None) -> Ended:
        """
        Waits for the end, and tells what came of it.
        """
    @property
    def is_over(self, /) -> bool:
        """
        Whether it is over, one way or another.
        """
    @property
    def step(self, /) -> int:
        """
        The steps done.
        """
    @property
    def steps(self, /) -> int:
        """
        The steps of the whole run.
        """
    def stop(self, /) -> None:
        """
        Ends it after the present step.
        """
    @property
    def time_us(self, /) -> float:
        """
        The time that the run has come to. \\[µs\\]
        """
    @property
    def until_us(self, /) -> float:
        """
        The time at its end. \\[µs\\]
        """
    def wait(self, /, seconds: SupportsFloat | SupportsIndex) -> bool:
        """
        Waits for at most this long \\[s\\]; whether it is over.
        """

@final
class ParsedModel:
    """
    A model that has been read and checked.
    """
    def check(self, /) -> dict:
        """
        What a run will be like, after a few steps have been tried: the text that `jostle check`
        prints, and the figures in it.
        """
    @property
    def counts(self, /) -> list[int]:
        """
        How many particles of each species there are at the start.
        """
    @property
    def dimension(self, /) -> int: ...
    def edited(self, /) -> str:
        """
        The text with what went on top of it, written out as if it had said so itself.
        """
    @property
    def engine(self, /) -> str:
        """
        The word for the engine that runs it.
        """
    @property
    def files(self, /) -> list[Path]:
        """
        Other files that the model reads.
        """
    @staticmethod
    def load(path: str | PathLike[str], overrides: SupportsGetItem[int, tuple[str, str]]) -> ParsedModel:
        """
        Reads and checks a model file, or the model of an output file.
        """
    @property
    def name(self, /) -> str:
        """
        What stands for the file in messages.
        """
    @property
    def overrides(self, /) -> list[tuple[str, str]]:
        """
        Keys and values that went on top of the text.
        """
    @staticmethod
    def parse(text: str, name: str, overrides: SupportsGetItem[int, tuple[str, str]], path: str | PathLike[str] | None = None) -> ParsedModel:
        """
        Reads and checks the text of a model; `path` is the file that it was read from.
        """
    @property
    def path(self, /) -> Path | None:
        """
        The file that the model was read from.
        """
    @property
    def resolved(self, /) -> str:
        """
        Everything that applies, defaults included, as TOML.
        """
    @property
    def rules(self, /) -> list[str]:
        """
        The names of rules and of the entries of the schedule.
        """
    @property
    def seed(self, /) -> int: ...
    @property
    def species(self, /) -> list[str]:
        """
        The names of the species, a state being a species of its own.
        """
    @property
    def steps(self, /) -> int: ...
    @property
    def text(self, /) -> str:
        """
        The text that the model was read from.
        """
    @property
    def timestep_us(self, /) -> float: ...
    @property
    def title(self, /) -> str: ...
    @property
    def until_us(self, /) -> float: ...
    def warnings(self, /) -> list[tuple[str, str]]:
        """
        What looks wrong, without a trial: keys and texts.
        """
    def with_overrides(self, /, more: SupportsGetItem[int, tuple[str, str]]) -> ParsedModel:
        """
        The same model with more on top of it.
        """

@final
class Sheet:
    """
    A drawing.
    """
    def of_width(self, /, width: str) -> Sheet:
        """
        The same so wide: `3.4 in`.
        """
    def pdf(self, /) -> bytes:
        """
        As a PDF file.
        """
    def png(self, /) -> bytes:
        """
        As a PNG file.
        """
    def save(self, /, path: str | PathLike[str], overwrite: bool, dpi: SupportsFloat | SupportsIndex) -> None:
        """
        Writes it as SVG, PDF or PNG, as the name of the file asks.
        """
    def svg(self, /) -> str:
        """
        As an SVG document.
        """
    def title(self, /) -> str:
        """
        What it shows.
        """

@final
class Simulation:
    """
    A simulation that is advanced step by step.
    """
    def __new__(cls, /, model: ParsedModel, out: str | PathLike[str] | None, *, overwrite: bool, self_check: bool, checkpoint: str, contacts: str, changes: bool) -> Simulation: ...
    def add(self, /, species: str, places: SupportsGetItem[int, SupportsFloat | SupportsIndex]) -> list[int]:
        """
        Adds particles of a species at these places \\[nm\\], one after the other; their identities.
        """
    def collected(self, /) -> tuple[Table, Table]:
        """
        Contacts and changes since the last call, as two tables.
        """
    def finish(self, /) -> Ended:
        """
        Ends it, and closes its file.
        """
    @property
    def is_finished(self, /) -> bool:
        """
        Whether it is finished.
        """
    def positions(self, /) -> Incomplete:
        """
        Positions alone. \\[nm\\]
        """
    def remove(self, /, ids: SupportsGetItem[int, SupportsIndex]) -> None:
        """
        Takes particles away.
        """
    def rule_counts(self, /) -> list[tuple[str, int, int]]:
        """
        How often each cause of changes has applied and was refused, by name.
        """
    def run_until(self, /, time_us: SupportsFloat | SupportsIndex) -> None:
        """
        Does all steps up to a time. \\[µs\\]
        """
    def set_rate(self, /, rule: str, rate: str) -> None:
        """
        Gives a rule another rate.
        """
    @property
    def species(self, /) -> list[str]:
        """
        The names of the species, by number.
        """
    def state(self, /) -> dict:
        """
        The state, array by array.
        """
    def state_hash(self, /) -> int:
        """
        The fingerprint of the state.
        """
    def step(self, /, steps: SupportsIndex) -> None:
        """
        Does this many steps.
        """
    @property
    def steps_done(self, /) -> int:
        """
        The steps done.
        """
    @property
    def time_us(self, /) -> float:
        """
        \\[µs\\]
        """
    def warnings(self, /) -> list[str]:
        """
        What it would warn of if it ended here.
        """

@final
class StopFlag:
    """
    Stops what it was given to, from any thread.
    """
    def __new__(cls, /) -> StopFlag: ...
    def set(self, /) -> None:
        """
        Stops it soon.
        """

@final
class SweepFolder:
    """
    A sweep that is planned in a folder.
    """
    def facts(self, /) -> tuple[int, bool]:
        """
        The seed, and whether the plan says how well something is to be known.
        """
    def forecast(self, /) -> list[str]:
        """
        What the sweep will take, line by line.
        """
    def is_of(self, /, file: str | PathLike[str]) -> bool:
        """
        Whether the plan was made of this sweep file and its model, whatever was added since.
        """
    def main_tables(self, /) -> list[str]:
        """
        The main table of each thing that is measured.
        """
    def merged(self, /, against: SupportsIndex | None = None) -> list[tuple[str, Table]]:
        """
        All tables that have rows, merged over replicas or of differences from a point, in the order in
        which they are measured.
        """
    def missing(self, /) -> list[tuple[int, int]]:
        """
        The tasks that have not been done, each with the number of its runs.
        """
    def more(self, /, replicas: SupportsIndex | None) -> tuple[list[tuple[int, int]], int, int, list[str]]:
        """
        Adds replicas; returns the points that got more and how many, how many runs and tasks that
        is, and what is to be said to the user.
        """
    def of_replicas(self, /, name: str) -> tuple[Table, int]:
        """
        A table of all replicas, and how many of its columns, behind those of the point and the
        replica, say what a row is about.
        """
    @staticmethod
    def open(folder: str | PathLike[str]) -> SweepFolder:
        """
        Opens a folder with a plan.
        """
    def page(self, /, out: str | PathLike[str]) -> tuple[str, list[str]]:
        """
        The page about the sweep, to be written to `out`, and what its reader should know.
        """
    @staticmethod
    def plan(file: str | PathLike[str], folder: str | PathLike[str]) -> tuple[SweepFolder, list[str]]:
        """
        Plans a sweep file in a folder; with it comes what its author should know.
        """
    def points(self, /) -> list[tuple[list[tuple[str, str]], int]]:
        """
        What each point sets, and how many replicas it has.
        """
    def run(self, /, jobs: SupportsIndex | None, more: bool, stop: StopFlag, tell: Any | None) -> list[str]:
        """
        Runs what has not been done; `tell` is called now and then with the number of runs that are
        done, and of all that are to be. Returns what is to be said to the user.
        """
    def script(self, /, engine: str) -> tuple[str, str | None]:
        """
        A job script for what has not been done, and what its user should know.
        """
    def status(self, /) -> tuple[int, int, int, int, list[tuple[int, int, int, str]], list[int], list[tuple[int, int, int, list[str]]]]:
        """
        The number of points, of tasks and of runs, how many runs are done, which of them failed, the
        tasks that have not been done, and which runs warned of something.
        """
    def task(self, /, number: SupportsIndex, stop: StopFlag) -> int:
        """
        Runs a task, unless it has been done; returns how many of its runs failed.
        """
    def text(self, /) -> str | None:
        """
        The sweep file, if there was one.
        """

@final
class Table:
    """
    A table of words and numbers, as far as it is kept in Rust.
    """
    def __arrow_c_schema__(self, /) -> CapsuleType:
        """
        The schema in Arrow's C data interface.
        """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> CapsuleType:
        """
        The table in Arrow's C stream interface; nothing is copied.
        """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, heads: SupportsGetItem[int, str], parts: SupportsGetItem[int, tuple]) -> Table:
        """
        Puts a table together from its heads and, for each column, the values, what is missing and
        the words, as [`Table::parts`] gives them.
        """
    def __reduce__(self, /) -> tuple[type, tuple[list[str], list[tuple]]]:
        """
        Heads and parts, from which the table can be made again.
        """
    @property
    def heads(self, /) -> list[str]:
        """
        The heads of the columns as people read them: `lag (µs)`.
        """
    @property
    def names(self, /) -> list[str]:
        """
        The names of the columns: `lag_us`.
        """
    def parts(self, /, column: SupportsIndex) -> tuple:
        """
        What a column holds: its values, which of them are missing, and its words. The values of
        words are their places in the list of words, or -1.
        """
    def plot(self, /, x: SupportsIndex | None, y: SupportsIndex | None, by: SupportsIndex | None) -> Sheet:
        """
        Draws one column over another, with a line for each word of a third one.
        """
    def rows(self, /, start: SupportsIndex, stop: SupportsIndex) -> list[dict]:
        """
        Some rows, each as a dictionary; what is missing is None.
        """
    def save(self, /, path: str | PathLike[str], overwrite: bool) -> None:
        """
        Writes the table; the ending of the name says how: .csv, .json, .parquet or .txt.
        """
    def shown(self, /, most: SupportsIndex) -> tuple[list[str], list[list[str]]]:
        """
        At most this many rows, evenly chosen, as the program prints them: the heads, then the cells.
        """
    def text(self, /, most: SupportsIndex) -> str:
        """
        The same with aligned columns.
        """
    @property
    def units(self, /) -> list[str | None]:
        """
        The units of the columns, where they have one.
        """

def after_fork() -> None:
    """
    Lets threads work again, in the parent.
    """

def after_fork_in_child() -> None:
    """
    Lets threads work, in the child: there are no others yet.
    """

def analyse(path: str | PathLike[str], what: str, options: SupportsGetItem[int, tuple[str, bool | str | SupportsGetItem[int, str]]]) -> tuple[str, list[tuple[str, Table]], list[tuple[str, Sheet]], list[str]]:
    """
    What an analysis says of a file.
    """

def before_fork() -> None:
    """
    Waits until no thread is at work, and keeps others from it.
    """

def check_readable(file: str | PathLike[str]) -> None:
    """
    Refuses what is no output file, or cannot be read.
    """

def cli(arguments: SupportsGetItem[int, str]) -> int:
    """
    Carries out a command line of the program, its name first, and returns the exit code.

    It reads and writes the standard streams of the process, and its Ctrl-C is the program's own.
    """

def contacts(path: str | PathLike[str], options: SupportsGetItem[int, tuple[str, bool | str | SupportsGetItem[int, str]]]) -> tuple[str, list[tuple[str, Table]], list[tuple[str, Sheet]], list[str]]:
    """
    What the log of contacts says.
    """

def export(path: str | PathLike[str], out: str | PathLike[str], options: SupportsGetItem[int, tuple[str, bool | str | SupportsGetItem[int, str]]]) -> tuple[list[Path], list[str]]:
    """
    Writes a file in the format of another program; the files written, and notes.
    """

def genealogy(path: str | PathLike[str], cluster: SupportsIndex | None, size: SupportsIndex | None) -> Genealogy:
    """
    The genealogy of clusters in a file.
    """

def info(path: str | PathLike[str]) -> tuple[str, list[tuple[str, str]], str]:
    """
    What is in a file: as JSON, as rows of names and values, and as text.
    """

def inline(value: Any) -> str:
    """
    A value as TOML in one line.
    """

def is_unit(text: str) -> bool:
    """
    Whether the text is a unit that model files know.
    """

def keys() -> str:
    """
    The table of keys as JSON.
    """

def log_to_python() -> None:
    """
    From now on the messages of the library go to `logging.getLogger("jostle")`.

    The program writes them to standard error itself; so this is not done when the module is loaded.
    """

def may_write(path: str | PathLike[str], overwrite: bool) -> None:
    """
    Refuses to replace a file unless that is allowed; the results of a run are never replaced.
    """

def microseconds(text: str, name: str) -> float:
    """
    A time with its unit in µs; `name` stands for the argument in messages.
    """

def moments(path: str | PathLike[str]) -> tuple[Incomplete | None, Incomplete]:
    """
    The times of the frames of a file in µs (none if it has no times), and their steps.
    """

def report(path: str | PathLike[str], frames: SupportsIndex | None, species: SupportsGetItem[int, str], only_player: bool) -> tuple[str, list[str]]:
    """
    A page about a file, or only its player, with this many frames; and its notes.
    """

def rerun(file: str | PathLike[str], out: str | PathLike[str] | None, set: SupportsGetItem[int, tuple[str, str]], *, steps: SupportsIndex | None, until: str | None, overwrite: bool) -> Job:
    """
    Starts to repeat the run of a file, to compare the results.
    """

def resume(file: str | PathLike[str], out: str | PathLike[str] | None, set: SupportsGetItem[int, tuple[str, str]], *, steps: SupportsIndex | None, until: str | None, changed: bool, self_check: bool, checkpoint: str) -> tuple[Path, Job]:
    """
    Starts to resume a run that was stopped or killed; the file that it writes, and the job.
    """

def run_to_end(model: ParsedModel, out: str | PathLike[str] | None, *, overwrite: bool, self_check: bool, checkpoint: str, progress: Any | None = None) -> Ended:
    """
    Runs a model to its end.
    """

def set_program(command: SupportsGetItem[int, str]) -> None:
    """
    Says what starts the program, so that runs of sweeps find it: a command and its first arguments.
    """

def slot_species(path: str | PathLike[str]) -> list[str]:
    """
    The species of each slot of a file, by name.
    """

def snapshot(path: str | PathLike[str], options: SupportsGetItem[int, tuple[str, bool | str | SupportsGetItem[int, str]]]) -> tuple[Sheet, list[str]]:
    """
    A picture of frames, and what is missing in it.
    """

def start(model: ParsedModel, out: str | PathLike[str] | None, *, overwrite: bool, self_check: bool, checkpoint: str) -> Job:
    """
    Starts a run of a model; it has begun when this returns.
    """

def state_hashes(file: str | PathLike[str]) -> list[int]:
    """
    The fingerprints of the states at the frames of a file.
    """

def version() -> str:
    """
    The version of the program.
    """

def warnings(path: str | PathLike[str]) -> list[str]:
    """
    What the run of a file has warned of.
    """

def written(sections: dict) -> str:
    """
    A model file with these sections, as TOML.
    """
