"""The command metrics-aggregator of the package, and imports without its dependencies."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from conftest import DAEMON


def command(*arguments, path, **variables):
    """The console script, as an installer writes it, in an environment without the program."""
    script = path / "metrics-aggregator"
    if not script.exists():
        path.mkdir(exist_ok=True)
        script.write_text(f"#!{sys.executable}\nfrom metrics_aggregator.__main__ import main\nmain()\n")
        script.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("METRICS_AGGREGATOR")}
    environment.update(PATH=f"{path}:/usr/bin:/bin", METRICS_AGGREGATOR_NO_BUILD="1", **variables)
    return subprocess.run([script, *arguments], capture_output=True, text=True, env=environment, timeout=60, check=False)


def test_the_command_says_what_to_install(tmp_path):
    # Another environment's command of this package is not the program: each would start the other for ever.
    command(path=tmp_path / "other")
    done = command("demo", path=tmp_path / "bin", VIRTUAL_ENV=str(tmp_path))
    if done.returncode != 2:
        pytest.skip("the program is installed on this machine")
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "pip install 'metrics-aggregator[daemon]'" in done.stderr


def test_the_command_becomes_the_program(program, tmp_path):
    done = command("--version", path=tmp_path, METRICS_AGGREGATOR=str(DAEMON))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("metrics-aggregator ")
    assert command("reprot", path=tmp_path, METRICS_AGGREGATOR=str(DAEMON)).returncode == 2


def test_a_program_that_is_none_is_named(tmp_path):
    done = command("demo", path=tmp_path, METRICS_AGGREGATOR="/nowhere/metrics-aggregator")
    assert (done.returncode, done.stderr) == (
        2,
        "metrics-aggregator: METRICS_AGGREGATOR=/nowhere/metrics-aggregator is not a program that can be run.\n",
    )


@pytest.mark.parametrize(("absent", "named"), [(["zmq"], "pyzmq"), (["zmq", "msgspec"], "pyzmq and msgspec")])
def test_an_import_without_a_dependency_says_what_to_install(absent, named):
    code = "".join(f"import sys; sys.modules[{each!r}] = None; " for each in absent) + "import metrics_aggregator"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"ModuleNotFoundError: metrics_aggregator needs {named}. Run: pip install metrics-aggregator" in done.stderr


def test_every_exported_name_is_there_and_an_unknown_one_is_an_error():
    import metrics_aggregator

    for name in metrics_aggregator.__all__:
        assert getattr(metrics_aggregator, name) is not None
    assert set(metrics_aggregator.__all__) <= set(dir(metrics_aggregator))
    with pytest.raises(AttributeError, match="has no attribute 'Publihser'"):
        _ = metrics_aggregator.Publihser
