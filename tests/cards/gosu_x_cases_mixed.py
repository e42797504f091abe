"""Cases for test_every_gosu_x_card.py: the cards of Galmi and Goan Sul, for which Tomorrow's tile is active."""

from __future__ import annotations

from gosu_x_case import Case

CASES: dict[str, list[Case]] = {
    # ---- Galmi (the tile of Tomorrow makes a new clan cost one card)
    "Harbour Crier": [
        Case("\nhand: Harbour Crier, Ember Chick", "", ("play Harbour Crier", "spend 1", "play Ember Chick"),
             {"army0": "Harbour Crier, Ember Chick", "pile0": ""}),
    ],
    "Gift Bearer": [Case("\nhand: Gift Bearer", "", ("play Gift Bearer",), {"wonder": 0}, "wonder=p1")],
    "Lock Picker": [
        Case("\nhand: Lock Picker\narmy 1: (Gift Bearer)", "", ("play Lock Picker", "target p0 1.1"),
             {"army0": "Gift Bearer, Lock Picker", "size0": 1}),
    ],
    "Pier Sentinel": [
        Case("\nhand: Pier Sentinel, Ember Chick", "", ("play Pier Sentinel", "spend 1", "play Ember Chick"),
             {"army0": "Pier Sentinel, Ember Chick", "pile0": ""}),
    ],
    "Galmi (Avatar)": [
        Case("\nhand: Galmi (Avatar)\narmy 1: Gift Bearer", "\narmy 1: Clay Ox$", ("play Galmi (Avatar)",), {"value0": 8},
             "wonder=p0"),
        Case("\nhand: Galmi (Avatar)\narmy 1: Gift Bearer, (Lock Picker)", "\narmy 1: Clay Ox", ("play Galmi (Avatar)",),
             {"value0": 5}),
        Case("\nhand: Galmi (Avatar)\narmy 1: Gift Bearer, Scale Bearer", "", ("play Galmi (Avatar)",), {"value0": 10}),
    ],
    "Festival Queen": [
        Case("\nhand: Festival Queen\narmy 1: Gift Bearer, Ember Chick", "", ("play Festival Queen", "accept"),
             {"wonder": None, "size0": 2}),
        Case("\nhand: Festival Queen\narmy 1: Gift Bearer, Ember Chick, Scale Bearer", "", ("play Festival Queen", "accept"),
             {"wonder": None, "size0": 2}),
    ],
    "Jailor's Regret": [
        Case("\nhand: Jailor's Regret\narmy 1: Gift Bearer, (Ember Chick)", "", ("play Jailor's Regret",),
             {"army0": "Gift Bearer, Ember Chick / Jailor's Regret", "size0": 1}),
        Case("\nhand: Jailor's Regret\narmy 1: Gift Bearer", "", ("play Jailor's Regret",), {"size0": 1}),
    ],
    "Closing Bell": [
        Case("tokens=0 spent=2\nhand: Closing Bell\narmy 1: Gift Bearer", "tokens=0 spent=2\nhand: Clay Ox",
             ("play Closing Bell", "play Clay Ox", "pass"), {"size0": 1, "left1": 1}),
    ],
    "Free Company": [
        Case("tokens=0 spent=2\nhand: Free Company\narmy 1: Gift Bearer\ndeck: Phoenix, Ember Chick, Sati, She Rift, rest",
             "\nhand: Clay Ox", ("pass", "play Clay Ox", "will Free Company"),
             {"army0": "Gift Bearer, Ember Chick", "hand0": "Phoenix", "pile0": "Free Company, Sati, She Rift"}),
    ],
    "Galmi": [
        Case("tokens=0 spent=2\nhand: Galmi\narmy 1: Gift Bearer, (Lock Picker)\narmy 2: (Sati), Free Company", "\nhand: Clay Ox",
             ("play Galmi", "accept"),
             {"army0": "Gift Bearer, Lock Picker / Sati, Free Company / Galmi", "passed0": True, "size0": 3, "wonder": 0}),
    ],
    "Byun Hyung Ja (Galmi)": [
        Case("\nhand: Byun Hyung Ja (Galmi)\narmy 1: Gift Bearer\narmy 2: Free Company", "", ("play Byun Hyung Ja (Galmi)",),
             {"tokens0": (3, 0, 1)}, "wonder=p0"),
        Case("\nhand: Byun Hyung Ja (Galmi)\narmy 1: Gift Bearer, (Lock Picker)\narmy 2: Free Company", "",
             ("play Byun Hyung Ja (Galmi)",), {"tokens0": (2, 0, 2)}, "wonder=p0"),
    ],
    # ---- Goan Sul
    "Gate Breaker": [
        Case("\nhand: Gate Breaker", "\narmy 1: Clay Ox, Wish Moth", ("play Gate Breaker",),
             {"army1": "Clay Ox", "pile1": "Wish Moth"}),
    ],
    "Shield Sister": [Case("\nhand: Shield Sister", "", ("play Shield Sister", "spend 1", "activate 1.1"), {"value0": 6})],
    "Iron Novice": [Case("\nhand: Iron Novice", "", ("play Iron Novice", "spend 1", "activate 1.1"), {"value0": 6})],
    "Chain Dog": [
        Case("\nhand: Chain Dog", "\narmy 1: Clay Ox, Wish Moth\narmy 2: Quae", ("play Chain Dog", "target p1 1.1"),
             {"army1": "(Clay Ox), Wish Moth / Quae"}),
    ],
    "Hemro": [
        Case("\nhand: Hemro\narmy 1: Chain Dog", "\narmy 1: Clay Ox\narmy 2: Quae\narmy 3: Narashima",
             ("play Hemro", "target p1 2.1"),
             {"army1": "Clay Ox / (Quae) / Narashima"}),
    ],
    "Headsman Orlo": [
        Case("\nhand: Headsman Orlo\narmy 1: Chain Dog",
             "\narmy 1: Clay Ox, (Wish Moth)\ndiscard: Quae, Grave Potter, Herald of Want",
             ("play Headsman Orlo",), {"army1": "Clay Ox", "size0": 1, "value0": 6}),
    ],
    "War Drummer": [
        Case("tokens=1\nhand: War Drummer\narmy 1: Shield Sister+, Iron Novice", "", ("play War Drummer",),
             {"value0": 2 * 4 + 3 + 3 + 1}),
    ],
    "Siege Ox": [
        Case("\nhand: Siege Ox\narmy 1: Chain Dog", "\narmy 1: Clay Ox, Wish Moth\narmy 2: Quae",
             ("play Siege Ox", "target p1 2.1"),
             {"army1": "Clay Ox, Wish Moth", "pile1": "Quae"}),
    ],
    "Oathbroken Blade": [
        Case("\nhand: Oathbroken Blade\narmy 1: Chain Dog", "\narmy 1: Clay Ox, Wish Moth\narmy 2: Three-Wish Lamp",
             ("activate 2.1", "option 2", "will Oathbroken Blade", "target p1 1.1"),
             {"army0": "(Chain Dog)", "army1": "(Clay Ox), Wish Moth / (Three-Wish Lamp)", "tokens1": (1, 1, 2)}, "active=p1"),
    ],
    "Goan Sul": [
        Case("\nhand: Goan Sul\narmy 1: Chain Dog, Ember Chick\narmy 2: Siege Ox",
             "\narmy 1: Clay Ox, Wish Moth\narmy 2: Glutton Prince",
             ("play Goan Sul", "pick Abhilasha"), {"army1": "Clay Ox", "army0": "Chain Dog, Ember Chick / Siege Ox / Goan Sul"}),
        Case("tokens=0 spent=2\narmy 1: Chain Dog, Shield Sister\narmy 2: Siege Ox\narmy 3: Goan Sul", "tokens=0 spent=2",
             ("pass", "pass"), {"reason": "goan_sul"}),
    ],
    "Byun Hyung Ja (Goan Sul)": [
        Case("\nhand: Byun Hyung Ja (Goan Sul)\narmy 1: Chain Dog\narmy 2: Siege Ox",
             "\narmy 1: (Clay Ox), (Wish Moth)\narmy 2: (Quae)",
             ("play Byun Hyung Ja (Goan Sul)",), {"tokens0": (3, 0, 1)}),
        Case("\nhand: Byun Hyung Ja (Goan Sul)\narmy 1: Chain Dog\narmy 2: Siege Ox",
             "\narmy 1: (Clay Ox), (Wish Moth)\narmy 2: Quae",
             ("play Byun Hyung Ja (Goan Sul)",), {"tokens0": (2, 0, 2)}),
    ],
}  # fmt: skip
