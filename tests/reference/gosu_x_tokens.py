"""Steps of texts of Gosu X about tokens, tiles, turns and victories."""

from __future__ import annotations

from .flow import Decision, GameWon
from .gosu_x_run import DECLINE, Effect, Run, accepts
from .gosu_x_words import Step
from .table import Place, target_label


class TokenSteps(Run):
    """What a text does with tokens and tiles, with turns, and how it wins."""

    # --- tokens ------------------------------------------------------------------------------------------------

    def do_place_bounty(self, step: Step, actor: int) -> Effect:
        table = self.table

        def others() -> list[Place]:
            places = self.speaker.fitting(step.filter)
            return [place for place in places if not table.at(place).captured and not table.at(place).bounty]

        def hit(places: list[Place]) -> None:
            if table.bounty_card:
                table.saw("X25 the Bounty token comes from another card")
                table.bounty_card.bounty = False
            table.at(places[0]).bounty = True

        return self._aim_at(step, actor, 1, others, hit, step.may)

    def do_move_bounty(self, step: Step, actor: int) -> Effect:
        self.table.saw("X25 no Bounty token on a card to be moved", not self.table.bounty_card)
        if not self.table.bounty_card:
            return False
        return (yield from self.do_place_bounty(step, actor))

    def do_place_ethereal(self, step: Step, actor: int) -> Effect:
        table = self.table

        def bare() -> list[Place]:
            places = self.speaker.fitting(step.filter)
            return [place for place in places if not table.at(place).captured and not table.at(place).ethereal]

        def hit(places: list[Place]) -> None:
            table.at(places[0]).ethereal = True

        table.saw("X57 no Ethereal token is left", not table.ethereal_tokens_left())
        if not table.ethereal_tokens_left():
            return False
        return (yield from self._aim_at(step, actor, 1, bare, hit, step.may))

    def do_token_back(self, step: Step, actor: int) -> Effect:
        """An own Activation token, from a card or a spent one, own choice."""
        table, seat = self.table, self.table.seats[actor]
        done = False
        for _ in range(self.amount):
            cards = {target_label(place): table.at(place) for place in table.places(actor) if table.at(place).tokens}
            labels = frozenset(cards) | (frozenset({"regain"}) if seat.spent else frozenset())
            if not labels:
                break
            if len(labels) == 1 and not step.may:
                answer = next(iter(labels))
            else:
                answer = yield Decision(actor, "regain", labels | (DECLINE if step.may else frozenset()))
            if answer == "decline":
                break
            if answer == "regain":
                seat.spent -= 1
            else:
                table.saw("X38 a token comes back from a card")
                cards[answer].tokens -= 1
            seat.ready += 1
            done = True
        return done

    def do_unlock(self, step: Step, actor: int) -> Effect:
        """A locked token to the hand; with none locked: victory (X12, X40)."""
        seat = self.table.seats[actor]
        if step.may and not (yield from accepts(actor)):
            return False
        if not seat.locked:
            self.table.saw("X12 unlocking with none locked wins")
            raise GameWon([actor], "fifth_token")
        self.table.saw("X40 a token is unlocked")
        seat.locked -= 1
        seat.ready += 1
        return True

    def do_take_wonder(self, step: Step, actor: int) -> Effect:
        if self.table.wonder == actor or (step.may and not (yield from accepts(actor))):
            return False
        self.table.wonder = actor
        return True

    def do_return_wonder(self, step: Step, actor: int) -> Effect:
        if self.table.wonder != actor or (step.may and not (yield from accepts(actor))):
            return False
        self.table.wonder = None
        return True

    # --- turns and ends ----------------------------------------------------------------------------------------

    def do_extra_turn(self, step: Step, actor: int) -> Effect:
        table = self.table
        if step.may and not (table.could_gain_extra_turn(actor) and (yield from accepts(actor))):
            return False
        table.saw("X53 an additional turn in the other's turn is none", actor != table.active)
        return table.gain_extra_turn(actor)

    def do_pass(self, step: Step, actor: int) -> Effect:
        table = self.table
        able = not table.seats[actor].passed and table.may_pass(actor)
        table.saw("X21 a pass by an effect that X3 forbids", not table.seats[actor].passed and not able)
        if not able or (step.may and not (yield from accepts(actor))):
            return False
        table.saw("X21 a pass by an effect")
        table.saw("X21 the player who is not active passes by an effect", actor != table.active)
        table.pass_round(actor)
        return True

    def do_flip_tiles(self, step: Step, actor: int) -> Effect:
        """The tile of each clan of which the player has a face-up Immortal (X49)."""
        table = self.table
        immortals = [card for card in table.seats[actor].army[2] if not card.captured]
        clans = [card.face.clan for card in immortals if card.face.clan not in table.tiles]
        if not clans or (step.may and not (yield from accepts(actor))):
            return False
        table.saw("X48 a tile is turned and works at once")
        table.turn_tiles(clans)
        return True

    def do_choose_clan(self, step: Step, actor: int) -> Effect:
        clans = {card.face.clan for seat in self.table.seats for card in seat.face_up}
        self.speaker.chosen = None
        if not clans:
            return False
        if len(clans) == 1:
            self.speaker.chosen = next(iter(clans))
        else:
            answer = yield Decision(actor, "clan", frozenset(f"pick {clan}" for clan in clans))
            self.speaker.chosen = answer.removeprefix("pick ")
        return True

    def do_win(self, step: Step, actor: int) -> Effect:
        yield from ()
        self.table.saw("X49 a text wins")
        raise GameWon([actor], victory_name(self.face.clan))


def victory_name(clan: str) -> str:
    """How a victory by a card or a tile of the clan is reported."""
    return {"Goan Sul": "goan_sul", "Justice": "justice"}.get(clan, "condition")
