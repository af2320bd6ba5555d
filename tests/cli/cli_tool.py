"""The command-line tool, driven as a user drives it. BKERNN_BINARY says where it is."""

import json
import os
import pathlib
import subprocess

from reliability import PATIENCE

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("BKERNN_BINARY", ROOT / "build" / "release" / "bkernn"))
BY_RULE = ["--regularization", "rule", "--penalty", "feature"]  # nothing is chosen


class Tool:
    """Runs the binary in one directory."""

    def __init__(self, directory):
        self.directory = directory

    def path(self, name):
        return self.directory / name

    def write(self, name, text):
        self.path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def run(self, *arguments, code=0, **options):
        command = [str(BINARY), *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.directory, capture_output=True, timeout=PATIENCE, **options
        )
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == code, f"exit code {done.returncode}\n{done.out}\n{done.err}"
        return done

    def start(self, *arguments):
        command = [str(BINARY), *map(str, arguments)]
        return subprocess.Popen(
            command, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def json(self, *arguments, **options):
        return json.loads(self.run(*arguments, "--json", **options).out)

    def load(self, name):
        return json.loads(self.path(name).read_text())
