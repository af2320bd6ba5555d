"""Builds small programs against the library that lies beside the command-line tool."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def tool_path():
    """Return the path of the tool, or skip the test."""
    path = os.environ.get("BKERNN_BINARY")
    if not path:
        pytest.skip("BKERNN_BINARY names no command-line tool")
    return Path(path).resolve()


def build_directory():
    """Return the build directory that the tool lies in, or skip the test."""
    path = tool_path().parent
    if not (path / "libbkernn.a").exists():
        pytest.skip("the tool does not lie in its build directory")
    return path


def build(project, folder, **definitions):
    """Build a CMake project in folder/build, through ccache if there is one."""
    cache = {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    launcher = {"CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or ""}
    environment = {**os.environ, **cache, **launcher}
    given = [f"-D{name}={value}" for name, value in definitions.items()]
    run("cmake", "-S", project, "-B", folder / "build", *given, env=environment)
    run("cmake", "--build", folder / "build", "-j", "2", env=environment)
    return folder / "build"
