"""What `gosu-rl cards impact` shows: the tables of a result, and the picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from gosu_rl.arena.impact import FEW, CardLine, ClanLine, Played, average, cards, clans, drafted, has_clans, sorts_of
from gosu_rl.arena.plan import Plan
from gosu_rl.arena.result import Result
from gosu_rl.arena.stats import Interval
from gosu_rl.arena.tables import Cell, Figure, Table
from gosu_rl.arena.wording import rules_text, worded

PICTURE = "impact.png"
FILES = (
    ("impact.csv", "dealt"),
    ("found.csv", "kept, held, played, in the army"),
    ("clans.csv", "clans"),
)  # as the tables
QUESTIONS = ("kept", "held", "played", "ended")
SORTS = ("dealt", "kept", "held", "played", "army", "name")
NOTES = (
    "Dealt: the deal is random, so the win share of seats that were dealt a card tells what the card does, diluted by the "
    "others of the hand. It is compared with the fair share 1/n. This is the column to judge a card by.",
    "Kept, held, played, in the army: not random. Players choose what they keep and play, and whoever is winning draws and plays "
    "more cards. These figures say where a card is found when games are won; they are compared with the average card of the same "
    "{peer} and must not be read as what the card does.",
    "● marks what stands out from the comparison after the correction of Benjamini and Hochberg over all cards of a column: of the "
    "marks in a column one in twenty is false on average. Unmarked differences are not shown to be more than chance.",
    f"Intervals are 95 %, one deal is one block; they are not corrected for reading many at once. –: fewer than {FEW} deals.",
)
NOTES_DRAFT = (
    "Dealt: who drafts a clan is no chance (but with --draft random), which of a deck's cards come first is. So a card is compared "
    "with the average card of its own clan: what being dealt this one rather than another of the clan does. This is the column to "
    "judge a card by.",
    *NOTES[1:],
)
CLAN_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8A6D00", "#56B4E9", "#222222", "#7A4FBF")


def make_result(
    game: Any, plan: Plan, games: Played, command: str, wanted: int, sort: str = "dealt", plots: bool = True
) -> Result:
    """The result of a run: two tables of cards, and one of clans if any. `wanted`: deals asked for; `sort` one of SORTS."""
    lines = sorted_cards(cards(game, games), sort)
    n = plan.players
    who = f"{plan.names[0]} in self-play" if len(plan.names) == 1 else " against ".join(plan.agents)
    incomplete = "" if games.deals == wanted else f"INCOMPLETE: {games.deals:,} of {wanted:,} deals"
    seatings = f"{len(plan.seatings)} seating{'s' if len(plan.seatings) > 1 else ''}"
    truncated = int((~games.good).sum())
    facts = [
        ("agents", who),
        ("players", str(n)),
        (
            "games",
            f"{games.games:,} = {games.deals:,} deals x {seatings} x {n} {worded('first holders', game.variant)}",
        ),
        ("truncated", worded(f"{truncated:,} games, left out (T45)", game.variant)),
        ("seed", str(plan.seed)),
        ("rules", rules_text(game.rules)),
        ("intervals", "95 %, one deal = one block; a shared win counts 1/w"),
    ]
    return Result(
        kind="impact",
        title=f"Which cards win in {game.card_set.variant}, {n} players: {who}",
        banner=game.card_set.banner,
        command=command,
        identity=plan.identity(game),
        facts=facts,
        tables=_tables(game, lines, games, n),
        plots=[(PICTURE, "Cards by what they do to the win share")] if plots else [],
        files=list(files_of(game)),
        incomplete=incomplete,
        notes=tuple(note.replace("{peer}", sorts_of(game).peer) for note in (NOTES_DRAFT if drafted(game) else NOTES)),
    )


def files_of(game: Any) -> tuple[tuple[str, str], ...]:
    """Name and content of the file of each table."""
    return FILES if has_clans(game) else FILES[:2]


def _tables(game: Any, lines: Sequence[CardLine], games: Played, n: int) -> list[Table]:
    found = [_dealt(game, lines, n), _found(game, lines, games)]
    return [*found, _clans(clans(game, games), n, game)] if has_clans(game) else found


def sorted_cards(lines: Sequence[CardLine], sort: str) -> list[CardLine]:
    """Best first by one of SORTS; cards without enough deals last."""
    if sort == "name":
        return sorted(lines, key=lambda line: line.label)
    name = "ended" if sort == "army" else sort

    def strength(line: CardLine) -> tuple[bool, float]:
        won = line.figures[name].won
        return (won.blocks < FEW, 0.0 if won.blocks < FEW else -won.estimate)

    return sorted(lines, key=strength)


def _dealt(game: Any, lines: Sequence[CardLine], n: int) -> Table:
    sorts = sorts_of(game)
    against = "against its clan" if drafted(game) else "against 1/n"
    columns = (
        "card",
        sorts.group,
        sorts.rank,
        "seats dealt it",
        "win share",
        against,
        "q",
    )
    rows: list[list[Cell]] = []
    for line in lines:
        one = line.figures["dealt"]
        q = None if one.q != one.q else Figure.of(one.q, "chance")
        row: list[Cell] = [line.label, line.clan, line.level, one.seats, _figure(one.won)]
        rows.append([*row, _figure(one.versus.interval, "effect", one.stands), q])
    return Table(
        f"Dealt among the opening {game.rules['deal']}: what a card does",
        columns,
        rows,
        f"The deal decides who has it, so {'the difference' if drafted(game) else 'this'} is cause and effect. "
        f"Fair share {100 / n:.1f} %.",
        fair=1 / n,
        about={
            "seats dealt it": "seats of games that had it among their opening cards",
            against: "● stands out after correction for reading all cards",
            "q": "rate of false discoveries at which it would just be marked",
        },
    )


def _found(game: Any, lines: Sequence[CardLine], games: Played) -> Table:
    sorts = sorts_of(game)
    asked = QUESTIONS if "turn" in game.kinds else QUESTIONS[1:]  # where nothing is discarded first, kept is dealt
    columns = (
        "card",
        sorts.group,
        sorts.rank,
        *(["wins if kept", "if held"] if "kept" in asked else ["wins if held"]),
        "played",
        "wins if played",
        "at end",
        "wins if there",
        "winners have",
        "losers have",
    )
    rows: list[list[Cell]] = []
    for peer in sorted(set(sorts.peers)):
        usual: list[Cell] = ["average card", *(["", peer] if sorts.peer == sorts.rank else [peer, None])]
        for name in asked:
            usual += [None] if name in ("played", "ended") else []
            usual.append(_figure(average(game, games, name, peer)))
        rows.append([*usual, None, None])
    for line in lines:
        row: list[Cell] = [line.label, line.clan, line.level]
        for name in asked:
            one = line.figures[name]
            row += [_figure(one.rate)] if name in ("played", "ended") else []
            row.append(_figure(one.won, stands=one.stands))
        rows.append([*row, _figure(line.winners), _figure(line.losers)])
    note = (
        f"Not cause and effect: compare with the average card of the {sorts.peer} (● differs from it), "
        "not with the fair share."
    )
    opening, played = "the opening discards", "recruit it or mutate into it"
    if drafted(game):
        opening, played = "the mulligan", "play it or shift to it"
    elif not has_clans(game):
        played = "play it"
    about = {
        "wins if kept": f"in hand after {opening}",
        "if held": "in hand at any time in play",
        "wins if held": "in hand at any time in play",
        "played": f"seats that {played}",
        "at end": "seats that have it in the army at the end" + (", face down too" if has_clans(game) else ""),
        "winners have": "winning seats that have it in the army at the end",
        "losers have": "losing seats that have it there",
    }
    title = ("Kept, held" if "kept" in asked else "Held") + ", played, in the army"
    about = {name: text for name, text in about.items() if name in columns}
    return Table(f"{title}: where a card is found when games are won", columns, rows, note, about=about)


def _clans(lines: Sequence[ClanLine], n: int, game: Any) -> Table:
    columns = (
        "clan",
        "of all cards",
        "win share a card dealt",
        "against 1/n",
        "of winners' armies",
        "of losers' armies",
        "difference",
        "leads",
        "wins when leading",
    )
    rows: list[list[Cell]] = []
    for line in lines:
        versus = line.dealt.interval
        share = Interval(versus.estimate + 1 / n, versus.low + 1 / n, versus.high + 1 / n, versus.blocks)
        row: list[Cell] = [line.clan, Figure.of(line.copies, "share"), _figure(share), _figure(versus, "effect")]
        row += [_figure(line.winners), _figure(line.losers), _figure(line.difference, "effect")]
        rows.append([*row, _figure(line.led), _figure(line.won_led)])
    about = {
        "win share a card dealt": "mean over all opening cards of the clan",
        "of winners' armies": "part of the goblins in them",
        "leads": "armies in which no clan has more goblins",
    }
    note = "Only the two columns about dealt cards are cause and effect" + (
        ", with --draft random." if drafted(game) else "."
    )
    return Table("Clans", columns, rows, note, fair=1 / n, about=about)


def _figure(one: Interval, unit: str = "share", stands: bool = False) -> Figure | None:
    return None if one.blocks < FEW else Figure(one, unit, stands=stands)


# ------------------------------------------------------------------------------------------------ the picture


def as_png(game: Any, plan: Plan, games: Played, result: Result, sort: str = "dealt") -> bytes:
    """Dots with intervals, a line a card: dealt against 1/n, held and in the army against the average of the level."""
    lines = sorted_cards(cards(game, games), sort)
    sorts = sorts_of(game)
    names = list(dict.fromkeys(sorts.groups))
    colours = {name: CLAN_COLOURS[place % len(CLAN_COLOURS)] for place, name in enumerate(names)}
    picture = Picture(figsize=(12.5, 2.6 + 0.215 * len(lines)), dpi=110, layout="constrained")
    frames: Any = picture.subfigures(2, 1, height_ratios=(0.75, 1.8 + 0.215 * len(lines)))
    head, body = frames
    axes = body.subplots(1, 3, sharey=True, width_ratios=(1.35, 1, 1))
    versus = "the average card of its clan" if drafted(game) else "1/n"
    panels = (
        ("dealt", "Dealt: what the card does", f"win share against {versus}, points"),
        ("held", "Held in play", f"against the average card of its {sorts.peer}, points"),
        ("ended", "In the army at the end", f"against the average card of its {sorts.peer}, points"),
    )
    for axis, (name, title, label) in zip(axes, panels, strict=True):
        _dots(axis, lines, name, colours)
        axis.set_title(title, fontsize=12, fontweight="bold")
        axis.set_xlabel(label, fontsize=9.5)
    axes[0].set_yticks(range(len(lines)), [line.label for line in lines], fontsize=8.5)
    for tick, line in zip(axes[0].get_yticklabels(), lines, strict=True):
        tick.set_color(colours[line.clan])
    axes[0].set_ylim(len(lines) - 0.4, -0.6)
    marks = [Line2D([], [], marker="o", linestyle="", color=colours[name], label=name) for name in names]
    marks.append(Line2D([], [], marker="o", linestyle="", color="#555555", label="stands out (B–H, 5 %)"))
    marks.append(
        Line2D([], [], marker="o", linestyle="", color="#555555", markerfacecolor="white", label="may be chance")
    )
    head.legend(handles=marks, loc="lower center", ncols=len(marks), frameon=False, fontsize=9)
    head.suptitle(result.title, fontsize=14, fontweight="bold")
    foot = f"{game.card_set.banner}\n{games.games:,} games on {games.deals:,} deals, seed {plan.seed}; 95 % intervals over deals"
    body.supxlabel(f"{result.incomplete}\n{foot}" if result.incomplete else foot, fontsize=8.5, color="#555555")
    out = io.BytesIO()
    picture.savefig(out, format="png")
    return out.getvalue()


def _dots(axis: Axes, lines: Sequence[CardLine], name: str, colours: dict[str, str]) -> None:
    for place, line in enumerate(lines):
        one = line.figures[name].versus.interval
        if one.blocks < FEW:
            continue
        colour = colours[line.clan]
        if one.low == one.low:
            axis.plot([100 * one.low, 100 * one.high], [place, place], color=colour, linewidth=1.6, zorder=2)
        face = colour if line.figures[name].stands else "white"
        axis.plot(100 * one.estimate, place, "o", color=colour, markerfacecolor=face, markersize=5.5, zorder=3)
    axis.axvline(0, color="#8A8A8A", linewidth=1.2, zorder=1)
    for place in range(0, len(lines), 2):
        axis.axhspan(place - 0.5, place + 0.5, color="#F4F4F2", zorder=0)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(axis="y", length=0)
    axis.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:+.0f}" if x else "0")
