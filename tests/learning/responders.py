"""Agents to be measured as responders."""


class First:
    """Takes the first legal action."""

    def reset(self, game, seat, seed):
        pass

    def act(self, view):
        return view.legal[0]


class Last(First):
    """Takes the last legal action."""

    def act(self, view):
        return view.legal[-1]
