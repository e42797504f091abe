"""Cases for test_every_gosu_x_card.py: the cards of Abhilasha, Tomorrow and Narashima."""

from __future__ import annotations

from gosu_x_case import Case

CASES: dict[str, list[Case]] = {
    # ---- Abhilasha
    "Clay Ox": [
        Case("\nhand: Clay Ox", "", ("play Clay Ox",), {"value0": 3}),
        Case("\nhand: Stone Lion Cub\narmy 1: Clay Ox", "", ("play Stone Lion Cub",),
             {"army0": "Stone Lion Cub", "pile0": "Clay Ox"}),
    ],
    "Hungry Porter": [
        Case("\nhand: Hungry Porter, Clay Ox, Quae", "", ("play Hungry Porter", "discard Quae"), {"value0": 4, "pile0": "Quae"}),
    ],
    "Wish Moth": [
        Case("\nhand: Wish Moth", "", ("play Wish Moth", "option 1"), {"size0": 1, "value0": 1}),
        Case("\nhand: Wish Moth\narmy 1: (Clay Ox)", "", ("play Wish Moth", "option 2"), {"army0": "Clay Ox, Wish Moth"}),
        Case("\nhand: Wish Moth", "", ("play Wish Moth", "option 3"), {"wonder": 0}, "wonder=p1"),
    ],
    "Ford Brawler": [
        Case("\nhand: Ford Brawler\narmy 1: Clay Ox, Clay Ox", "", ("play Ford Brawler", "recruit"), {"value0": 9}),
        Case("\nhand: Ford Brawler\narmy 1: Clay Ox, (Clay Ox)", "", ("play Ford Brawler", "recruit"), {"value0": 5}),
    ],
    "Mountain's Daughter": [
        Case("\nhand: Mountain's Daughter\narmy 1: Clay Ox", "", ("play Mountain's Daughter",), {"value0": 8}),
    ],
    "Three-Wish Lamp": [
        Case("\nhand: Three-Wish Lamp, Begging Saint, Quae\narmy 1: Clay Ox", "",
             ("play Three-Wish Lamp", "option 3", "take Begging Saint"), {"army0": "Clay Ox, Begging Saint / Three-Wish Lamp"}),
        Case("\nhand: Three-Wish Lamp\narmy 1: Clay Ox", "\narmy 1: Scale Bearer\narmy 2: Sati",
             ("play Three-Wish Lamp", "option 2"), {"army1": "(Scale Bearer) / Sati", "asked": "p0 may"}),
        Case("\nhand: Three-Wish Lamp\narmy 1: Clay Ox", "", ("play Three-Wish Lamp", "option 1"), {"size0": 1}),
    ],
    "Glutton Prince": [
        Case("\nhand: Glutton Prince\narmy 1: Clay Ox, Wish Moth", "\narmy 1: Ember Chick, Spade Golem",
             ("play Glutton Prince", "target p0 1.2"),
             {"army0": "Clay Ox / Glutton Prince", "pile0": "Wish Moth", "army1": "Ember Chick", "removed": "Spade Golem"}),
    ],
    "Herald of Want": [
        Case("\nhand: Herald of Want\narmy 1: Clay Ox, Clay Ox, Wish Moth, (Wish Moth)", "", ("play Herald of Want",),
             {"value0": 11}),
        Case("\nhand: Herald of Want\narmy 1: Clay Ox, Clay Ox, (Wish Moth)", "", ("play Herald of Want",), {"value0": 9}),
    ],
    "Bull-Riding Sage": [
        Case("\nhand: Bull-Riding Sage\ndeck: Quae, Clay Ox, Unborn Heir, Wish Moth, rest", "\narmy 1: Ember Chick, Spade Golem",
             ("will Bull-Riding Sage",), {"hand0": "Quae, Unborn Heir", "pile0": "Bull-Riding Sage, Clay Ox, Wish Moth"}),
        Case("\nhand: Bull-Riding Sage\narmy 1: Wish Moth\ndeck: Quae, Clay Ox, Tomorrow, Wish Moth, rest", "",
             ("play Bull-Riding Sage", "take Tomorrow"), {"hand0": "Tomorrow", "pile0": "Clay Ox, Quae, Wish Moth"}),
    ],
    "Abhilasha": [
        Case("\nhand: Abhilasha\narmy 1: Clay Ox\narmy 2: Glutton Prince", "", ("play Abhilasha", "option 1"),
             {"size0": 2, "value0": 13}),
        Case("\nhand: Abhilasha\narmy 1: Clay Ox\narmy 2: Glutton Prince", "\narmy 1: Ember Chick\narmy 2: Sati\narmy 3: Xi'an",
             ("play Abhilasha", "option 2", "target p1 2.1"), {"army1": "Ember Chick / (Sati) / Xi'an"}),
        Case("\nhand: Abhilasha, Mountain's Daughter, Quae\narmy 1: Clay Ox, Wish Moth\narmy 2: Glutton Prince", "",
             ("play Abhilasha", "option 3", "take Mountain's Daughter"),
             {"army0": "Clay Ox, Wish Moth / Glutton Prince, Mountain's Daughter / Abhilasha", "hand0": "Quae"}),
    ],
    "Byun Hyung Ja (Abhilasha)": [
        Case("\nhand: Byun Hyung Ja (Abhilasha)\narmy 1: Clay Ox\narmy 2: Glutton Prince", "",
             ("play Byun Hyung Ja (Abhilasha)",), {"tokens0": (3, 0, 1)}),
        Case("\nhand: Byun Hyung Ja (Abhilasha)\narmy 1: Clay Ox\narmy 2: Glutton Prince", "\narmy 1: Ember Chick",
             ("play Byun Hyung Ja (Abhilasha)",), {"tokens0": (2, 0, 2)}),
    ],
    # ---- Tomorrow
    "Early Riser": [
        Case("\nhand: Early Riser", "", ("play Early Riser",), {"asked": "p0 turn", "additional": True}),
    ],
    "Almanac Boy": [
        Case("\nhand: Almanac Boy, Quae\ndeck: Clay Ox, rest", "", ("play Almanac Boy", "take Quae"),
             {"hand0": "Clay Ox", "bottom0": "Quae"}),
    ],
    "Dawn Courier": [
        Case("\nhand: Dawn Courier", "", ("play Dawn Courier", "take Early Riser"), {"hand0": "Early Riser"}),
    ],
    "Clockwork Heron": [
        Case("tokens=0 spent=2\nhand: Clockwork Heron", "", ("play Clockwork Heron",), {"value0": 3}),
    ],
    "Stargazer Ru": [
        Case("\nhand: Stargazer Ru\narmy 1: Early Riser\ndeck: Quae, Clay Ox, Wish Moth, Tomorrow, rest", "",
             ("play Stargazer Ru", "take Clay Ox"), {"hand0": "Clay Ox", "top0": "Tomorrow", "bottom0": "Wish Moth"}),
    ],
    "Second Sunrise": [
        Case("\nhand: Second Sunrise\narmy 1: Early Riser", "", ("play Second Sunrise", "spend 1", "activate 2.1"),
             {"size0": 1, "additional": True, "on0": {"2.1": 1}}),
    ],
    "Letter from Next Year": [
        Case("\nhand: Letter from Next Year, Clay Ox\narmy 1: Early Riser", "",
             ("play Letter from Next Year", "take Tomorrow", "take Clay Ox"),
             {"hand0": "Tomorrow", "top0": "Clay Ox", "additional": True}),
    ],
    "Hourglass Thief": [
        Case("\nhand: Hourglass Thief\narmy 1: Early Riser", "\narmy 1: Ember Chick", ("play Hourglass Thief",),
             {"army1": "Ember Chick", "additional": True}),
        Case("\nhand: Hourglass Thief\narmy 1: Early Riser", "\narmy 1: Ember Chick", ("play Hourglass Thief",),
             {"army1": "(Ember Chick)", "additional": False}, "regular=0"),
    ],
    "Unborn Heir": [
        Case("\nhand: Unborn Heir\ndeck: Quae, Clay Ox, Wish Moth, Tomorrow, rest", "",
             ("will Unborn Heir", "take Quae", "take Wish Moth"), {"hand0": "Quae, Wish Moth", "top0": "Clay Ox"}, "regular=0"),
    ],
    "Tomorrow": [
        Case("tokens=1 spent=1\nhand: Tomorrow\narmy 1: Early Riser\narmy 2: Unborn Heir", "", ("play Tomorrow",),
             {"tokens0": (2, 0, 2), "additional": True, "value0": 11}, "round=2"),
    ],
    "Byun Hyung Ja (Tomorrow)": [
        Case("\nhand: Byun Hyung Ja (Tomorrow)\narmy 1: Early Riser\narmy 2: Unborn Heir", "",
             ("play Byun Hyung Ja (Tomorrow)",), {"tokens0": (3, 0, 1)}, "regular=0"),
        Case("\nhand: Byun Hyung Ja (Tomorrow)\narmy 1: Early Riser\narmy 2: Unborn Heir", "",
             ("play Byun Hyung Ja (Tomorrow)",), {"tokens0": (2, 0, 2)}),
    ],
    # ---- Narashima
    "Empty Bowl": [
        Case("\nhand: Empty Bowl, Quae", "\nhand: Ember Chick, Sati", ("play Empty Bowl", "discard Sati"),
             {"pile0": "Quae", "pile1": "Sati"}),
    ],
    "Ledger Crane": [
        Case("\nhand: Ledger Crane", "\narmy 1: Spade Golem, Spade Golem", ("play Ledger Crane",), {"value0": 2, "value1": 3}),
    ],
    "Begging Saint": [
        Case("\nhand: Begging Saint, Quae, Clay Ox, Wish Moth", "", ("play Begging Saint",), {"size0": 4}),
        Case("\nhand: Begging Saint, Quae, Clay Ox, Wish Moth, Early Riser", "", ("play Begging Saint",), {"size0": 4}),
    ],
    "Stone Lion Cub": [
        Case("points=1\nhand: Stone Lion Cub", "", ("play Stone Lion Cub",), {"value0": 4}),
        Case("points=1\nhand: Stone Lion Cub", "points=1", ("play Stone Lion Cub",), {"value0": 3}),
    ],
    "Quae": [
        Case("\nhand: Quae\narmy 1: Begging Saint", "\narmy 1: Ember Chick, Spade Golem, Cinder Page, Kiln Guard",
             ("play Quae",), {"army1": "Ember Chick, Spade Golem", "pile1": "Cinder Page, Kiln Guard"}),
    ],
    "Even-Handed Nun": [
        Case("\nhand: Even-Handed Nun, Quae\narmy 1: Begging Saint", "\nhand: Ember Chick, Sati, Spade Golem",
             ("play Even-Handed Nun", "discard Sati", "discard Ember Chick"), {"hand1": "Spade Golem"}),
    ],
    "Reflection Duelist": [
        Case("\nhand: Reflection Duelist\narmy 1: Begging Saint", "\narmy 1: Ember Chick, Spade Golem\narmy 2: Phoenix (Ash)",
             ("play Reflection Duelist",), {"army1": "Ember Chick, Spade Golem / (Phoenix (Ash))"}),
    ],
    "Fasting Abbot": [
        Case("\nhand: Fasting Abbot, Quae\narmy 1: Begging Saint",
             "\nhand: Spade Golem, Sati, Phoenix\narmy 1: Kiln Guard, Kiln Guard",
             ("play Spade Golem", "recruit", "will Fasting Abbot", "discard Quae"),
             {"army1": "Kiln Guard, Kiln Guard", "pile1": "Phoenix, Sati, Spade Golem"}, "active=p1"),
    ],
    "Tidal Scales": [
        Case("\nhand: Tidal Scales\narmy 1: Begging Saint", "\nhand: Sati", ("play Tidal Scales", "option 1"),
             {"size0": 3, "size1": 3}),
        Case("\nhand: Tidal Scales\narmy 1: Begging Saint", "\nhand: Sati, Ember Chick, Phoenix, Xi'an",
             ("play Tidal Scales", "option 2", "discard Sati"), {"size0": 0, "size1": 3}),
        Case("\nhand: Tidal Scales\narmy 1: Begging Saint, Clay Ox", "\narmy 1: Ember Chick\narmy 2: Sati",
             ("play Tidal Scales", "option 3"),
             {"army0": "Begging Saint / Tidal Scales", "hand0": "Clay Ox", "army1": "Ember Chick", "hand1": "Sati"}),
    ],
    "Narashima": [
        Case("\nhand: Narashima\narmy 1: Begging Saint\narmy 2: Quae", "\nhand: Sati, Ember Chick, Phoenix, Xi'an, Spade Golem",
             ("play Narashima", "discard Sati", "discard Xi'an", "spend 2"), {"size1": 6, "asked": "p1 discard"}),
        Case("\narmy 1: Begging Saint\narmy 2: Quae\narmy 3: Narashima", "\nhand: Sati, Ember Chick, Phoenix, Xi'an",
             ("spend 1", "spend 1", "discard Sati"), {"size0": 1, "size1": 4, "asked": "p0 turn"}),
    ],
    "Byun Hyung Ja (Narashima)": [
        Case("\nhand: Byun Hyung Ja (Narashima)\narmy 1: Begging Saint\narmy 2: Quae", "",
             ("play Byun Hyung Ja (Narashima)",), {"tokens0": (3, 0, 1)}),
        Case("\nhand: Byun Hyung Ja (Narashima), Clay Ox\narmy 1: Begging Saint\narmy 2: Quae", "",
             ("play Byun Hyung Ja (Narashima)",), {"tokens0": (2, 0, 2)}),
    ],
}  # fmt: skip
