"""What a batch raises where actions are illegal."""

from __future__ import annotations

from herzen.errors import IllegalMove


class IllegalActions(IllegalMove):
    """Actions that may not be played in some slots of a batch; no slot has changed.

    `slots`: these slots, ascending; `actions`: their actions, in the same order. `move` and `seat` are those of the
    first one.
    """

    code = "illegal_action"

    def __init__(
        self, slots: tuple[int, ...], actions: tuple[int, ...], seat: int, num_actions: int
    ) -> None:
        named = ", ".join(
            f"{slot} (action {action})" for slot, action in zip(slots[:5], actions, strict=False)
        )
        more = f" and {len(slots) - 5} more" if len(slots) > 5 else ""
        reason = f"illegal actions in slots {named}{more}"
        if not all(0 <= action < num_actions for action in actions):
            reason += f": actions are 0..{num_actions - 1}"
        super().__init__(actions[0], seat, reason)
        self.slots = slots
        self.actions = actions
