"""`gosu-rl cards`: list, show, check, export and sample card sets; measuring which cards win is in `impact.py`."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gosu_rl.cli import epic_cards, impact
from gosu_rl.core.cards import layouts
from gosu_rl.core.cards.check import RULEBOOKS
from gosu_rl.core.cards.epic_schema import EpicSet
from gosu_rl.core.cards.load import dump, load, packaged, read
from gosu_rl.core.cards.sample import sample_set
from gosu_rl.core.cards.schema import ALL_TRIGGERS, PROVENANCES, SIDES, Card, CardFileError, CardSet, Tile
from gosu_rl.core.cards.wording import nearest, quoted
from gosu_rl.core.files import write_whole

WIDTH = 100  # columns that a table may take
LEGENDS = (
    "Mutation: cost in cards, z = zombie.",
    "Shift: cost in cards, - = it cannot be shifted.",
)  # the second: Gosu X

CARDS_HELP = """\
Card sets are TOML files with a source for every field. To play with the cards of your own box:

  gosu-rl cards export tactics > mine.toml      a copy to edit (docs/cards.md explains every field)
  gosu-rl cards check mine.toml                 says what is wrong with it, line by line
  gosu-rl play ... --cards mine.toml            and so on every command that takes --cards
"""
SHOW_HELP = """\
examples:
  gosu-rl cards show tactics                    every face, by clan
  gosu-rl cards show tactics "Le Prescient X"   one face, with the source of every field
  gosu-rl cards show mine.toml --markdown       the faces as a Markdown table
"""
CHECK_HELP = """\
Prints every fault with file, line, card and field. The exit status is 0 if all files are good, else 1.

examples:
  gosu-rl cards check mine.toml
  gosu-rl cards check sets/*.toml
"""
EXPORT_HELP = """\
examples:
  gosu-rl cards export tactics > mine.toml
  gosu-rl cards export tactics -o mine.toml     never overwrites a file, unless --force is given
"""
SAMPLE_HELP = """\
A sampled set meets everything the rulebook states; powers and costs are drawn at random. The same seed gives the same
set on every machine, so that results over many plausible sets can be repeated.

examples:
  gosu-rl cards sample tactics --seed 7 -o sample-7.toml
  gosu-rl cards sample tactics --seed 7 | less
"""


def add_parser(subparsers: Any) -> None:
    """Add `cards` and its subcommands to the parser of `gosu-rl`."""
    raw = argparse.RawDescriptionHelpFormatter
    about = "list, show, check, export and sample card sets"
    cards = subparsers.add_parser("cards", help=about, description=about, epilog=CARDS_HELP, formatter_class=raw)
    commands = cards.add_subparsers(dest="cards_command", metavar="COMMAND", required=True)

    def command(name: str, function: Any, about: str, epilog: str = "") -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=about, description=about, epilog=epilog, formatter_class=raw)
        parser.set_defaults(run=function)
        return parser

    command("list", run_list, "the packaged card sets, and where they come from")
    show = command("show", run_show, "the cards of a set, or one card", SHOW_HELP)
    show.add_argument("set", metavar="NAME-or-FILE", help="a packaged set, or a path that ends in .toml")
    show.add_argument("card", metavar="CARD", nargs="?", help='one face, for example "Ember Whelp" or "Ember Whelp X"')
    show.add_argument("--markdown", action="store_true", help="print a Markdown table")
    check = command("check", run_check, "say whether card files are good, and what is wrong", CHECK_HELP)
    check.add_argument("files", metavar="FILE", nargs="+", help="a path that ends in .toml, or a packaged set")
    export = command("export", run_export, "write a set as a file to edit", EXPORT_HELP)
    export.add_argument("set", metavar="NAME-or-FILE", help="a packaged set, or a path that ends in .toml")
    export.add_argument("--layout", metavar="FILE", help="epic_death: a layout file (.txt) to add (docs/cards.md)")
    sample = command("sample", run_sample, "draw a rulebook-consistent set at random", SAMPLE_HELP)
    sample.add_argument("variant", metavar="VARIANT", help=f"one of: {', '.join(RULEBOOKS)}")
    sample.add_argument("--seed", type=int, required=True, help="a whole number, 0 or more")
    impact.add_parser(commands)
    for parser in (export, sample):
        parser.add_argument("-o", "--output", metavar="FILE", help="write there and not to standard output")
        parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")


def run_list(args: argparse.Namespace) -> int:
    """One paragraph a packaged set."""
    for name in packaged():
        card_set = load(name)
        print(f"{name}: {card_set.title}, version {card_set.version}, hash {card_set.hash}")
        print(f"  variant {card_set.variant}, {counted(card_set)}")
        print(f"  {origin(card_set)}")
    return 0


def run_show(args: argparse.Namespace) -> int:
    """All faces of a set, or one of them."""
    card_set = load(args.set)
    if args.card is not None:
        print("\n".join(card_lines(card_set, find_card(card_set, args.card))))
    elif args.markdown:
        print("\n".join(markdown_lines(card_set)))
    else:
        print("\n".join(set_lines(card_set)))
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Every fault of every file; 1 if there is any."""
    bad = 0
    for source in args.files:
        card_set, found = read(source)
        for line in found:
            print(line)
        if card_set is not None and not found:
            found = _kernel_faults(card_set)
            for line in found:
                print(line)
        if found or card_set is None:
            bad += 1
            print(f"{source}: {len(found)} fault{'s' if len(found) > 1 else ''}")
        else:
            print(f"{source}: good: {counted(card_set)}, hash {card_set.hash}")
            print(f"  {origin(card_set)}")
            for line in _hints(card_set):
                print(f"  {line}")
    return 1 if bad else 0


def _kernel_faults(card_set: CardSet) -> list[str]:
    """What keeps a set that is right in itself from being played: its texts may be more than the tables of the kernel hold."""
    from gosu_rl.core.variants import KERNELS  # here: the other subcommands need no compiler

    kernel = KERNELS[card_set.variant]
    wanted = (
        {"layout": 1} if isinstance(card_set, EpicSet) else None
    )  # a set may have no second one, which is the usual
    numbers = kernel.numbers(card_set.variant, wanted)
    try:
        table = kernel.actions(card_set, kernel.players[0], numbers)
        kernel.compile_rules(card_set, numbers, table.offsets)
    except ValueError as error:
        return [str(error)]
    return []


def _hints(card_set: CardSet) -> list[str]:
    """What two players must change to play a good set at all: the deal of a few cards to try a power, the field of a single one."""
    from gosu_rl.core.variants import KERNELS

    hints = []
    numbers = KERNELS[card_set.variant].numbers(card_set.variant, None)
    deal = numbers["deal"]
    if 2 * deal > card_set.copies:
        changed = f"deal={card_set.copies // 2}" + (f",keep={card_set.copies // 2}" if "keep" in numbers else "")
        hints.append(f"too few cards for two players, who are dealt {2 * deal}: play it with --rules {changed}")
    if isinstance(card_set, EpicSet) and numbers["layout"] > len(card_set.layouts):
        hints.append("it has no second layout, which is played as a rule: play it with --rules layout=1")
    return hints


def run_export(args: argparse.Namespace) -> int:
    """A set as TOML, with a layout file added if one is given."""
    card_set = load(args.set)
    if args.layout is not None:
        if not isinstance(card_set, EpicSet):
            raise CardFileError(f"--layout {args.layout}: only sets of epic_death have layouts, not {card_set.name}")
        if not args.layout.endswith(".txt"):
            raise CardFileError(f"--layout {args.layout}: a layout file's name must end in .txt")
        card_set, _ = layouts.choose(card_set, args.layout)
    write(dump(card_set), args.output, args.force)
    return 0


def run_sample(args: argparse.Namespace) -> int:
    """A set drawn at random, as TOML."""
    write(dump(sample_set(args.variant, args.seed)), args.output, args.force)
    return 0


def write(text: str, output: str | None, force: bool) -> None:
    """Write a card file as UTF-8, whatever the encoding of the terminal, because card files are UTF-8."""
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    if not output.endswith(".toml"):
        raise CardFileError(f"{output}: a card file's name must end in .toml")
    path = Path(output)
    if path.exists() and not force:
        raise CardFileError(f"{output}: this file exists; give another name, or --force to overwrite it")
    write_whole(path, text.encode())
    print(f"wrote {output}", file=sys.stderr)


def counted(card_set: CardSet) -> str:
    """How many cards a set has."""
    text = f"{card_set.copies} cards of {len(card_set.cards)} faces"
    if isinstance(card_set, EpicSet):
        leaders, lands = len(card_set.leaders), card_set.land_copies
        text += f", {leaders} Leaders, {lands} Lands of {len(card_set.lands)} faces, {len(card_set.layouts)} layouts"
    return text


def origin(card_set: CardSet) -> str:
    """How many fields of how many cards are facts and how many are ours, in one line."""
    words = Counter(card_set.provenances)
    counts = ", ".join(f"{words[word]} {word}" for word in PROVENANCES if words[word])
    start = "A RECONSTRUCTION, not the published cards" if card_set.is_reconstruction else "Published cards"
    return f"{start}; fields: {counts}"


def find_card(card_set: CardSet, name: str) -> Any:
    """The face (or Leader, Land, layout) of that label; small and capital letters are alike. Raises CardFileError."""
    labels = {card.label.casefold(): card for card in card_set.entries}
    if name.casefold() in labels:
        return labels[name.casefold()]
    hint = nearest(name, (card.label for card in card_set.entries))
    raise CardFileError(f"no card {quoted(name)} in {card_set.name} (gosu-rl cards show lists all){hint}")


def set_lines(card_set: CardSet) -> list[str]:
    """Header and one table a clan (of Epic Death: a kind of card)."""
    if isinstance(card_set, EpicSet):
        return [card_set.banner, *textwrap.wrap(origin(card_set), WIDTH), *epic_cards.set_lines(card_set, WIDTH)]
    lines = [card_set.banner, *textwrap.wrap(origin(card_set), WIDTH)]
    lines += textwrap.wrap(card_set.notes, WIDTH)
    lines.append(f"{card_set.copies} cards of {len(card_set.cards)} faces. {LEGENDS[card_set.variant == 'gosu_x']}")
    heads = columns(card_set)[3:-1]
    widest = max((len(card.label) for card in card_set.cards), default=0)
    for clan in clans(card_set):
        lines += ["", clan]
        lines.append(f"  {'':{widest}}  level  {'  '.join(heads)}  {columns(card_set)[-1]}")
        for card in by_clan(card_set, clan):
            cells = row(card_set, card)
            numbers = "  ".join(f"{cell:>{len(head)}}" for cell, head in zip(cells[3:-1], heads, strict=True))
            head = f"  {card.label:{widest}}  {card.level:>5}  {numbers}  "
            texts = textwrap.wrap(cells[-1], max(WIDTH - len(head), 16))
            lines.append((head + texts[0]).rstrip())
            lines += [" " * len(head) + text for text in texts[1:]]
    for name, steps in card_set.powers.items():
        lines += textwrap.wrap(f"power of this set: {name} = {', '.join(steps)}", WIDTH, subsequent_indent="  ")
    if card_set.tiles:
        lines += ["", "Tiles, for both players while active"]
    for tile in card_set.tiles:
        lines += textwrap.wrap(f"{tile.clan}: {abilities(tile)}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines


def markdown_lines(card_set: CardSet) -> list[str]:
    """The faces as one Markdown table."""
    lines = [f"{card_set.banner}. {origin(card_set)}.", ""]
    if isinstance(card_set, EpicSet):
        return [*lines, *epic_cards.markdown_lines(card_set)]
    heads = columns(card_set)
    lines += [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for clan in clans(card_set):
        lines += [f"| {' | '.join(row(card_set, card))} |" for card in by_clan(card_set, clan)]
    if card_set.tiles:
        lines += ["", "| tile | while active, for both players |", "|---|---|"]
    lines += [f"| {tile.clan} | {abilities(tile)} |" for tile in card_set.tiles]
    return lines


def columns(card_set: CardSet) -> tuple[str, ...]:
    """Heads of the table of faces; the last is what a card does."""
    if card_set.variant == "gosu_x":
        return ("card", "clan", "level", "copies", "strength", "shift", "icons", "text")
    return ("card", "clan", "level", "copies", "strength", "mutation", "powers")


def row(card_set: CardSet, card: Card) -> tuple[str, ...]:
    """The cells of one face, under `columns`."""
    facts = (card.label, card.clan, str(card.level), str(card.copies), str(card.strength))
    if card_set.variant == "gosu_x":
        shift = "-" if card.shift is None else str(card.shift)
        return (*facts, shift, str(card.icons), abilities(card) or "-")
    return (*facts, cost(card), powers(card) or "-")


def card_lines(card_set: CardSet, card: Any) -> list[str]:
    """One face, a line a field, with the source of each."""
    fields = card_set.fields_of(card)
    shown = {name: getattr(card, name) for name in fields}
    for name, value in shown.items():
        if value is None:
            shown[name] = "none"
        if isinstance(value, tuple):
            shown[name] = ", ".join(value) or "none"
        elif isinstance(value, bool):
            shown[name] = "yes" if value else "no"
        elif value == "":
            shown[name] = "none"
        elif isinstance(value, Mapping):
            shown[name] = ", ".join(f"{key}: {word}" for key, word in value.items())
    if "links" in shown and set(card.links) == set(SIDES):
        shown["links"] = "all sides"
    lines = [f"{card.label}, of {card_set.banner}", ""]
    lines += [f"  {name:10}{shown[name]!s:44}  {card_set.field_provenance(card, name)}" for name in fields]
    if card_set.variant == "gosu_x":
        lines += ["", *textwrap.wrap(abilities(card), WIDTH)]
    used = {card_set.field_provenance(card, name) for name in fields}
    for word, text in card_set.sources.items():
        if word in used:
            lines += ["", *textwrap.wrap(f"{word}: {text}", WIDTH)]
    return lines


def abilities(card: Card | Tile) -> str:
    """What a card or tile of Gosu X says, in plain English."""
    from gosu_rl.envs.text_x import (
        ability_lines,
    )  # late, because gosu_rl.envs loads gymnasium, which `cards check` can do without

    return " ".join(ability_lines(card))


def clans(card_set: CardSet) -> Sequence[str]:
    """The clans that occur, in the rulebook's order."""
    present = {card.clan for card in card_set.cards}
    return [clan for clan in RULEBOOKS[card_set.variant].clans if clan in present]


def by_clan(card_set: CardSet, clan: str) -> Iterable[Card]:
    """Faces of one clan: by level, in file order, each X behind its plain namesakes."""
    cards = [card for card in card_set.cards if card.clan == clan]
    first: dict[str, int] = {}
    for index, card in enumerate(cards):
        first.setdefault(card.name, index)
    return sorted(cards, key=lambda card: (card.level, first[card.name], card.x))


def cost(card: Card) -> str:
    """Mutation cost as the tables show it."""
    return ("-" if card.mutation is None else str(card.mutation)) + ("z" if card.zombie else "")


def powers(card: Card) -> str:
    """All powers in words, with the sides of a link where they are not all four."""
    parts = []
    for trigger in (*ALL_TRIGGERS, "rule", "win"):
        names = getattr(card, trigger)
        if names:
            sides = f" ({', '.join(card.links)})" if trigger == "link" and set(card.links) != set(SIDES) else ""
            parts.append(f"{trigger}{sides}: {', '.join(names)}")
    if card.names:
        parts.append(f"names: {', '.join(card.names)}")
    return "; ".join(parts)
