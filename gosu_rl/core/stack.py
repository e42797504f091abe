"""The stack of pending decisions inside a state: frames (operation, who, a, b, c, d) in `s.stack[0 : s.sp]`."""

from __future__ import annotations

from gosu_rl.core.jit import inner


@inner
def push(s, op, who, a, b, c, d):
    """Put a frame on the stack."""
    k = s.sp
    s.stack[k, 0] = op
    s.stack[k, 1] = who
    s.stack[k, 2] = a
    s.stack[k, 3] = b
    s.stack[k, 4] = c
    s.stack[k, 5] = d
    s.sp = k + 1


@inner
def pop(s):
    """Take the top frame away; its place is cleared, so that equal states have equal bytes."""
    s.sp -= 1
    k = s.sp
    for i in range(6):
        s.stack[k, i] = 0
