"""The wheel for other machines: as well protected as the native one, and the same bits."""

import os
import stat
import zipfile

import numpy as np
import pytest

from reliability.hardening import missing_protections, needed_libraries, newest_glibc
from reliability.tool import Tool, timeless

WHEEL = os.environ.get("BKERNN_PORTABLE_WHEEL")
pytestmark = pytest.mark.skipif(
    not WHEEL, reason="of the portable wheel, which `make wheel-portable` builds and tests"
)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("portable")
    with zipfile.ZipFile(WHEEL) as wheel:
        wheel.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def portable(unpacked):
    (program,) = unpacked.glob("bkernn-*.data/scripts/bkernn")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def test_binaries_are_hardened_and_run_on_old_systems(unpacked, portable):
    (module,) = unpacked.glob("bkernn/_core*.so")
    for path in (portable, module):
        assert missing_protections(path) == []
        system = {"libc", "libm", "libpthread", "libdl", "librt", "ld"}
        assert {name.split("-")[0] for name in needed_libraries(path)} <= system
        assert newest_glibc(path) <= (2, 17)


FITS = {
    "numbers": ["--penalty", "feature", "--regularization", "0.003"],
    "variables": ["--penalty", "concave_variable", "--regularization", "0.003"],
    "exponential": ["--kernel", "exponential", "--penalty", "basic", "--regularization", "0.01"],
    "gaussian": ["--kernel", "gaussian", "--penalty", "basic", "--regularization", "0.01"],
    "quantile": ["--loss", "quantile", "--quantile", "0.8", "--regularization", "0.003"],
    "chosen": [],
}


def assert_same_bits(portable, folder, *options):
    """Fit d.csv by both builds, and predict new.csv by both from one model."""
    native, other = Tool(folder), Tool(folder, portable)
    fit = ["fit", "d.csv", "-t", "y", "--max-iter", "12", "-q", *options]
    native.do(*fit, "-o", "native.json")
    other.do(*fit, "-o", "other.json")
    for tool, name in ((native, "a.npy"), (other, "b.npy")):
        tool.do("predict", "native.json", "new.csv", "-o", name, "-q")
    predictions = [np.load(folder / name) for name in ("a.npy", "b.npy")]
    np.testing.assert_array_equal(*predictions)
    assert timeless(folder / "native.json") == timeless(folder / "other.json")


@pytest.mark.parametrize("options", FITS.values(), ids=FITS)
def test_both_builds_give_the_same_bits(portable, tmp_path, options):
    size = ["--n", "250", "--n-test", "300", "--d", "6", "--seed", "3"]
    Tool(tmp_path).do("simulate", *size, "-o", "d.csv", "-q")
    (tmp_path / "d.test.csv").rename(tmp_path / "new.csv")
    assert_same_bits(portable, tmp_path, *options)


def test_both_builds_give_the_same_bits_for_words_and_classes(portable, tmp_path):
    rng = np.random.default_rng(4)
    for name, n in (("d.csv", 250), ("new.csv", 300)):
        size, color = rng.normal(50, 10, n).round(3), rng.choice(["red", "green", ""], n)
        kinds = np.array(["low", "middle", "high"])[
            np.digitize(size + 9 * (color == "red"), [45, 58])
        ]
        rows = [f"{a},{b},{kind}" for a, b, kind in zip(size, color, kinds, strict=True)]
        (tmp_path / name).write_text("\n".join(["size,color,y", *rows]) + "\n")
    assert_same_bits(portable, tmp_path, "--penalty", "variable", "--regularization", "0.003")
