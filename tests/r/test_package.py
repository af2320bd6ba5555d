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


# What somebody does who has R, a compiler and the package.
USE = """
stopifnot(length(.libPaths()) == 2)
install.packages(commandArgs(TRUE), .libPaths()[[1]], repos = NULL, type = "source")
stopifnot(identical(dir(.libPaths()[[1]]), "bkernn"))
library(bkernn)
fit <- bkernn(mpg ~ ., mtcars, seed = 1, nthreads = 2)
file <- tempfile(fileext = ".json")
write_bkernn(fit, file)
stopifnot(
  identical(predict(read_bkernn(file), mtcars), predict(fit, mtcars)),
  cor(predict(fit, mtcars), mtcars$mpg) > 0.8,
  length(help("bkernn", "bkernn")) == 1,
  nzchar(vignette("from_sir_and_ppr", "bkernn")$PDF),
  file.exists(system.file("COPYRIGHTS", package = "bkernn")),
  length(setdiff(loadedNamespaces(), c("bkernn", rownames(installed.packages(priority = "base")))))
    == 0
)
"""


def test_installs_into_an_empty_library(tmp_path):
    (tmp_path / "library").mkdir()
    (tmp_path / "use.R").write_text(USE)
    (package,) = pathlib.Path(LIBRARY).parent.glob("bkernn_*.tar.gz")
    paths = {"R_LIBS": str(tmp_path / "library"), "R_LIBS_USER": "NULL", "R_LIBS_SITE": "NULL"}
    settings = {"R_MAKEVARS_USER": str(package.with_name("Makevars"))}
    run = subprocess.run(
        ["Rscript", "--vanilla", tmp_path / "use.R", package],
        env=os.environ | paths | settings,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
