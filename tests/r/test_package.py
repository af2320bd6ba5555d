"""The R package holds all sources that it needs, on processors that are not this one as well."""

import os
import pathlib
import platform
import subprocess

import pytest

LIBRARY = os.environ.get("BKERNN_R_LIBRARY")
if not LIBRARY:
    pytest.skip("BKERNN_R_LIBRARY is not set: make test-r", allow_module_level=True)
SOURCES = pathlib.Path(LIBRARY).parent / "bkernn" / "src"
FLAGS = [[], ["-mavx2"], ["-mavx512f", "-mfma"]] if platform.machine() == "x86_64" else [[]]


@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_headers_are_inside(flags):
    headers = subprocess.run(
        ["R", "CMD", "config", "--cppflags"], capture_output=True, text=True, check=True
    ).stdout.split()
    compiler = [os.environ.get("CXX", "c++"), "-std=c++20", *flags, "-M", *headers]
    folders = ["-Icore/include", "-Icore/src", "-Iother"]
    files = sorted(path.name for path in SOURCES.glob("*.cpp"))
    run = subprocess.run([*compiler, *folders, *files], cwd=SOURCES, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    read = run.stdout.split()
    assert any(name.endswith("other/Eigen/Core") for name in read)
    assert not [name for name in read if name.startswith("/") and "/Eigen/" in name]
    assert not [name for name in read if name.startswith("/") and "/nlohmann/" in name]
