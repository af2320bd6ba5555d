"""simulate → fit → predict → score, in every format."""

import gzip
import io
import pathlib
import platform
import re
import signal
import subprocess

import numpy as np
import pytest
from cli_tool import BINARY, BY_RULE, ROOT
from model_oracle import numbers, predict, read_csv

from reliability import PATIENCE


def test_simulated_files(tool):
    options = ["--kind", "multi_index", "--n", 50, "--d", 5, "--seed", 9]
    done = tool.json("simulate", *options, "--n-test", 7, "-o", "a.csv")
    assert done["files"] == ["a.csv", "a.test.csv", "a.directions.csv"]
    names, values = numbers(tool.path("a.csv"))
    assert names == ["x1", "x2", "x3", "x4", "x5", "y"] and values.shape == (50, 6)
    P = numbers(tool.path("a.directions.csv"))[1]
    assert np.allclose(P.T @ P, np.eye(3), atol=1e-12)
    tool.run("simulate", *options, "-o", "b.npy")
    assert np.array_equal(np.load(tool.path("b.npy")), values)


def test_predictions_are_those_of_the_document(fitted, tool):
    tool.run("predict", fitted.path("model.json"), fitted.path("data.test.csv"), "-o", "p.csv")
    names, values = numbers(tool.path("p.csv"))
    X = numbers(fitted.path("data.test.csv"))[1][:, :-1]
    assert names == ["prediction"]
    assert np.allclose(values, predict(fitted.load("model.json"), X), rtol=0, atol=1e-12)


def test_score_and_directions(fitted):
    truth = ["--truth", "data.directions.csv"]
    scores = fitted.json("score", "model.json", "data.test.csv", *truth)["scores"]
    _, table = numbers(fitted.path("data.test.csv"))
    F = predict(fitted.load("model.json"), table[:, :-1])[:, 0]
    y = table[:, -1]
    r2 = 1 - np.sum((y - F) ** 2) / np.sum((y - y.mean()) ** 2)
    assert scores["r2"] == pytest.approx(r2, abs=1e-12)
    assert scores["rmse"] == pytest.approx(np.sqrt(np.mean((y - F) ** 2)), rel=1e-12)
    assert scores["r2"] > 0.9 and scores["feature_learning_score"] > 0.95


def as_npy(values):
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def test_every_format_gives_the_same_model(fitted, tool):
    text = fitted.path("data.csv").read_text()
    values = numbers(fitted.path("data.csv"))[1]
    body = text.split("\n", 1)[1]
    variants = {
        "plain.csv": text,
        "semicolon.csv": text.replace(",", ";"),
        "tab.csv": text.replace(",", "\t"),
        "windows.csv": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        "quoted.csv": '"x1","x2","x3","x4","x5","x6","y"\n' + body,
        "packed.csv.gz": gzip.compress(text.encode()),
    }
    nameless = {
        "nameless.csv": body,
        "array.npy": as_npy(values),
        "fortran.npy": as_npy(np.asfortranarray(values)),
    }
    options = ["--max-iter", 5, "--particles", 8, "-q", "-o", "m.json"]
    models = []
    for name, content in {**variants, **nameless}.items():
        tool.write(name, content)
        tool.run("fit", name, "--target", "column7" if name in nameless else "y", *options)
        document = tool.load("m.json")
        document["model"].pop("feature_names")
        models.append((document["model"], document["data"]))
        tool.run("predict", "m.json", name, "-o", "p.npy", "-q")
    assert all(model == models[0] for model in models)


def test_standard_input_and_output(fitted, tool):
    text = fitted.path("data.csv").read_bytes()
    tool.run("fit", "-", "--target", "y", "--max-iter", 3, "-o", "m.ubj", "-q", input=text)
    piped = tool.run("predict", "m.ubj", "-", input=text).out
    tool.run("predict", "m.ubj", fitted.path("data.csv"), "-o", "p.csv", "-q")
    assert piped == tool.path("p.csv").read_text()


def test_prediction_formats_agree(fitted, tool):
    for name in ["p.csv", "p.csv.gz", "p.npy"]:
        tool.run("predict", fitted.path("model.json"), fitted.path("data.csv"), "-o", name, "-q")
    values = numbers(tool.path("p.csv"))[1]
    assert gzip.decompress(tool.path("p.csv.gz").read_bytes()) == tool.path("p.csv").read_bytes()
    assert np.array_equal(np.load(tool.path("p.npy")), values[:, 0])


def test_columns_are_found_by_name(fitted, tool):
    names, rows = read_csv(fitted.path("data.csv"))
    order = [5, 2, 0, 4, 3, 1]
    lines = [",".join([names[j] for j in order] + ["note"])]
    lines += [",".join([row[j] for j in order] + ["some words"]) for row in rows]
    tool.write("other.csv", "\n".join(lines))
    tool.run("predict", fitted.path("model.json"), "other.csv", "-o", "a.csv", "-q")
    tool.run("predict", fitted.path("model.json"), fitted.path("data.csv"), "-o", "b.csv", "-q")
    assert tool.path("a.csv").read_text() == tool.path("b.csv").read_text()


def classes_file(tool, classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 3))
    edges = np.linspace(-1, 1, len(classes) + 1)[1:-1]
    labels = [classes[int(k)] for k in np.digitize(X[:, 0] + X[:, 1], edges)]
    lines = [
        ",".join([*map(repr, row), kind]) for row, kind in zip(X.tolist(), labels, strict=True)
    ]
    lines.insert(0, "a,b,c,kind")
    tool.write("classes.csv", "\n".join(lines) + "\n")
    return labels


@pytest.mark.parametrize("classes", [["no", "yes"], ["blue", "green", "red"], ["1", "2"]])
def test_classes_may_be_words(tool, classes):
    labels = classes_file(tool, classes)
    words = not classes[0].isdigit()
    loss = [] if words else ["--loss", "logistic"]
    options = ["--target", "kind", "--max-iter", 20, "-o", "m.cbor", "-q", *loss]
    result = tool.json("fit", "classes.csv", *options)
    assert result["loss"] == ("logistic" if len(classes) == 2 else "multinomial")
    assert result["class_names"] == classes
    tool.run("predict", "m.cbor", "classes.csv", "-o", "p.csv", "-q")
    names, rows = read_csv(tool.path("p.csv"))
    assert names == ["prediction"] + ["probability_" + name for name in classes]
    probabilities = np.array([row[1:] for row in rows], dtype=float)
    assert np.allclose(probabilities.sum(axis=1), 1)
    predicted = [row[0] for row in rows]
    assert predicted == [classes[k] for k in probabilities.argmax(axis=1)]
    accuracy = np.mean([a == b for a, b in zip(predicted, labels, strict=True)])
    scores = tool.json("score", "m.cbor", "classes.csv")["scores"]
    assert scores["accuracy"] == pytest.approx(accuracy)
    assert accuracy > 0.9


def test_class_weights_are_weights_of_rows(tool):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    names = np.where(X[:, 0] > 1, "rare", np.where(X[:, 1] > 0, "up", "down"))
    lines = [f"{u!r},{v!r},{name}" for (u, v), name in zip(X.tolist(), names, strict=True)]
    factor = {"rare": 3, "up": 0.5, "down": 1}
    share = {name: 60 / (3 * int(np.sum(names == name))) for name in factor}
    rows = [
        f"{line},{factor[name]},{share[name]!r}"
        for line, name in zip(lines, names.tolist(), strict=True)
    ]
    tool.write("plain.csv", "\n".join(["u,v,y", *lines]))
    tool.write("weighted.csv", "\n".join(["u,v,y,w,b", *rows]))
    options = ["--target", "y", "--max-iter", 5, "-q", *BY_RULE]
    for given, column, other in (("rare=3,up=0.5", "w", "b"), ("balanced", "b", "w")):
        a = tool.json("fit", "plain.csv", "--class-weight", given, *options)
        b = tool.json("fit", "weighted.csv", "--weights", column, "--ignore", other, *options)
        assert a["scores"] == b["scores"]
    for given, words in (
        ("often=2", "no such class"),
        ("up=0", "must be positive"),
        ("up", "CLASS=NUMBER"),
    ):
        failed = tool.run("fit", "plain.csv", "--class-weight", given, *options, code=2)
        assert words in failed.err


def test_weights_count_rows(tool):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 2))
    lines = [",".join(map(repr, [u, v, float(np.sin(u))])) for u, v in X.tolist()]
    weight = [1 + i % 3 for i in range(40)]
    weighted = [f"{line},{w}" for line, w in zip(lines, weight, strict=True)]
    repeated = [line for line, w in zip(lines, weight, strict=True) for _ in range(w)]
    tool.write("weighted.csv", "\n".join(["u,v,y,w", *weighted]))
    tool.write("repeated.csv", "\n".join(["u,v,y", *repeated]))
    options = ["--target", "y", "--max-iter", 5, "--inner-tol", 1e-12, "-q"]
    a = tool.json("fit", "weighted.csv", "--weights", "w", *options)
    b = tool.json("fit", "repeated.csv", *options)
    assert a["scores"]["train"]["r2"] == pytest.approx(b["scores"]["train"]["r2"], abs=1e-6)
    assert a["regularization"] == pytest.approx(b["regularization"], rel=1e-9)


def test_config_file_and_command_line(fitted, tool):
    data = fitted.path("data.csv")
    lines = ['target = "y"', "particles = 7", "max-iter = 4", "standardize = false"]
    tool.write("c.toml", "\n".join([*lines, 'ignore = ["x1", "x2"]']))
    result = tool.json("fit", data, "--config", "c.toml", "-q", "-o", "m.json")
    options = tool.load("m.json")["options"]
    assert (result["n_particles"], result["data"]["columns"]) == (7, 4)
    assert (options["max_iter"], options["standardize"]) == (4, False)
    result = tool.json("fit", data, "--config", "c.toml", "--particles", 3, "-q")
    assert result["n_particles"] == 3
    tool.write("typo.toml", 'target = "y"\npartcles = 7\n')
    assert "partcles" in tool.run("fit", data, "--config", "typo.toml", code=2).err


def test_validation_and_early_stopping(fitted, tool):
    data = fitted.path("data.csv")
    for rows in ["0.25", fitted.path("data.test.csv")]:
        options = ["--target", "y", "--validation", rows, "--early-stopping", "-q", "-o", "m.json"]
        result = tool.json("fit", data, *options)
        assert result["scores"]["validation"]["r2"] > 0.85
        records = tool.load("m.json")["training"]["iterations"]
        assert all(record["validation"] is not None for record in records)
    scores = tool.json("score", "m.json", fitted.path("data.test.csv"))["scores"]
    assert result["scores"]["validation"] == scores


@pytest.mark.parametrize("rule", ["auto", "theory", "cv", "0.02"])
def test_regularization_rules(fitted, rule):
    options = ["--target", "y", "--regularization", rule, "--max-iter", 5, "-q"]
    result = fitted.json("fit", "data.csv", *options)
    assert result["regularization"] > 0
    if rule == "0.02":
        assert result["regularization"] == pytest.approx(0.02)
    if rule == "cv":
        assert result["scores"]["cross_validation"]["r2"] > 0.5


def test_several_targets(tool):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3))
    Y = np.column_stack([X[:, 0] ** 2, np.abs(X[:, 1])])
    rows = [",".join(map(repr, row)) for row in np.column_stack([X, Y]).tolist()]
    tool.write("two.csv", "\n".join(["a,b,c,first,second", *rows]))
    targets = ["-t", "first", "-t", "second"]
    tool.run("fit", "two.csv", *targets, "--max-iter", 10, "-o", "m.json", "-q")
    tool.run("predict", "m.json", "two.csv", "-o", "p.csv", "-q")
    names, values = numbers(tool.path("p.csv"))
    assert names == ["prediction_first", "prediction_second"]
    assert np.allclose(values, predict(tool.load("m.json"), X), atol=1e-12)


def test_the_number_of_threads_changes_nothing(fitted, tool):
    for threads in [1, 2]:
        options = ["--max-iter", 10, "--threads", threads, "-q", "-o", f"m{threads}.json"]
        tool.run("fit", fitted.path("data.csv"), "--target", "y", *options)
    a, b = tool.load("m1.json"), tool.load("m2.json")
    assert a["model"] == b["model"]


def test_streaming_prediction_in_bounded_memory(fitted, tool):
    """Blocks go through a pipe one after the other; memory is that of a block."""
    body = fitted.path("data.csv").read_bytes().split(b"\n", 1)
    rows, repeats = body[1].count(b"\n"), 3000

    def feed():
        yield body[0] + b"\n"
        for _ in range(repeats):
            yield body[1]

    command = [BINARY, "predict", fitted.path("model.json"), "-", "-o", tool.path("p.npy")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for part in feed():
        process.stdin.write(part)
    # What wait4() reports would include the memory of the test process that was forked.
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    peak_kilobytes = int(re.search(r"VmHWM:\s+(\d+)", status).group(1))
    process.stdin.close()
    assert process.wait() == 0
    assert np.load(tool.path("p.npy"), mmap_mode="r").shape == (rows * repeats,)
    size = len(body[1]) * repeats
    assert size > 100e6 and peak_kilobytes * 1024 < 200e6, (size, peak_kilobytes)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("output", ["p.csv", "p.csv.gz", "p.npy"])
def test_a_signal_leaves_nothing_behind(fitted, tool, output, number):
    command = [str(BINARY), "predict", str(fitted.path("model.json")), "-", "-o", output]
    rows = fitted.path("data.test.csv").read_bytes()
    process = subprocess.Popen(
        command,
        cwd=tool.directory,
        stdin=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # nohup ignores one of them
    )
    process.stdin.write(rows)
    more, found = 5000 * rows.splitlines(keepends=True)[1], []
    for _ in range(200):  # until it writes; then it waits for more
        process.stdin.write(more)
        if found := list(tool.directory.glob("*.tmp-*")):
            break
    assert len(found) == 1
    process.send_signal(number)
    assert process.wait(timeout=PATIENCE) == -number
    process.stdin.close()
    assert list(tool.directory.iterdir()) == []


def test_help_has_examples(tool):
    for command in ["simulate", "fit", "predict", "score", "inspect", "report", "convert", "demo"]:
        assert "Examples:" in tool.run(command, "--help").out


def test_version_tells_the_build_and_the_instruction_set(tool):
    release = re.search(r"project\(bkernn VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    machine = {"x86_64": "x86-64", "aarch64": "aarch64"}.get(platform.machine(), "portable")
    cpu = pathlib.Path("/proc/cpuinfo").read_text().split()
    if machine == "x86-64" and {"avx2", "bmi2", "fma"} <= set(cpu):
        machine += " with AVX2"
    said = tool.run("--version").out
    assert re.fullmatch(rf"bkernn {release[1]} \((GCC|Clang) [\d.].*, {machine}\)\n", said), said


def test_inspect(fitted):
    result = fitted.json("inspect", "model.json")
    values = result["singular_values"]
    particles = fitted.load("model.json")["model"]["particles"]
    W = np.array([particle["direction"] for particle in particles]).T
    expected = np.linalg.svd(W, compute_uv=False)[: len(values)]
    assert np.allclose(values, expected, rtol=1e-9, atol=1e-9)
    norms = np.linalg.norm(W, axis=1)
    assert np.allclose([v["importance"] for v in result["variables"]], norms / norms.sum())
    text = fitted.run("inspect", "model.json").out
    assert "found:" in text and "x1" in text
