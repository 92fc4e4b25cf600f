"""What an owner may want to know of the running bot: is it well, and how much does it do.

Knows no platform and nothing that people write; only this module knows Prometheus.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from bot.loopback import Asked, Route, Said
from storage import Turn

SILENT_S = 120.0
SECONDS = (0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320)

Health = Callable[[], float | None]


class Metrics:
    """Counts what ends; `silent_s` tells for how long updates were not fetched, None before."""

    def __init__(
        self,
        *,
        silent_s: Health,
        num_open: Callable[[], int],
        updates: Callable[[], Mapping[str, int]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._silent_s = silent_s
        self._clock = clock
        self._registry = CollectorRegistry()
        self._ended = Counter(
            "darkroom_answers",
            "Answers that have ended.",
            ("task", "status"),
            registry=self._registry,
        )
        self._took = Histogram(
            "darkroom_answer_seconds",
            "From a question to the end of its answer.",
            ("task",),
            buckets=SECONDS,
            registry=self._registry,
        )
        waiting = Gauge(
            "darkroom_answers_open", "Answers running and waiting.", registry=self._registry
        )
        waiting.set_function(num_open)
        silent = Gauge(
            "darkroom_silent_seconds",
            "Since updates were last fetched, -1 if never.",
            registry=self._registry,
        )
        silent.set_function(lambda: -1.0 if (told := silent_s()) is None else told)
        self._registry.register(_Updates(updates))

    @property
    def routes(self) -> dict[tuple[str, str], Route]:
        """What is served of it."""
        return {("GET", "/healthz"): self._health, ("GET", "/metrics"): self._metrics}

    def note(self, turn: Turn) -> None:
        """An answer has ended."""
        self._ended.labels(turn.task, turn.status.value).inc()
        self._took.labels(turn.task).observe(max(0.0, self._clock() - turn.created_at))

    async def _health(self, asked: Asked) -> Said:
        silent_s = self._silent_s()
        if silent_s is None:
            return Said(HTTPStatus.SERVICE_UNAVAILABLE, b"no update was fetched yet\n")
        if silent_s > SILENT_S:
            told = f"no update could be fetched for {silent_s:.0f} seconds\n"
            return Said(HTTPStatus.SERVICE_UNAVAILABLE, told.encode())
        return Said(body=b"well\n")

    async def _metrics(self, asked: Asked) -> Said:
        return Said(body=generate_latest(self._registry), kind=CONTENT_TYPE_LATEST)


class _Updates(Collector):
    """The updates by what became of them, as they are counted elsewhere."""

    def __init__(self, updates: Callable[[], Mapping[str, int]]) -> None:
        self._updates = updates

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(
            "darkroom_updates", "Updates by what became of them.", labels=("fate",)
        )
        for fate, number in sorted(self._updates().items()):
            family.add_metric([fate], number)
        yield family
