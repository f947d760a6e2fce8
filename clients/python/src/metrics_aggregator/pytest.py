"""Plugin of pytest: a daemon for the tests of a session, whose run they make claims about.

It needs no import: pytest finds it once metrics-aggregator is installed.

    from metrics_aggregator.units import s

    @pytest.fixture(scope="session")
    def run(metrics_daemon):
        with metrics_daemon.session() as publisher:
            load_the_server(publisher)
        return metrics_daemon.run()  # InvalidRunError says why a run proves nothing

    def test_time_to_first_token(run):
        assert run.series("ttft_ns").p99 < 0.5 * s
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .daemon import Daemon

__all__ = ["metrics_daemon", "metrics_daemon_options", "metrics_daemons"]


@pytest.fixture(scope="session")
def metrics_daemon_options() -> Sequence[str]:
    """More options of `metrics-aggregator run` for `metrics_daemon`, such as `["--slo", "ttft=500ms"]`. Override this fixture."""
    return ()


@pytest.fixture(scope="session")
def metrics_daemons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Daemon]]:
    """Starts further daemons, one a run: call it with options of `metrics-aggregator run`. Each is closed with the session.

    Results stay in the temporary directories of the last sessions, as pytest keeps them.
    """
    # Only sessions that use it import ZeroMQ.
    from .daemon import Daemon

    made: list[Daemon] = []

    def start(*options: str) -> Daemon:
        made.append(Daemon(*options, output=tmp_path_factory.mktemp("metrics-aggregator")))
        return made[-1]

    yield start
    for each in made:
        each.close()


@pytest.fixture(scope="session")
def metrics_daemon(metrics_daemons: Callable[..., Daemon], metrics_daemon_options: Sequence[str]) -> Daemon:
    """The daemon of this session's run; see `metrics_aggregator.Daemon`."""
    return metrics_daemons(*metrics_daemon_options)
