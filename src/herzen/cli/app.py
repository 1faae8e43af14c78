"""The commands and their options; each command's work is in the module of its name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from herzen._version import __version__
from herzen.cli.output import (
    BAD_INPUT,
    FINE,
    INTERRUPTED,
    BadInput,
    complain,
    guarded,
    silence,
)
from herzen.registry import GAMES

app = typer.Typer(
    name="herzen",
    help="Play, simulate and replay Hearts and its relatives.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _option(
    *names: str, metavar: str | None = None, help: str, min: int | None = None
) -> typer.models.OptionInfo:
    """An option that may be left out and then does nothing, so that the help has no default to show."""
    made: typer.models.OptionInfo = typer.Option(
        *names, metavar=metavar, help=help, min=min, show_default=False
    )
    return made


def _file(help: str) -> typer.models.OptionInfo:
    """The same for the name of a file."""
    return _option(metavar="FILE", help=help)


def _flag(*names: str, help: str) -> typer.models.OptionInfo:
    """An option without a value: without a metavar some versions of typer show one, `<bool>`."""
    made: typer.models.OptionInfo = typer.Option(*names, metavar="", help=help, show_default=False)
    return made


BOT_WORDS = "random, rule, search:1000 (simulations a move), search:0.5s, or module:Class"

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help=f"Which game: {', '.join(GAMES)}.", show_default=False)
]
Players = Annotated[int | None, _option(metavar="N", help="Number of seats.")]
Bots = Annotated[
    str, typer.Option(metavar="BOTS", help=f"{BOT_WORDS}; or one for each seat: rule,random,...")
]
Seed = Annotated[
    str | None,
    _option(
        metavar="SEED",
        help="A number, 64 hex digits, or any text. Without it every run is another one.",
    ),
]
RuleEntries = Annotated[
    list[str] | None,
    _option(
        "--rules",
        "--set",
        metavar="PRESET|NAME=VALUE",
        help="A preset such as omnibus, or one option such as target=50 or bonus=JD:-10. May be given often.",
    ),
]
Ascii = Annotated[bool, _flag("--ascii", help="Suits as letters: QS for the queen of spades.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"herzen {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            callback=_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
@guarded
def play(
    game: GameName,
    players: Players = None,
    seed: Seed = None,
    seat: Annotated[int, typer.Option(metavar="K", help="Your seat, from 0.")] = 0,
    bots: Bots = "rule",
    rules: RuleEntries = None,
    record: Annotated[
        str | None,
        _file(
            "Write the match to this file, however it ends; one that exists is not written over."
        ),
    ] = None,
    ascii_only: Ascii = False,
) -> None:
    """Play a match against bots in the terminal."""
    from herzen.cli.play import play_match

    play_match(game, players, seed, seat, bots, rules or [], record, ascii_only)


@app.command()
@guarded
def simulate(
    game: GameName,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000_000, help="Number of matches.")
    ] = 100,
    seed: Seed = None,
    bots: Bots = "random",
    players: Players = None,
    rules: RuleEntries = None,
    record: Annotated[
        str | None,
        _file("Write all matches, one JSON record a line, over what is in the file; .gz too."),
    ] = None,
    first: Annotated[
        int,
        typer.Option(
            metavar="I", min=0, max=(1 << 63) - 1, help="Number of the first match: to go on later."
        ),
    ] = 0,
    details: Annotated[
        bool, _flag("--details", help="Also count what happened in the deals (slower).")
    ] = False,
) -> None:
    """Let bots play many matches, and show who did how well.

    Match I is dealt from child seed I, so each can be played again alone.
    """
    from herzen.cli.simulate import simulate_matches

    simulate_matches(game, games, seed, bots, players, rules or [], record, first, details)


@app.command()
@guarded
def arena(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOTS...", help=f"{BOT_WORDS}.", show_default=False),
    ],
    deals: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000_000, help="Number of deals.")
    ] = 100,
    seed: Seed = None,
    players: Players = None,
    rules: RuleEntries = None,
    field: Annotated[
        str,
        typer.Option(
            metavar="FIELD",
            help="Who meets: mixed (all, as evenly as it goes), one (one among others of a kind), pairs.",
        ),
    ] = "mixed",
    table: Annotated[
        list[str] | None,
        _option(
            metavar="BOT,BOT,...",
            help="A table of these bots, instead of a field. May be given often.",
        ),
    ] = None,
    seating: Annotated[
        str,
        typer.Option(metavar="HOW", help="Seats: rotations of each table, or all orders of it."),
    ] = "rotations",
    file: Annotated[
        str | None,
        _file("Keep results and records in this SQLite file, and go on with what is in it."),
    ] = None,
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=1024, help="Processes that play.")
    ] = 1,
    dask: Annotated[
        str | None,
        _option(
            metavar="ADDRESS", help="Play on the Dask cluster of this scheduler: tcp://host:8786."
        ),
    ] = None,
    csv: Annotated[str | None, _file("Write the tables as CSV.")] = None,
    games_csv: Annotated[str | None, _file("Write every seat of every game as CSV.")] = None,
    plot: Annotated[str | None, _file("Draw scores and ratings: .png, .svg, .pdf.")] = None,
    records: Annotated[
        str | None, _file("Write all games, one JSON record a line; .gz too.")
    ] = None,
) -> None:
    """Let bots play a tournament on duplicate deals, and say which is better.

    Every deal is played in all seatings, so that luck of the cards and of the seat goes out.
    """
    from herzen.cli.arena import Files, Who, play_tournament

    who = Who(list(bots), players, rules or [], field, table or [], seating)
    play_tournament(
        game, who, deals, seed, workers, dask, Files(file, csv, games_csv, plot, records)
    )


@app.command()
@guarded
def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A record, or JSON Lines of records; .gz too.", show_default=False
        ),
    ],
    at: Annotated[
        int | None, _option(metavar="N", min=0, help="Show the table after N moves.")
    ] = None,
    seat: Annotated[
        int | None, _option(metavar="S", help="Show only what this seat may know.")
    ] = None,
    verify: Annotated[
        bool,
        _flag("--verify", help="Check that every record in the file replays to what it says."),
    ] = False,
    game: Annotated[
        int, typer.Option(metavar="K", min=0, help="Which record of the file to show, from 0.")
    ] = 0,
    log: Annotated[bool, _flag("--log", help="Also tell what happened, move by move.")] = False,
    html: Annotated[
        str | None,
        _option(
            metavar="OUT.html",
            help="Write the match as a page to look at in a browser; with --seat only what that seat may know.",
        ),
    ] = None,
    step: Annotated[
        bool, _flag("--step", help="Step through the match with the arrow keys.")
    ] = False,
    diff: Annotated[
        str | None,
        _option(
            metavar="OTHER",
            help="Say where the match and that of another file part; exit code 1 if they do.",
        ),
    ] = None,
    shrink: Annotated[
        str | None,
        _option(
            metavar="CHECK",
            help="Find the first and the smallest position for which a Python expression is false, or a script"
            " (a file, or statements) raises. It sees game and herzen. It is code and it is run.",
        ),
    ] = None,
    as_json: Annotated[bool, _flag("--json", help="Write JSON, for programs.")] = False,
    ascii_only: Ascii = False,
) -> None:
    """Show a recorded match, or a seat's own record: the table at the end or after N moves."""
    from herzen.cli.options import check_apart
    from herzen.cli.replay import compare, replay_file
    from herzen.cli.seat_replay import seat_record_in, show
    from herzen.cli.seat_replay import write_page as write_seat_page

    if sum((step, verify, diff is not None, shrink is not None, html is not None)) > 1:
        raise BadInput("one of --step, --verify, --diff, --shrink and --html at a time")
    if verify and (at is not None or seat is not None or log):
        raise BadInput("--verify looks at every record as a whole: not with --at, --seat or --log")
    check_apart({"FILE": file, "--html": html})
    own = seat_record_in(file)
    if own is not None:
        if step or verify or diff is not None or shrink is not None:
            raise BadInput(
                "a seat's record holds views, not moves: only --at, --log, --json and --html"
            )
        if html is None:
            show(own, at, seat, log, ascii_only, as_json)
        else:
            write_seat_page(own, html, at, seat)
    elif html is not None:
        from herzen.cli.page import write_page

        write_page(file, html, game, seat, at)
    elif diff is not None:
        compare(file, diff, game, as_json)
    elif shrink is not None:
        from herzen.cli.shrink import shrink_record

        shrink_record(file, shrink, game, as_json)
    elif step:
        try:
            from herzen.cli.stepper import step_through
        except ImportError:
            raise BadInput(
                "--step needs textual: python -m pip install 'herzen[cli]', or '.[cli]' in a checkout"
            ) from None
        step_through(file, game, at, seat, ascii_only)
    else:
        replay_file(file, at, seat, verify, game, log, ascii_only, as_json)


@app.command()
@guarded
def records(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="JSON Lines of records, or one record; .gz too.",
            show_default=False,
        ),
    ],
    game: Annotated[str | None, _option(metavar="NAME", help="Only matches of this game.")] = None,
    players: Players = None,
    winner: Annotated[
        int | None, _option(metavar="S", min=0, help="Only matches that seat S won.")
    ] = None,
    finished: Annotated[
        bool | None, _flag("--finished/--running", help="Only finished, or running, matches.")
    ] = None,
    least: Annotated[
        int | None, _option("--min-moves", metavar="N", min=0, help="Only with N moves or more.")
    ] = None,
    most: Annotated[
        int | None, _option("--max-moves", metavar="N", min=0, help="Only with N moves or fewer.")
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000_000, help="How many to list.")
    ] = 20,
    statistics: Annotated[
        bool, _flag("--stats", help="Count instead of listing: by game, rules and seats.")
    ] = False,
    into: Annotated[
        str | None, _option("--into", metavar="OUT", help="Write them to another file instead.")
    ] = None,
    torn: Annotated[
        bool, _flag("--torn", help="The end may be missing, as a killed writer leaves it.")
    ] = False,
    as_json: Annotated[bool, _flag("--json", help="Write JSON, one record a line.")] = False,
) -> None:
    """List the records of an archive, choose among them, or count what is in them."""
    from herzen.cli.options import check_apart
    from herzen.cli.records import Wanted, show_records

    if statistics and into is not None:
        raise BadInput("one of --stats and --into at a time")
    check_apart({"FILE": file, "--into": into})
    wanted = Wanted(game, players, winner, finished, least, most)
    show_records(file, wanted, limit, statistics, torn, into, as_json)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code. One line on stderr where the command line itself is wrong."""
    command = typer.main.get_command(app)
    given = None if arguments is None else list(arguments)
    try:
        code = command.main(args=given, prog_name="herzen", standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort:
        return INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
        return FINE
    except SystemExit as left:
        if left.code != 1:
            raise
        # How typer ends where a reader of the help has gone away.
        silence(sys.stdout)
        return FINE
    except Exception as error:
        # Typer brings its own copy of click in some versions, so its usage errors have no class to name here.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        complain(f"{message()} (herzen --help shows how)")
        return BAD_INPUT
    return code if isinstance(code, int) else 0
