"""The reference model of Goblins: Epic Death, and the compiled core played against it."""
