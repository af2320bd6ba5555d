"""Model files: schema, encodings, old files, kills; checkpoints and interruptions."""

import json
import os
import pathlib
import random
import signal
import subprocess
import time

import numpy as np
import pytest
from cli_tool import BINARY, BY_RULE, ROOT
from model_oracle import numbers, predict, schema_errors

from reliability import PATIENCE

SCHEMA = json.loads((ROOT / "docs" / "model.schema.json").read_text())
OLD_FILES = pathlib.Path(__file__).parent / "data"


def without_times(document):
    document.pop("checksum")
    document["training"].pop("seconds")
    for record in document["training"]["iterations"]:
        record.pop("seconds")
    return document


def test_documents_follow_the_schema(fitted, tool):
    assert list(schema_errors(fitted.load("model.json"), SCHEMA)) == []
    tool.write("c.csv", "a,b,y\n1,2,no\n2,1,yes\n3,5,no\n4,4,perhaps\n")
    options = ["--target", "y", "--penalty", "variable", "--validation", 0.3]
    tool.run("fit", "c.csv", *options, "-o", "m.json", "-q")
    assert list(schema_errors(tool.load("m.json"), SCHEMA)) == []
    document = fitted.load("model.json")
    document["model"]["scale"][0] = 0
    assert list(schema_errors(document, SCHEMA))


def test_encodings_hold_the_same(fitted, tool):
    fitted.run("convert", "model.json", tool.path("a.ubj"))
    tool.run("convert", "a.ubj", "b.cbor")
    tool.run("convert", "b.cbor", "c.json")
    assert tool.path("c.json").read_bytes() == fitted.path("model.json").read_bytes()
    outputs = []
    for name in [fitted.path("model.json"), "a.ubj", "b.cbor"]:
        outputs.append(tool.run("predict", name, fitted.path("data.test.csv")).out)
    assert outputs[0] == outputs[1] == outputs[2]


def test_files_of_fits_are_compressed_unless_asked_not_to(fitted, tool):
    data, test = fitted.path("data.csv"), fitted.path("data.test.csv")
    fit = ["fit", data, "--target", "y", *BY_RULE, "--max-iter", 10, "-q"]
    tool.run(*fit, "-o", "small.json")
    tool.run(*fit, "--exact", "-o", "large.json")
    tool.run("convert", "large.json", "large.cbor", "--exact", "-q")
    tool.run("convert", "large.json", "lines.json", "--compress", 1e-9, "-q")
    names = ("small.json", "large.cbor", "large.json", "lines.json")
    small, binary, exact, lines = [tool.path(name).stat().st_size for name in names]
    assert max(small, binary) < 0.75 * exact and exact < 0.5 * lines
    for name in ("small", "large"):
        tool.run("predict", f"{name}.json", test, "-o", f"{name}.npy", "-q")
    difference = np.load(tool.path("small.npy")) - np.load(tool.path("large.npy"))
    y = np.loadtxt(data, delimiter=",", skiprows=1)[:, -1]
    assert 0 < np.abs(difference).max() <= 1e-4 * y.std()
    # The file of every bit says how far it may be moved; the other has been.
    assert "tolerance" not in tool.load("small.json")["model"]
    assert np.isclose(tool.load("large.json")["model"]["tolerance"][0], 1e-4 * y.std())
    assert list(schema_errors(tool.load("large.json"), SCHEMA)) == []
    tool.run("convert", "large.cbor", "again.json", "-q")
    tool.run("convert", "large.cbor", "kept.json", "--exact", "-q")
    assert tool.load("again.json")["model"] == tool.load("small.json")["model"]
    assert tool.path("kept.json").read_bytes() == tool.path("large.json").read_bytes()
    for output, more in (("o.c", []), ("o.onnx", []), ("o.json", ["--compress", 1])):
        assert "--exact" in tool.run("convert", "large.json", output, "--exact", *more, code=2).err
        assert not tool.path(output).exists()


def test_compressed_model_is_smaller_and_near(fitted, tool):
    said = fitted.run("convert", "model.json", tool.path("s.json"), "--compress", 0.01).err
    assert "knots" in said
    fitted.run("convert", "model.json", tool.path("fine.json"), "--compress", 1e-9)
    assert tool.path("s.json").stat().st_size < 0.4 * tool.path("fine.json").stat().st_size
    tool.run(
        "predict", fitted.path("model.json"), fitted.path("data.test.csv"), "-o", "a.npy", "-q"
    )
    tool.run("predict", "s.json", fitted.path("data.test.csv"), "-o", "b.npy", "-q")
    difference = np.abs(np.load(tool.path("a.npy")) - np.load(tool.path("b.npy")))
    assert 0 < difference.max() <= 0.01


@pytest.mark.parametrize("path", sorted(OLD_FILES.glob("model-*.json")), ids=str)
def test_old_files_can_be_read(tool, path):
    """One file of every schema version that was released, with the predictions of that time.

    To the last digit but one: products were fused with sums then, and are not now.
    """
    rows = json.loads(path.with_name(path.name.replace("model", "rows")).read_text())
    X, expected = rows["X"], rows["predictions"]
    document = json.loads(path.read_text())
    assert list(schema_errors(document, SCHEMA)) == []
    np.save(tool.path("x.npy"), np.array(X))
    tool.run("predict", path, "x.npy", "-o", "p.npy", "-q")
    np.testing.assert_allclose(np.load(tool.path("p.npy")), expected, rtol=1e-14, atol=1e-14)
    assert np.allclose(predict(document, np.array(X))[:, 0], expected, rtol=0, atol=1e-12)


def test_a_kill_leaves_the_old_file_or_the_new_one(fitted, tool):
    tool.run("simulate", "--n", 4000, "--d", 5, "-o", "d.csv", "-q")
    tool.run("fit", "d.csv", "--target", "y", *BY_RULE, "--max-iter", 1, "-q", "-o", "big.json")
    whole = tool.path("big.json").read_bytes()
    tool.run("convert", fitted.path("model.json"), "target.json")
    old = tool.path("target.json").read_bytes()
    start = time.time()
    tool.run("convert", "big.json", "timing.json")
    takes = time.time() - start
    random.seed(0)
    seen = set()
    for _ in range(20):
        tool.path("target.json").write_bytes(old)
        process = tool.start("convert", "big.json", "target.json")
        time.sleep(random.uniform(0.3, 1.1) * takes)
        process.kill()
        process.communicate()
        content = tool.path("target.json").read_bytes()
        assert content in (old, whole)
        seen.add(len(content))
    assert old != whole and seen


def test_a_full_disk_is_told(fitted, tool):
    arguments = [fitted.path("model.json"), fitted.path("data.csv"), "-o", "/dev/full"]
    done = tool.run("predict", *arguments, code=1)
    assert "/dev/full" in done.err and "No space" in done.err


CHOOSING = ["--target", "y", "--particles", 10, "--tol", 0, "-q"]
FIT = [*CHOOSING, *BY_RULE]


@pytest.mark.parametrize(
    "options",
    [
        [],
        [*BY_RULE, "--optimizer", "paper"],
        [*BY_RULE, "--validation", "0.2", "--early-stopping"],
        [*BY_RULE, "--inner-solver", "cholesky"],
        [*BY_RULE, "--knots", "16"],
    ],
    ids=str,
)
def test_resuming_gives_the_same_bits(fitted, tool, options):
    data = fitted.path("data.csv")
    fit = ["fit", data, *CHOOSING, *options]
    tool.run(*fit, "--max-iter", 24, "-o", "whole.json")
    fit += ["--checkpoint", "state.cbor", "--checkpoint-every", 3, "-o", "part.json"]
    tool.run(*fit, "--max-iter", 10)
    tool.run(*fit, "--max-iter", 17, "--resume")
    tool.run(*fit, "--max-iter", 24, "--resume", "--threads", 1)
    whole, part = without_times(tool.load("whole.json")), without_times(tool.load("part.json"))
    whole["options"].pop("n_threads")
    part["options"].pop("n_threads")
    assert part == whole


def test_resume_refuses_another_problem(fitted, tool):
    state = ["--checkpoint", "state.json", "--checkpoint-every", 2, "--max-iter", 4]
    tool.run("fit", fitted.path("data.csv"), *FIT, *state, "--resume")
    state.append("--resume")
    done = tool.run("fit", fitted.path("data.test.csv"), *FIT, *state, code=1)
    assert "other data" in done.err
    done = tool.run("fit", fitted.path("data.csv"), *FIT, *state, "--concavity", 3, code=1)
    assert "concavity" in done.err
    document = tool.load("state.json")
    document["state"]["best_W"]["values"].pop()
    tool.write("state.json", json.dumps(document))
    assert "best_W" in tool.run("fit", fitted.path("data.csv"), *FIT, *state, code=1).err
    assert "bkernn-model" in tool.run("inspect", "state.json", code=1).err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption_keeps_the_best_model(tool, number):
    tool.run("simulate", "--n", 3000, "--d", 10, "-o", "d.csv", "-q")
    fit = ["fit", "d.csv", "--target", "y", *BY_RULE, "--tol", 0, "--checkpoint", "state.cbor"]
    process = tool.start(*fit, "--max-iter", 1000000, "-o", "m.json")
    for iteration in (b"iteration 1/", b"iteration 20/"):
        while not process.stderr.readline().startswith(iteration):
            assert process.poll() is None
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number
    assert "best model so far is in m.json" in err.decode() and "--resume" in err.decode()
    document = tool.load("m.json")
    assert document["training"]["termination"] == "stopped"
    done = len(document["training"]["iterations"])
    assert done >= 20
    _, values = numbers(tool.path("d.csv"))
    F = predict(document, values[:, :-1])[:, 0]
    assert np.mean((F - values[:, -1]) ** 2) < np.var(values[:, -1])
    result = tool.json(*fit, "--max-iter", done + 2, "--resume", "-q")
    assert result["training"]["iterations"] == done + 2


def test_progress_is_lines_when_redirected(fitted, tool):
    fit = ["fit", fitted.path("data.csv"), "--target", "y"]
    done = tool.run(*fit, "--max-iter", 25, "--tol", 0)
    lines = [line for line in done.err.splitlines() if line.startswith("iteration")]
    assert [line.split()[1] for line in lines] == ["1/25", "20/25"]
    assert all(word in lines[0] for word in ["objective", "step", "particles", "dimension"])
    assert "\r" not in done.err
    assert tool.run(*fit, "--max-iter", 5, "--tol", 0, "-q").err == ""


def test_a_fit_that_did_not_converge_says_so(fitted, tool):
    fit = ["fit", fitted.path("data.csv"), "--target", "y", "-q"]
    warning = tool.run(*fit, "--max-iter", 5).err
    assert warning.startswith("warning: the fit did not converge after 5 iterations")
    assert "promises to lower the objective by" in warning and "max_iter" in warning
    assert tool.run(*fit).err == ""


def test_progress_is_one_line_on_a_terminal(fitted):
    main, terminal = os.openpty()
    command = [BINARY, "fit", fitted.path("data.csv"), "--target", "y", "--max-iter", "30"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal)
    process.wait(timeout=PATIENCE)
    os.close(terminal)
    shown = os.read(main, 1 << 16).decode()
    os.close(main)
    assert "\r\x1b[K" in shown and "iteration 1/30" in shown
