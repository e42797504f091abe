"""Cases for test_every_gosu_x_card.py: the cards of Justice, Phoenix and Xi'an."""

from __future__ import annotations

from gosu_x_case import Case

CASES: dict[str, list[Case]] = {
    # ---- Justice
    "Petal Faeries": [
        Case("\nhand: Petal Faeries", "\narmy 1: Clay Ox, Clay Ox$", ("play Petal Faeries",),
             {"army1": "Clay Ox, (Clay Ox)", "bounty": None, "asked": "p0 may"}),
        Case("\nhand: Petal Faeries", "\narmy 1: Clay Ox", ("play Petal Faeries",), {"army1": "Clay Ox"}),
    ],
    "Lantern Witness": [
        Case("\nhand: Lantern Witness", "\nhand: Three-Wish Lamp\narmy 1: Clay Ox",
             ("play Lantern Witness", "play Three-Wish Lamp", "option 2"), {"army0": "Lantern Witness", "value0": 3}),
    ],
    "Scale Bearer": [
        Case("\nhand: Scale Bearer", "\nhand: Three-Wish Lamp\narmy 1: Clay Ox",
             ("play Scale Bearer", "play Three-Wish Lamp", "option 2"), {"army0": "(Scale Bearer)", "asked": "p1 may"}),
    ],
    "Summons Runner": [
        Case("\nhand: Summons Runner", "\narmy 1: Clay Ox$, Wish Moth", ("play Summons Runner", "target p1 1.2"),
             {"bounty": "p1 1.2", "size0": 1}),
        Case("\nhand: Summons Runner", "\narmy 1: Clay Ox$, Wish Moth", ("play Summons Runner", "decline"),
             {"bounty": "p1 1.1", "size0": 0}),
    ],
    "She Rift": [
        Case("\nhand: She Rift\narmy 1: Scale Bearer", "\narmy 1: Clay Ox$", ("play She Rift", "target p0 1.1"),
             {"bounty": "p0 1.1", "value0": 7}),
    ],
    "Sati": [
        Case("\nhand: Sati\narmy 1: Scale Bearer", "\narmy 1: Clay Ox, Wish Moth\narmy 2: Quae",
             ("play Sati", "target p1 1.1", "accept"), {"army1": "(Clay Ox), Wish Moth / Quae", "bounty": None, "size0": 1}),
        Case("\nhand: She Rift, Phoenix, Xi'an, Justice\narmy 1: Scale Bearer\narmy 2: Sati", "", ("play She Rift",),
             {"army0": "Scale Bearer / She Rift", "pile0": "Justice, Phoenix, Sati, Xi'an", "asked": "p0 aim"}),
    ],
    "Magistrate Onri": [
        Case("\nhand: Magistrate Onri\narmy 1: Scale Bearer", "", ("play Magistrate Onri", "option 1", "target p0 1.1"),
             {"ethereal0": "1.1", "size0": 1}),
        Case("\nhand: Magistrate Onri\narmy 1: Scale Bearer, (Ember Chick)", "\narmy 1: (Clay Ox), (Wish Moth)",
             ("play Magistrate Onri", "option 2"),
             {"army0": "Scale Bearer / Magistrate Onri", "army1": "(Clay Ox)", "removed": "Ember Chick, Wish Moth", "size0": 1}),
    ],
    "Advocate of the Meek": [
        Case("\nhand: Advocate of the Meek\narmy 1: Ember Chick", "\nhand: Three-Wish Lamp\narmy 1: Clay Ox",
             ("play Three-Wish Lamp", "option 2", "will Advocate of the Meek"),
             {"army0": "Ember Chick", "size0": 1, "pile0": "Advocate of the Meek"}, "active=p1"),
    ],
    "Warrant Hawk": [
        Case("\nhand: Warrant Hawk\narmy 1: Scale Bearer", "\narmy 1: Clay Ox$", ("play Warrant Hawk",), {"size0": 2}),
        Case("\narmy 1: Scale Bearer\narmy 2: Warrant Hawk", "\narmy 1: Clay Ox", ("activate 2.1",),
             {"size0": 0, "bounty": "p1 1.1", "on0": {"2.1": 1}}),
    ],
    "Justice": [
        Case("\nhand: Justice\narmy 1: Scale Bearer, Ember Chick, Spade Golem\narmy 2: She Rift, Sati, Grave Potter\n"
             "army 3: Phoenix",
             "", ("play Justice",), {"tiles": 4, "reason": ""}),
        Case("\nhand: Justice\narmy 1: Scale Bearer, Ember Chick, Spade Golem\narmy 2: She Rift, Sati, Grave Potter\n"
             "army 3: Phoenix, Xi'an", "", ("play Justice",), {"tiles": 5, "reason": "justice"}),
    ],
    "Byun Hyung Ja (Justice)": [
        Case("\nhand: Byun Hyung Ja (Justice)\narmy 1: Scale Bearer\narmy 2: Sati", "", ("play Byun Hyung Ja (Justice)",),
             {"tokens0": (3, 0, 1)}, "tiles=Galmi+Goan_Sul+Justice"),
        Case("\nhand: Byun Hyung Ja (Justice)\narmy 1: Scale Bearer\narmy 2: Sati", "", ("play Byun Hyung Ja (Justice)",),
             {"tokens0": (2, 0, 2)}),
    ],
    # ---- Phoenix
    "Ember Chick": [Case("\nhand: Ember Chick", "", ("play Ember Chick",), {"size0": 1, "value0": 1})],
    "Cinder Page": [
        Case("\nhand: Cinder Page, Sati, Phoenix\ndeck: Xi'an, Justice, rest", "",
             ("play Cinder Page", "discard Sati", "accept", "discard Phoenix"),
             {"hand0": "Justice, Xi'an", "pile0": "Phoenix, Sati"}),
    ],
    "Kiln Guard": [
        Case("\nhand: Kiln Guard, Sati, Phoenix, Xi'an", "", ("play Kiln Guard",), {"value0": 3}),
        Case("\nhand: Kiln Guard, Sati, Phoenix", "", ("play Kiln Guard",), {"value0": 2}),
    ],
    "Ashen Piper": [
        Case("\nhand: Ashen Piper", "", ("play Ashen Piper", "spend 1", "activate 1.1", "target p0 1.1"),
             {"army0": "", "size0": 2, "tokens0": (1, 1, 2)}),
    ],
    "Phoenix (Ember)": [Case("\nhand: Phoenix (Ember)\narmy 1: Ember Chick", "", ("play Phoenix (Ember)",), {"size0": 2})],
    "Phoenix (Ash)": [
        Case("\nhand: Phoenix (Ash)\narmy 1: Spade Golem, Ember Chick", "",
             ("play Phoenix (Ash)", "target p0 1.2", "take Ember Chick"),
             {"army0": "Spade Golem, Ember Chick / Phoenix (Ash)", "size0": 1}),
    ],
    "Twice-Lit Torch": [
        Case("\nhand: Twice-Lit Torch\narmy 1: Ember Chick", "", ("play Twice-Lit Torch", "accept"), {"size0": 2}),
    ],
    "Feather Scribe": [
        Case("\nhand: Feather Scribe\narmy 1: Ember Chick", "", ("play Feather Scribe", "spend 1", "activate 2.1"), {"size0": 3}),
        Case("\nhand: Sati, Phoenix, Xi'an, Justice, She Rift, Spade Golem\narmy 1: Ember Chick\narmy 2: Feather Scribe", "",
             ("spend 2",), {"size0": 9, "additional": True}),
    ],
    "Brazier Monk": [
        Case("tokens=0 spent=2\nhand: Brazier Monk\narmy 1: Ember Chick\narmy 2: She Rift", "\narmy 1: Clay Ox",
             ("spend 2", "will Brazier Monk", "target p1 1.1"), {"tokens0": (1, 1, 2), "bounty": "p1 1.1"}, "active=p1"),
    ],
    "Phoenix": [
        Case("\nhand: Phoenix, Spade Golem\narmy 1: Ember Chick\narmy 2: Phoenix (Ash)", "", ("play Phoenix", "take Spade Golem"),
             {"army0": "Ember Chick, Spade Golem / Phoenix (Ash) / Phoenix", "size0": 2}),
    ],
    "Byun Hyung Ja (Phoenix)": [
        Case("\nhand: Byun Hyung Ja (Phoenix)\narmy 1: Ember Chick, Kiln Guard\narmy 2: Phoenix (Ash), Phoenix (Ember)\n"
             "army 3: Phoenix",
             "", ("play Byun Hyung Ja (Phoenix)", "spend 1", "activate 3.2", "spend 1"), {"tokens0": (3, 0, 0)}),
        Case("\nhand: Byun Hyung Ja (Phoenix)\narmy 1: Ember Chick, Kiln Guard\narmy 2: Phoenix (Ash), (Phoenix (Ember))\n"
             "army 3: Phoenix",
             "", ("play Byun Hyung Ja (Phoenix)",), {"tokens0": (2, 0, 2)}),
    ],
    # ---- Xi'an
    "Terracotta Recruit": [
        Case("\nhand: Sati\narmy 1: Terracotta Recruit\ndiscard: Ember Chick, Phoenix", "", ("take Ember Chick",),
             {"army0": "Ember Chick", "pile0": "Phoenix, Sati, Terracotta Recruit", "size0": 1}),
        Case("\nhand: Terracotta Recruit", "", ("play Terracotta Recruit",), {"value0": 2}),
    ],
    "Kiln Digger": [
        Case("\nhand: Kiln Digger, Ember Chick, Phoenix\ndiscard: Sati, Xi'an", "", ("play Kiln Digger", "discard Ember Chick"),
             {"hand0": "Phoenix, Sati", "pile0": "Ember Chick, Xi'an"}),
    ],
    "Rank Keeper": [
        Case("\nhand: Rank Keeper\narmy 1: Ember Chick, Spade Golem", "", ("play Rank Keeper", "recruit"), {"value0": 1 + 2 + 3}),
        Case("\nhand: Rank Keeper\narmy 1: Spade Golem, (Spade Golem)", "", ("play Rank Keeper", "recruit"), {"value0": 2 + 2}),
    ],
    "Spade Golem": [
        Case("\nhand: Spade Golem\ndiscard: Sati, Xi'an, Phoenix, Justice, She Rift", "", ("play Spade Golem",), {"value0": 3}),
    ],
    "Buried General": [
        Case("\nhand: Buried General\narmy 1: Spade Golem\ndiscard: Sati, Xi'an, Grave Potter", "",
             ("play Buried General", "take Grave Potter"), {"hand0": "Grave Potter", "value0": 5}),
    ],
    "Grave Potter": [
        Case("\nhand: Grave Potter\narmy 1: Spade Golem\ndiscard: Ember Chick, Sati, Rank Keeper", "",
             ("play Grave Potter", "take Ember Chick"), {"army0": "Spade Golem, Ember Chick / Grave Potter", "size0": 1}),
    ],
    "Tomb Cartographer": [
        Case("\nhand: Tomb Cartographer\narmy 1: Spade Golem\ndiscard: Ember Chick, Sati, Rank Keeper", "",
             ("play Tomb Cartographer", "option 1"), {"removed": "Ember Chick, Rank Keeper, Sati", "pile0": "", "size0": 1}),
        Case("\narmy 1: Spade Golem\narmy 2: Tomb Cartographer", "", ("activate 2.1", "option 2", "take Sati"),
             {"hand0": "Sati", "removed": "Ember Chick"}, removed="Ember Chick, Sati"),
    ],
    "Column Marshal": [
        Case("\nhand: Column Marshal\narmy 1: Spade Golem", "", ("play Column Marshal",), {"value0": 3 + 3}),
        Case("\narmy 1: Spade Golem\narmy 2: Column Marshal\narmy 3: Xi'an", "", ("spend 1",), {"value0": 2 + 3 + 5 + 3}),
        Case("\narmy 1: Spade Golem\narmy 2: Column Marshal\narmy 3: Phoenix", "", ("spend 1",), {"value0": 2 + 3 + 5 + 2}),
    ],
    "Mourning Bride": [
        Case("\nhand: Mourning Bride\narmy 1: Spade Golem\ndiscard: Ember Chick, Rank Keeper, Sati, Grave Potter",
             "\nhand: Three-Wish Lamp\narmy 1: Clay Ox", ("play Three-Wish Lamp", "option 2", "will Mourning Bride"),
             {"hand0": "Ember Chick, Rank Keeper", "pile0": "Grave Potter, Mourning Bride, Sati"}, "active=p1"),
    ],
    "Xi'an": [
        Case("\nhand: Xi'an\narmy 1: Spade Golem\narmy 2: Grave Potter\ndiscard: Ember Chick, Sati", "", ("play Xi'an",),
             {"army0": "Spade Golem, Ember Chick / Grave Potter / Xi'an", "size0": 1}),
        Case("\nhand: Sati, Phoenix\narmy 1: Spade Golem\narmy 2: Grave Potter\narmy 3: Xi'an", "", ("play Sati",),
             {"army0": "Spade Golem / Sati / Xi'an", "pile0": "Grave Potter, Phoenix"}),
    ],
    "Byun Hyung Ja (Xi'an)": [
        Case("\nhand: Byun Hyung Ja (Xi'an)\narmy 1: Spade Golem\narmy 2: Grave Potter", "", ("play Byun Hyung Ja (Xi'an)",),
             {"tokens0": (3, 0, 1)}),
        Case("\nhand: Byun Hyung Ja (Xi'an)\narmy 1: Ember Chick, Spade Golem\narmy 2: Grave Potter", "",
             ("play Byun Hyung Ja (Xi'an)",), {"tokens0": (2, 0, 2)}),
    ],
}  # fmt: skip
