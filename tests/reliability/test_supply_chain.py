"""The wheel says what is in it, binaries are hardened, and no format of ours runs code."""

import importlib.metadata
import json
import pathlib
import pickle
import re
import subprocess

import numpy as np
import pytest

import bkernn
from bkernn import _core
from reliability.hardening import PROTECTIONS, missing_protections, needed_libraries
from reliability.tool import BINARY, Tool

PACKAGE = pathlib.Path(bkernn.__file__).parent


class Bomb:
    """Unpickling it would leave a trace."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (pathlib.Path.touch, (self.path,))


def test_the_wheel_lists_what_is_inside():
    files = importlib.metadata.files("bkernn")
    (found,) = [one for one in files if one.parts[-2:] == ("sboms", "bkernn.cdx.json")]
    bom = json.loads(found.read_text())
    assert bom["bomFormat"] == "CycloneDX"
    assert bom["metadata"]["component"]["version"] == bkernn.__version__
    components = {one["name"]: one["version"] for one in bom["components"]}
    assert {"eigen", "nlohmann-json", "nanobind", "zlib"} <= set(components)
    assert all(re.match(r"\d+\.\d+", version) for version in components.values())
    assert needed_libraries(_core.__file__) <= {"libz", "libstdc++", "libm", "libgcc_s", "libc"}


@pytest.mark.parametrize("path", [BINARY, pathlib.Path(_core.__file__)], ids=["tool", "module"])
def test_binaries_are_hardened(path):
    assert missing_protections(path) == []


def test_a_file_without_protection_is_told(tmp_path):
    source = tmp_path / "plain.c"
    source.write_text("int main(void) { return 0; }\n")
    bare = ["-no-pie", "-fno-stack-protector", "-z", "execstack", "-z", "norelro", "-z", "lazy"]
    subprocess.run(["gcc", *bare, source, "-o", tmp_path / "plain"], check=True)
    assert missing_protections(tmp_path / "plain") == list(PROTECTIONS)


def test_no_format_holds_a_pickle(tmp_path):
    bomb = pickle.dumps(Bomb(tmp_path / "trace"))
    for extension in ("json", "ubj", "cbor"):
        (tmp_path / f"model.{extension}").write_bytes(bomb)
        with pytest.raises((OSError, ValueError)):
            bkernn.load_model(tmp_path / f"model.{extension}")
    np.save(tmp_path / "x.npy", np.array([Bomb(tmp_path / "trace")]), allow_pickle=True)
    code, _, err = Tool(tmp_path).run("fit", "x.npy", "-t", "column1", "-o", "m.json")
    assert code == 1 and "x.npy" in err
    assert not (tmp_path / "trace").exists()
    for source in PACKAGE.glob("*.py"):
        assert not re.search(r"pickle\.loads?|joblib\.load|allow_pickle=True", source.read_text())
