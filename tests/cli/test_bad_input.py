"""What is wrong is told in words, by exit code 1 (failure) or 2 (usage); no file is left behind."""

import gzip
import json
import subprocess

import numpy as np
import pytest
from cli_tool import BINARY

from reliability import PATIENCE

GOOD = "a,b,y\n1,2,3\n2,1,5\n3,5,1\n4,3,2\n"

BAD_DATA = {
    "word": ("a,b,y\n1,2,3\n2,oops,5\n", ["bad.csv", "line 3", '"b"', "oops"]),
    "numbers and a word in a variable": (
        "a,b,y\n1,2,3\n2,1,5\n3,12O,5\n",
        ["bad.csv: line 4, column 2", '"b"', '"12O" is not a number', "--categorical"],
    ),
    "latin-1 word": (
        "a,b,y\n1,u,3\n2,é,5\n".encode("latin-1"),
        ["bad.csv: line 3, column 2", '"b"', "UTF-8"],
    ),
    "long level": (
        "a,b,y\n1,u,3\n2," + "x" * 2_000_000 + ",5\n",
        ["bad.csv: line 3, column 2", '"b"', "megabyte"],
    ),
    "a million levels": (
        "a,b,y\n" + "".join(f"1,w{i},3\n" for i in range(200_000)),
        ["bad.csv", "line 2", 'column 2 ("b")', "more than 100000"],
    ),
    "infinite variable": ("a,b,y\n1,inf,3\n2,1,5\n", ["line 2", '"b"', "finite"]),
    "missing target": ("a,b,y\n1,2,NA\n2,1,5\n3,3,3\n", ["line 2", '"y"', "missing"]),
    "ragged": ("a,b,y\n1,2,3\n2,1\n", ["line 3"]),
    "infinite": ("a,b,y\n1,2,inf\n2,1,5\n", ["line 2", '"y"']),
    "no rows": ("a,b,y\n", ["no rows"]),
    "empty": ("", ["empty"]),
    "same name twice": (
        "b,a,y,a\n1,2,3,4\n",
        ['bad.csv: line 1: columns 2 and 4 have the same name "a"'],
    ),
    "no such target": ("a,b,z\n1,2,3\n2,1,5\n", ['no column "y"']),
    "only the target": ("y\n1\n2\n", ["no column is left"]),
    "one row": ("a,b,y\n1,2,3\n", ["at least 2 rows"]),
    "binary": (b"\x00\x01\x02\x03" * 50, ["bad.csv"]),
    "broken gzip": (gzip.compress(GOOD.encode())[:-9], ["bad.csv"]),
    "broken npy": (b"\x93NUMPY\x01\x00", ["bad.csv"]),
    "numbers and a word": ("a,b,y\n1,2,3\n2,1,oops\n3,3,3\n", ["line 3", '"y"', "oops", "--loss"]),
    "latin-1 name": ("é,b,y\n1,2,3\n2,1,5\n".encode("latin-1"), ["bad.csv", "column 1", "UTF-8"]),
    "latin-1 classes": (
        "a,b,y\n1,2,é\n2,1,a\n".encode("latin-1"),
        ["bad.csv", 'column "y"', "not UTF-8"],
    ),
    "one class": ("a,b,y\n1,2,yes\n2,1,yes\n", ["one class only"]),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data(tool, case):
    content, words = BAD_DATA[case]
    tool.write("bad.csv", content)
    done = tool.run("fit", "bad.csv", "--target", "y", "-o", "m.json", "-q", code=1)
    for word in words:
        assert word in done.err
    assert done.err.count("\n") <= 2 and "terminate" not in done.err
    assert not tool.path("m.json").exists()


def test_close_names_are_suggested(tool):
    tool.write("d.csv", GOOD.replace("y", "price"))
    assert 'did you mean "price"' in tool.run("fit", "d.csv", "--target", "pricee", code=1).err


USAGE = [
    ([], "a command is required"),
    (["frobnicate"], 'no command "frobnicate"'),
    (["fit", "d.csv"], "--target is required"),
    (["fit", "d.csv", "--target", "y", "--particles", "-1"], "--n-particles -1"),
    (["fit", "d.csv", "--target", "y", "--particles", "many"], "particles"),
    (["fit", "d.csv", "--target", "y", "--penalty", "none"], "penalty"),
    (["fit", "d.csv", "--target", "y", "--regularization", "-1"], "regularization"),
    (["fit", "d.csv", "--target", "y", "--regularization", "some"], "auto, rule, theory, cv or"),
    (["fit", "d.csv", "--target", "y", "--early-stopping"], "--validation"),
    (["fit", "d.csv", "--target", "y", "--validation", "1.5"], "between 0 and 1"),
    (["fit", "d.csv", "--target", "y", "--resume"], "--checkpoint"),
    (["fit", "d.csv", "--target", "y", "-o", "m.txt"], ".json, .ubj or .cbor"),
    (["fit", "d.csv", "--target", "y", "--unknown"], "--unknown"),
    (["simulate", "--kind", "nothing", "-o", "x.csv"], "kind"),
    (["simulate", "--n", "-5", "-o", "x.csv"], "--n -5"),
    (["predict", "m.json"], "DATA is required"),
    (["predict", "m.json", "d.csv", "--json"], "standard output"),
    (["fit", "d.csv", "--target", "y", "-o", "m.cbor", "--checkpoint", "./m.cbor"], "two files"),
]


@pytest.mark.parametrize("arguments, words", USAGE)
def test_wrong_usage(tool, arguments, words):
    tool.write("d.csv", GOOD)
    done = tool.run(*arguments, code=2)
    assert words in done.err + done.out


def test_targets_that_the_loss_or_the_model_does_not_take(fitted, tool):
    data, model = fitted.path("data.csv"), fitted.path("model.json")
    two = ["--target", "y", "--target", "x1"]
    err = tool.run("fit", data, *two, "--loss", "logistic", code=2).err
    assert "targets = 2: must be one for the logistic loss" in err and "--target" in err
    for command in [["score", model, data], ["report", model, data, "-o", "r.html"]]:
        err = tool.run(*command, *two, code=2).err
        assert "targets = 2: must be 1, as many as the model has" in err and "--target" in err


def test_files_that_cannot_be_read_or_written(fitted, tool):
    assert "No such file" in tool.run("fit", "none.csv", "--target", "y", code=1).err
    assert "No such file" in tool.run("predict", "none.json", "d.csv", code=1).err
    assert "No such file" in tool.run("predict", fitted.path("model.json"), "none.csv", code=1).err
    data, model = fitted.path("data.csv"), fitted.path("model.json")
    done = tool.run("fit", data, "--target", "y", "-o", "no/such/m.json", "-q", code=1)
    assert "no directory" in done.err
    done = tool.run("predict", model, data, "-o", "no/p.csv", code=1)
    assert "no/p.csv" in done.err


def test_help_that_cannot_be_written(tool):
    with open("/dev/full", "wb") as full:
        command = [str(BINARY), "--help"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode == 1 and b"cannot write" in done.stderr


def test_what_is_read_is_not_replaced(fitted, tool):
    tool.write("d.csv", fitted.path("data.csv").read_bytes())
    tool.write("m.json", fitted.path("model.json").read_bytes())
    for link in ["link.csv", "d.cbor"]:
        tool.path(link).symlink_to("d.csv")
    before = {name: tool.path(name).read_bytes() for name in ["d.csv", "m.json"]}
    for arguments in [
        ["predict", "m.json", "d.csv", "-o", "./d.csv"],
        ["predict", "m.json", "d.csv", "-o", "link.csv"],
        ["predict", "m.json", "d.csv", "-o", "m.json"],
        ["report", "m.json", "d.csv", "-o", "d.csv"],
        ["report", "m.json", "-o", "m.json"],
        ["convert", "m.json", "m.json"],
        ["fit", "d.csv", "--target=y", "-o", "d.cbor"],
        ["fit", "few.csv", "--target=y", "--validation", "d.csv", "-o", "d.cbor"],
        ["fit", "d.csv", "--target=y", "--checkpoint", "d.cbor"],
    ]:
        assert "the same file as" in tool.run(*arguments, code=2).err
    assert before == {name: tool.path(name).read_bytes() for name in before}
    tool.write("-", "standard input and output are no file")
    assert tool.run("predict", "m.json", "-", input=before["d.csv"]).out.startswith("prediction\n")


def test_control_characters_of_names_are_shown(tool):
    hidden, shown = "\x1b]0;owned\x07\x7f\u009b2J\nR2", r"\x1B]0;owned\x07\x7F\x9B2J\x0AR2"
    tool.write("d.csv", GOOD.replace("a,", f'"ä{hidden}",'))
    done = tool.run("fit", "d.csv", "--target", "y", "-o", "m.json")
    texts = [done.out, tool.run("inspect", "m.json").out]
    for text in texts:
        assert f"ä{shown}" in text
    texts.append(tool.run("predict", "m.json", tool.write("few.csv", "b\n1\n"), code=1).err)
    config = tool.write("c.ini", f"{hidden[0]} = 1\n")
    texts.append(tool.run("fit", "d.csv", "--target", "y", "--config", config, code=2).err)
    for text in texts:
        assert r"\x1B" in text and not set("\x1b\x07\x7f\u009b") & set(text)
    assert tool.json("inspect", "m.json")["variables"][0]["name"] == f"ä{hidden}"


def test_prediction_data(fitted, tool):
    tool.write("few.csv", "x1,x2,x3,x4,x5\n1,2,3,4,5\n")
    assert 'no column "x6"' in tool.run("predict", fitted.path("model.json"), "few.csv", code=1).err
    np.save(tool.path("few.npy"), np.zeros((3, 4)))
    done = tool.run("predict", fitted.path("model.json"), "few.npy", code=1)
    assert "expected 6 columns, found 4" in done.err
    tool.write("bad.csv", "x1,x2,x3,x4,x5,x6\n1,2,3,4,5,6\n1,2,what,4,5,6\n")
    done = tool.run("predict", fitted.path("model.json"), "bad.csv", "-o", "p.csv", code=1)
    assert "line 3" in done.err and '"x3"' in done.err
    assert not tool.path("p.csv").exists()


def test_unknown_class(tool):
    tool.write("c.csv", "a,y\n1,no\n2,yes\n3,no\n4,yes\n")
    tool.run("fit", "c.csv", "--target", "y", "-o", "m.json", "-q")
    tool.write("d.csv", "a,y\n1,perhaps\n")
    assert '"perhaps"' in tool.run("score", "m.json", "d.csv", code=1).err


def change(document, path, value):
    *parents, last = path
    for key in parents:
        document = document[key]
    if value is KeyError:
        del document[last]
    else:
        document[last] = value


DAMAGE = [
    (["format"], "other", "is not a bkernn-model"),
    (["version"], [4, 0], "newer bkernn"),
    (["version"], "1.0", "version"),
    (["model"], KeyError, "model: is missing"),
    (["model", "kernel"], "cubic", "cubic"),
    (["model", "scale"], [1.0], "scale"),
    (["model", "scale", 0], 0.0, "scale"),
    (["model", "center", 0], "zero", "center"),
    (["model", "particles"], {}, "particles"),
    (["model", "particles", 0, "direction"], [1.0], "direction"),
    (["model", "expansions"], {}, "expansions: must be an array"),
    (["model", "expansions"], [], "expansions = none"),
    (["model", "expansions", 0], 7, "expansions: must be an object"),
    (["model", "expansions", 0, "particles"], 0, "particles: must be a whole number"),
    (["model", "expansions", 0, "particles"], 1, "must share the active particles"),
    (["model", "expansions", 0, "basis"], KeyError, "basis: is missing"),
    (["model", "expansions", 0, "basis", "values", 0], [1.0], "basis.values"),
    (["model", "expansions", 0, "rows", "unit"], 0.0, "rows.unit: must be positive"),
    (["model", "expansions", 0, "rows", "values"], [], "rows.values: must be an array"),
    (["model", "expansions", 0, "rows", "values", 0, 0], "one", "rows.values"),
    (["model", "expansions", 0, "rows", "values", 0, 0], 1e308, "knots = "),
    (["model", "expansions", 0, "alpha", "values", 0], [1.0], "alpha.values"),
    (["model", "n_particles"], 0, "n_particles"),
    (["model", "n_particles"], -1, "n_particles"),
    (["model", "n_particles"], 2.5, "n_particles"),
    (["model", "feature_names"], ["one"], "feature_names"),
    (["options", "max_iter"], 10**30, "max_iter"),
    (["options", "loss"], "love", "love"),
    (["data", "hash"], "xyz", "hash"),
    (["training", "termination"], "tired", "tired"),
    (["training", "iterations"], 7, "iterations"),
    (["target_names"], ["a", "b"], "target_names"),
]


@pytest.mark.parametrize("path, value, words", DAMAGE)
def test_damaged_model(fitted, tool, path, value, words):
    document = fitted.load("model.json")
    change(document, path, value)
    tool.write("m.json", json.dumps(document))
    done = tool.run("inspect", "m.json", code=1)
    assert words in done.err and "m.json" in done.err


LINES = [
    (["model", "particles", 0, "knots", 0], 1e300, "increase"),
    (["model", "particles", 0, "values"], [], "values"),
    (["model", "particles", 0, "values", 0], [1.0], "values"),
    (["model", "particles", 0, "values"], KeyError, "values: is missing"),
]


@pytest.mark.parametrize("path, value, words", LINES)
def test_damaged_lines(fitted, tool, path, value, words):
    fitted.run("convert", "model.json", tool.path("lines.json"), "--compress", 1e-6, "-q")
    document = tool.load("lines.json")
    change(document, path, value)
    tool.write("m.json", json.dumps(document))
    done = tool.run("inspect", "m.json", code=1)
    assert words in done.err and "m.json" in done.err


def test_unknown_keys_are_ignored(fitted, tool):
    document = fitted.load("model.json")
    document["novelty"] = {"a": [1]}
    document["model"]["more"] = 1
    tool.write("m.json", json.dumps(document))
    assert "checksum" in tool.run("inspect", "m.json", code=1).err
    document["version"] = [1, 0]  # which had no checksum
    del document["checksum"]
    tool.write("m.json", json.dumps(document))
    tool.run("inspect", "m.json")


def test_hostile_files(tool):
    hostile = {
        "deep.json": b"[" * 1_000_000,
        "deep.cbor": b"\x81" * 1_000_000,
        "deep.ubj": b"[" * 1_000_000,
        "strings.cbor": b"\x7f" * 4_000_000,
        "bytes.cbor": b"\x5f" * 4_000_000,
        "nulls.ubj": b"[$Z#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        "huge.ubj": b"[$D#L\x00\xff\xff\xff\xff\xff\xff\xff",
        "huge.cbor": b"\x9b\x00\xff\xff\xff\xff\xff\xff\xff",
        "text.cbor": b"\x7b\x00\xff\xff\xff\xff\xff\xff\xff",
        "twice.json": b'{"format": "bkernn-model", "format": 1}',
        "empty.json": b"",
        "number.json": b"3",
        "latin.json": b'{"format": "\xe9"}',
        "noise.ubj": np.random.default_rng(0).bytes(5000),
        "noise.cbor": np.random.default_rng(0).bytes(5000),
    }
    for name, content in hostile.items():
        tool.write(name, content)
        done = tool.run("inspect", name, code=1)
        assert name in done.err and len(done.err) < 500


@pytest.mark.parametrize("extension", ["json", "ubj", "cbor"])
def test_truncated_and_flipped_models(fitted, tool, extension):
    fitted.run("convert", "model.json", tool.path("whole." + extension))
    content = tool.path("whole." + extension).read_bytes()
    rng = np.random.default_rng(4)
    for cut in [0, 1, 10, len(content) // 2, len(content) - 2]:
        tool.write("cut." + extension, content[:cut])
        tool.run("inspect", "cut." + extension, code=1)
    for _ in range(25):
        flipped = bytearray(content)
        for place in rng.integers(0, len(content), 3):
            flipped[place] ^= int(rng.integers(1, 256))
        tool.write("flip." + extension, bytes(flipped))
        done = subprocess.run(
            [str(BINARY), "inspect", str(tool.path("flip." + extension))], capture_output=True
        )
        assert done.returncode in (0, 1), done
