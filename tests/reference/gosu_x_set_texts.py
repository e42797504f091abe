"""Draws texts of Gosu X by chance, step by step, in the grammar of docs/cards.md."""

from __future__ import annotations

from .gosu_x_set_words import Words


class Texts(Words):
    """Writes texts of the kinds of steps that a style has."""

    groups: tuple[str, ...]  # names of groups of steps, each a method below

    def text(self) -> list[str]:
        """What is looked at is not counted, so `#shown` and `look` do not meet."""
        while True:
            lines = self._draft_text()
            words = " ".join(lines)
            if ("#shown" not in words or "look" not in words) and len(lines) <= (16 if self.odd else 14):
                return lines

    def _draft_text(self) -> list[str]:
        chance = self.chance
        steps = [step for _ in range(chance.choice([1, 1, 2, 2, 3])) for step in self.part()]
        shape = chance.random()
        if shape < 0.18:
            more = self.part()
            return [f"if {self.condition()}", *steps, *(["else", *more] if self.odds(0.4) else []), "end", *self.part()]
        if shape < 0.3:
            return ["choose_one", *steps, "or", *self.part(), *(["or", *self.part()] if self.odds(0.4) else []), "end"]
        if shape < 0.45:
            return [*self.price(), "if_done", *steps, *(["else", *self.part()] if self.odds(0.4) else [])]
        return steps

    def price(self) -> list[str]:
        number = self.chance.choice([1, 1, 2])
        paid = ["may discard 1 {troop}", f"may discard {number}", f"may sacrifice {number}", "may sacrifice 1 {troop}"]
        if "deck" in self.groups:
            paid += [f"may put_on_deck {self.pick(['top', 'bottom'])} {number}", "may remove_pile 1", "may fetch 1"]
        if "token" in self.groups:
            paid += ["may return_wonder", "may take_wonder", "may token_back"]
        return [
            self.pick([*paid, "may destroy {other}", "may capture {own}", "may draw 1", "discard 1", "capture {other}"])
        ]

    def part(self) -> list[str]:
        return list(getattr(self, f"_{self.pick(self.groups)}")())

    def _hand(self) -> list[str]:
        may = self.pick(["", "", "may "])
        who = self.pick(["", "", "other ", "both "])
        return self.chance.choice(
            [
                [f"{may}draw {self.amount(3)}"],
                [f"{who}draw {self.amount()}"],
                [f"{who}discard {self.amount()}"],
                [f"{may}discard {self.chance.randint(1, 2)}"],
                ["may discard 1" + (self.print_filter(1.0))],
                ["other discard to hand"],
                [f"draw to {self.chance.randint(3, 6)}"],
                ["both discard to 3"],
                ["put_into_play hand" + self.print_filter()],
            ]
        )

    def _deck(self) -> list[str]:
        may, number = self.pick(["", "", "may "]), self.chance.randint(1, 4)
        rest = self.chance.choice([[], ["rest_to top"], ["rest_to bottom"], ["rest_to bottom"], ["rest_to discard"]])
        show = self.pick(["reveal", "reveal", "look", "look"]) + f" {number}"
        return self.chance.choice(
            [
                [
                    show,
                    f"{may}keep {self.pick(['1', '1', '2'])}{self.print_filter().replace('clan:self', 'icons')}",
                    *rest,
                ],
                [show, f"{may}keep 1{self.print_filter().replace('clan:self', 'hero')}", *rest],
                [show, f"{may if show.startswith('reveal') else ''}put_into_play shown{self.print_filter()}", *rest],
                [f"reveal {number}", "if #shown{troop} >= 2", "draw 1", "end", *rest],
                [show, *rest],
                [f"{may}fetch {self.pick(['1', '1', '2'])}{self.print_filter()}"],
                [f"{may}put_on_deck {self.pick(['top', 'bottom'])} {self.chance.randint(1, 2)}"],
                [f"put_on_deck top {self.chance.randint(1, 2)}", f"draw {self.amount()}"],
                [f"put_on_deck {self.pick(['top', 'bottom'])} 1"],
                [f"draw {self.amount(3)}"],
            ]
        )

    def _pile(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}take_back {self.amount()}{self.print_filter()}"],
                [f"{may}remove_pile {self.amount(3)}{self.print_filter(0.3)}"],
                [f"{may}retrieve {self.amount()}{self.print_filter(0.3)}"],
                [f"{may}put_into_play pile{self.print_filter()}"],
                [f"{may}return{self.braces()}"],
                [f"{may}remove{self.braces()}"],
            ]
        )

    def _army(self) -> list[str]:
        may = self.pick(["", "", "may "])
        verb = self.pick(["capture", "capture", "destroy", "destroy", "release", "release", "return", "remove"])
        return self.chance.choice(
            [
                [f"{may}{verb} {self.amount()}{self.braces()}"],
                [f"{may}{verb}{self.braces()}"],
                [f"{may}{verb}{self.braces()}"],
                [f"{may}{verb} every{self.braces()}"],
                [f"{self.pick(['', 'other ', 'both '])}sacrifice {self.amount()}"],
                ["other sacrifice to #{own}"],
                ["choose_clan", f"{verb} every {{clan:chosen}}"],
                ["choose_clan", f"{may}{verb} 2 {{clan:chosen}}"],
                ["capture {other}", "may release {that}"],
                [f"{may}release {{own}}", "resolve {that}"],
            ]
        )

    def _captive(self) -> list[str]:
        may = self.pick(["", "may "])
        return self.chance.choice(
            [
                ["capture {own not-self}"],
                ["capture {own not-self}", "capture {other}"],
                [f"{may}capture 2 {{other}}"],
                ["capture every {own not-self}", "capture every {other}"],
                ["release every"],
                ["release every {other}"],
                ["may release every"],
                [f"{may}destroy {{captured}}"],
                [f"{may}destroy 2 {{captured other}}"],
                ["place_bounty {other}", "capture {bounty}"],
            ]
        )

    def _bounty(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}place_bounty{self.braces()}"],
                [f"{may}move_bounty{self.braces()}"],
                ["place_bounty {other}", "capture {bounty other}"],
                [f"{may}place_ethereal{self.braces()}"],
                ["capture {bounty}"],
                ["destroy every {bounty other}"],
                ["capture every {other}"],
                [f"destroy {self.amount()} {{bounty}}"],
                ["place_bounty {other}"],
            ]
        )

    def _inner(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}resolve{self.braces(('own', ''))}"],
                ["resolve {troop}"],
                [f"{may}put_into_play pile{self.print_filter()}"],
                ["put_into_play hand" + self.print_filter(0.3)],
                ["reveal 2", f"{may}put_into_play shown", "rest_to bottom"],
            ]
        )

    def _token(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}token_back {self.amount()}"],
                [f"{may}token_back"],
                [f"{may}take_wonder"],
                [f"{may}return_wonder"],
                [f"if {self.condition()}", f"{may}unlock", "end"],
                ["place_ethereal" + self.braces()],
                ["draw 1"],
            ]
        )

    def _turn(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}extra_turn"],
                [f"{may}extra_turn"],
                [f"{may}pass"],
                ["pass"],
                ["token_back", "extra_turn"],
                ["draw 1"],
            ]
        )

    def _tile(self) -> list[str]:
        return self.chance.choice([["flip_tiles"], ["may flip_tiles"], ["place_ethereal"], ["draw tiles max 3"]])

    def _odd(self) -> list[str]:
        """Steps that are rare in sets: optional ones of both players, cards that go and come back, long looks."""
        may, who = self.pick(["", "may "]), self.pick(["other", "both"])
        rest = self.pick(["top", "bottom", "discard"])
        return self.chance.choice(
            [
                [f"may {who} draw {self.amount(3)}"],
                [f"may {who} draw hand/2 max 3"],
                [f"may {who} discard {self.amount()}"],
                [f"may {who} sacrifice {self.amount()}"],
                [f"{who} sacrifice to {self.chance.randint(2, 5)}"],
                [f"{who} discard to {self.chance.randint(1, 4)}"],
                [f"{who} draw to {self.chance.randint(3, 6)}"],
                [f"{may}sacrifice {self.amount()}{self.braces(('',))}"],
                ["return {own}", "put_into_play hand" + self.print_filter(0.3), f"{may}capture {{that}}"],
                ["return {own not-self}", "put_into_play hand", "place_bounty {that}"],
                ["return {own}", f"{may}put_into_play hand", "destroy {not-self own}"],
                ["destroy {own}", "put_into_play pile", f"{may}resolve {{that}}"],
                ["sacrifice 1", "put_into_play pile", "if #{that}", "draw 1", "end"],
                ["capture {other}", "put_into_play hand", "if #{that captured}", "draw 1", "else", "discard 1", "end"],
                ["place_ethereal {own}", f"{may}put_into_play pile", "return {that}"],
                [
                    f"look {self.chance.randint(1, 4)}",
                    f"{may}put_into_play shown{self.print_filter()}",
                    f"rest_to {rest}",
                ],
                ["look 3", "put_into_play shown", "keep 1", f"rest_to {rest}"],
                ["look 3", f"{may}keep 1 {{clan:self}}", f"rest_to {rest}"],
                ["look 3", f"{may}resolve", f"{may}keep 2", f"rest_to {rest}"],
                ["look 2", "draw 1", "keep 1", f"rest_to {rest}"],
                ["reveal 3", "put_into_play hand", "keep 1", f"rest_to {rest}"],
                ["reveal 3", "fetch 1", "keep 1", f"rest_to {rest}"],
                ["put_on_deck top 1", "look 2", f"{may}keep 1", f"rest_to {rest}"],
                ["choose_clan", f"{may}take_back 1 {{clan:chosen}}"],
                ["choose_clan", "look 3", "keep 1 {clan:chosen}", f"rest_to {rest}"],
                ["choose_clan", "draw #{clan:chosen} max 2"],
                ["choose_clan", f"{may}fetch 1 {{clan:chosen}}", "choose_clan", "capture {clan:chosen}"],
                [f"may discard 1{self.print_filter(1.0)}", "if_done", "extra_turn", "end"],
                [f"{may}token_back {self.amount(3)}", f"{may}take_wonder"],
            ]
        )
