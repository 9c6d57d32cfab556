"""Steps of training until the time is up: what both stages of the towers' training share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch

#: Each part of a loss with its weight, by name.
Losses = dict[str, tuple[float, torch.Tensor]]
_TOLD_EVERY = 250  # steps
_LEAST = 0.02  # of the rate, at the end


@dataclass(frozen=True)
class Pace:
    """How long a stage takes: so many seconds, or so many steps where they are given."""

    seconds: float
    steps: int | None = None
    warm_up: int = 100  # steps

    def done(self, seconds: float, steps: int) -> float:
        """Which share of the stage is behind."""
        return seconds / self.seconds if self.steps is None else steps / self.steps


def take_steps(
    name: str,
    pace: Pace,
    optimiser: torch.optim.Optimizer,
    clipped: Iterable[torch.nn.Parameter],
    losses_of: Callable[[int], Losses],
    look: Callable[[], None] | None = None,
    look_every: float = math.inf,
) -> None:
    """Train until the pace's end, the rates warming up and then falling along a cosine.

    `look` is called after every so many seconds, which do not count.
    """
    rates = [group["lr"] for group in optimiser.param_groups]
    clipped = list(clipped)
    started = time.perf_counter()
    step, looked = 0, 1
    while (done := pace.done(time.perf_counter() - started, step)) < 1:
        factor = min(1.0, (step + 1) / pace.warm_up) * (0.5 * (1 + math.cos(math.pi * done)) + _LEAST)
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * factor
        losses = losses_of(step)
        optimiser.zero_grad(set_to_none=True)
        torch.stack([weight * loss for weight, loss in losses.values()]).sum().backward()
        torch.nn.utils.clip_grad_norm_(clipped, 1.0)
        optimiser.step()
        if step % _TOLD_EVERY == 0:
            told = " ".join(f"{part} {float(loss.detach()):.3f}" for part, (_, loss) in losses.items())
            print(f"{name} step {step:>6} {time.perf_counter() - started:.0f} s  {told}", flush=True)
        step += 1
        if look is not None and time.perf_counter() - started > looked * look_every:
            paused = time.perf_counter()
            look()
            started += time.perf_counter() - paused
            looked += 1
    print(f"{name}: {step:,} steps in {time.perf_counter() - started:.0f} s", flush=True)


def machine() -> str:
    """A GPU where there is one."""
    torch.set_float32_matmul_precision("high")
    return "cuda" if torch.cuda.is_available() else "cpu"


def half_precision(device: str) -> torch.autocast:
    """Products in half precision on a GPU."""
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")


def drawn(found: torch.Tensor, count: int) -> torch.Tensor:
    """So many rows, each drawn anew."""
    return found[torch.randint(len(found), (count,), device=found.device)]


def others_alike(*keys: torch.Tensor) -> torch.Tensor:
    """Which two of a batch have a key in common and so are no negatives of one another."""
    same = torch.stack([key[:, None] == key[None, :] for key in keys]).any(dim=0)
    return same.fill_diagonal_(False)


def solved(given: torch.Tensor, wanted: torch.Tensor, ridge: float) -> torch.Tensor:
    """The matrix that turns what is given into what is wanted, by least squares."""
    steady = ridge * torch.eye(given.shape[1], device=given.device)
    return torch.linalg.solve(given.T @ given + steady, given.T @ wanted)
