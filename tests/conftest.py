"""Nothing but its place: with it here, pytest puts this folder on the path, and tests of every folder find `how_often`."""
