"""Runs the steps of dist/action as GitHub does: expressions, environment files, the artifact store and comments of a repository.

action.py ACTION_YML STATE EVENT NAME=VALUE...    STATE is a folder that holds what the repository keeps; EVENT is push or pull_request

Artifacts are stored in STATE/artifacts; `action.py gh ARGUMENT...` stands for the program gh. Exit status of the first step that fails.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml


def read_outputs(file):
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


class Job:
    """One job with this action as its step."""

    def __init__(self, action, state, event, inputs):
        self.action, self.state, self.event = action, state, event
        text = yaml.safe_load(action.read_text())
        unknown = set(inputs) - set(text["inputs"])
        assert not unknown, f"the action has no inputs {unknown}"
        self.steps, self.declared = text["runs"]["steps"], text["outputs"]
        self.values = {f"inputs.{name}": str(given.get("default", "")) for name, given in text["inputs"].items()}
        self.values["inputs.token"] = "secret"
        self.values.update({f"inputs.{name}": value for name, value in inputs.items()})
        self.values["github.event_name"] = event
        self.number = len(list(state.glob("run-*"))) + 1
        self.folder = state / f"run-{self.number}"
        self.folder.mkdir(parents=True)
        self.path = os.environ["PATH"]

    def expression(self, text):
        def value(match):
            if match[0].startswith("'"):
                return repr(match[0][1:-1])
            assert match[0] in self.values or match[0].startswith("steps."), f"no {match[0]}"
            return repr(self.values.get(match[0], ""))

        python = re.sub(r"'[^']*'|[a-z_]+(?:\.[a-z_-]+)+", value, text.strip()).replace("&&", " and ").replace("||", " or ")
        return eval(python, {"__builtins__": {}})

    def fill(self, text):
        return re.sub(r"\$\{\{(.*?)}}", lambda match: str(self.expression(match[1])), str(text))

    def run(self):
        status = 0
        for number, step in enumerate(self.steps):
            if status or ("if" in step and not self.expression(step["if"])):
                continue
            print(f"-- {step['name']}", flush=True)
            if "uses" in step:
                assert step["uses"].startswith("actions/upload-artifact@")
                self.upload({name: self.fill(value) for name, value in step["with"].items()})
            else:
                status = self.shell(number, step)
        for name, given in self.declared.items():
            print(f"output {name}={self.fill(given['value'])}")
        return status

    def shell(self, number, step):
        files = {name: self.folder / f"{number}-{name.lower()}" for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV")}
        for file in files.values():
            file.touch()
        script = self.folder / f"{number}.sh"
        script.write_text(self.fill(step["run"]))
        environment = {
            # As GitHub's: nothing of the caller but what a runner has.
            **{name: os.environ[name] for name in ("HOME", "LC_ALL", "TZ", "MODEL_SERVER") if name in os.environ},
            **{name: str(file) for name, file in files.items()},
            "PATH": self.path,
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_ACTION_PATH": str(self.action.parent),
            "GITHUB_REPOSITORY": "someone/project",
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_RUN_ID": str(self.number),
            "GITHUB_REF": "refs/pull/7/merge" if self.event == "pull_request" else "refs/heads/trunk",
            "RUNNER_TEMP": str(self.folder),
            "STATE": str(self.state),
            **{name: self.fill(value) for name, value in step.get("env", {}).items()},
        }
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        assert step["shell"] == "bash"
        status = subprocess.run(shell, env=environment, cwd=self.state, check=False, timeout=300).returncode
        if "id" in step:
            for name, value in read_outputs(files["GITHUB_OUTPUT"]).items():
                self.values[f"steps.{step['id']}.outputs.{name}"] = value
        self.path = os.pathsep.join([*reversed(files["GITHUB_PATH"].read_text().split()), self.path])
        return status

    def upload(self, options):
        branch = "change" if self.event == "pull_request" else "trunk"
        kept = self.state / "artifacts" / str(self.number)
        shutil.copytree(options["path"], kept / options["name"])
        about = {"id": self.number, "head_branch": branch, "repository_id": 1, "head_repository_id": 1}
        record = {"id": 100 + self.number, "name": options["name"], "expired": False, "created_at": f"2026-01-01T00:00:{self.number:02}Z"}
        (kept / "artifact.json").write_text(json.dumps({**record, "workflow_run": about}))


def gh(state, arguments):
    """The calls of GitHub's program that the action makes; queries are answered by jq."""
    if arguments[:2] == ["run", "download"]:
        options = dict(zip(arguments[3::2], arguments[4::2]))
        shutil.copytree(state / "artifacts" / arguments[2] / options["--name"], options["--dir"])
        return 0
    assert arguments[0] == "api", arguments
    comments = state / "comments"
    comments.mkdir(exist_ok=True)
    (path,) = [each for each in arguments if each.startswith("repos/")]
    if "--method" in arguments:
        (body,) = [each for each in arguments if each.startswith("body=@")]
        if (state / "read-only").exists():
            print("gh: Resource not accessible by integration (HTTP 403)", file=sys.stderr)
            return 1
        method = arguments[arguments.index("--method") + 1]
        number = path.rsplit("/", 1)[1] if method == "PATCH" else str(len(list(comments.iterdir())) + 1)
        assert path == ("repos/someone/project/issues/comments/" + number if method == "PATCH" else "repos/someone/project/issues/7/comments")
        shutil.copy(body[len("body=@") :], comments / number)
        return 0
    if path == "repos/someone/project":
        answer = {"default_branch": "trunk"}
    elif path.startswith("repos/someone/project/actions/artifacts?name="):
        records = [json.loads(file.read_text()) for file in (state / "artifacts").glob("*/artifact.json")]
        wanted = re.search("name=([^&]*)", path)[1]
        answer = {"artifacts": [record for record in records if record["name"] == wanted]}
    elif path == "repos/someone/project/issues/7/comments":
        answer = [{"id": int(file.name), "body": file.read_text()} for file in comments.iterdir()]
    else:
        raise AssertionError(path)
    query = arguments[arguments.index("--jq") + 1]
    return subprocess.run(["jq", "-r", query], input=json.dumps(answer), text=True, check=False).returncode


if __name__ == "__main__":
    if sys.argv[1] == "gh":
        sys.exit(gh(pathlib.Path(os.environ["STATE"]), sys.argv[2:]))
    job = Job(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], dict(each.split("=", 1) for each in sys.argv[4:]))
    sys.exit(job.run())
