"""Models as C source and as ONNX graphs: the same predictions without bkernn."""

import ctypes
import json
import resource
import shutil
import subprocess

import numpy as np
import pytest

KERNELS = ["brownian", "exponential", "gaussian"]
WANTED = {"gcc": ["gcc"], "clang": ["clang-14", "clang"]}  # `make test` installs both
COMPILERS = [found for names in WANTED.values() if (found := next(filter(shutil.which, names), ""))]
C_FLAGS = ["-std=c99", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
C_FLAGS += ["-Wall", "-Wextra", "-pedantic", "-Werror"]
ROWS = np.random.default_rng(5).normal(size=(1100, 4)) * [1, 5, 0.1, 2] + [0, 1e6, 0, -3]
ROWS[:100] = (ROWS[:100] - ROWS.mean(axis=0)) * 20 + ROWS.mean(axis=0)  # far outside


def targets(problem, X):
    """y, by the name of a loss; of "loss of two" there are two outputs."""
    loss, *two = problem.split(" by ")[0].split(" ", 1)
    if two:
        return [*targets(loss, X), *targets(loss, X[:, ::-1])]
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    f = np.sin(z[:, 0]) + 0.5 * z[:, 1] * (z[:, 2] > 0)
    rng = np.random.default_rng(6)
    if loss == "poisson":
        return [rng.poisson(np.exp(f))]
    if loss == "logistic":
        return [np.where(f + rng.normal(size=len(f)) > 0, "yes", "no")]
    if loss == "multinomial":
        return [np.digitize(f + 0.3 * rng.normal(size=len(f)), [-0.5, 0.5]) + 3]
    return [f + 0.1 * rng.normal(size=len(f))]


PROBLEMS = ["square", "huber", "quantile", "poisson", "logistic", "multinomial"]
PROBLEMS += [f"{loss} of two" for loss in PROBLEMS[:4]]
PROBLEMS += ["square by uniform ranks", "multinomial by normal ranks"]


def write_table(tool, names, columns, name="d.csv"):
    lines = [",".join(names), *(",".join(map(str, row)) for row in zip(*columns, strict=True))]
    tool.write(name, "\n".join(lines) + "\n")


def fit(tool, problem, kernel, regularization=0.003):
    X = ROWS[200:300]
    Y = targets(problem, X)
    names = [f"y{k}" for k in range(len(Y))]
    write_table(tool, ["a", "b", "c", "d", *names], [*X.T, *Y])
    wanted = ["--loss", problem.split()[0]]
    for name in names:
        wanted += ["--target", name]
    if " by " in problem:
        wanted += ["--ranks", problem.split()[-2]]
    wanted += ["--kernel", kernel, "--regularization", regularization, "--penalty", "variable"]
    tool.run("fit", "d.csv", *wanted, "--max-iter", 3, "--particles", 7, "-q", "-o", "m.json")


def predicted(tool, rows=ROWS):
    """Predictions of the tool: numbers, mean counts or probabilities, rows × columns."""
    np.save(tool.path("x.npy"), rows)
    tool.run("predict", "m.json", "x.npy", "-o", "p.npy", "-q")
    found = np.load(tool.path("p.npy"))
    return found.reshape(len(rows), -1)


def compiled(tool, compiler, source="m.c"):
    library = tool.path(f"{source}-{compiler}.so")
    command = [compiler, *C_FLAGS, tool.path(source), "-o", library, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    function = ctypes.CDLL(library).predict
    function.restype = ctypes.c_double

    def predict(rows, width):
        rows = np.ascontiguousarray(rows)
        out = np.full((len(rows), width), -1.0)
        returned = [
            function(x.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p))
            for x, y in zip(rows, out, strict=True)
        ]
        return np.array(returned), out

    return predict


@pytest.mark.parametrize("compiler", WANTED)
def test_c_files_are_compiled_by(compiler):
    if not set(WANTED[compiler]) & set(COMPILERS):
        pytest.skip(f"{compiler} is not installed: no C file of these tests was compiled by it")


@pytest.fixture(params=[(k, p) for k in KERNELS for p in PROBLEMS], ids=str)
def model(request, tool):
    kernel, loss = request.param
    fit(tool, loss, kernel)
    return tool, loss.split(" by ")[0]


def test_c_and_onnx_predict_the_same(model):
    tool, loss = model
    expected = predicted(tool)
    tool.run("convert", "m.json", "m.c", "-q")
    for compiler in COMPILERS:
        returned, out = compiled(tool, compiler)(ROWS, expected.shape[1])
        np.testing.assert_array_equal(out, expected)  # the same bits
        classes = loss in ("logistic", "multinomial")
        wanted = expected.argmax(axis=1) if classes else expected[:, 0]
        np.testing.assert_array_equal(returned, wanted)
    runtime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    near = ROWS[100:]
    spread = expected[100:].std()
    for numbers, options, tolerance in [(np.float64, [], 1e-12), (np.float32, ["--float32"], 1e-4)]:
        tool.run("convert", "m.json", "m.onnx", *options, "-q")
        onnx.checker.check_model(onnx.load(tool.path("m.onnx")), full_check=True)
        session = runtime.InferenceSession(tool.path("m.onnx"))
        given = near.astype(numbers)
        names = [one.name for one in session.get_outputs()]
        found = dict(zip(names, session.run(None, {"X": given}), strict=True))
        wanted = predicted(tool, given.astype(np.float64))
        values = found["probabilities" if "label" in found else "prediction"]
        assert values.dtype == numbers and values.shape == wanted.shape
        assert np.abs(values - wanted).max() <= tolerance * spread
        if "label" in found:
            names = np.array(["no", "yes"] if loss == "logistic" else [3, 4, 5])
            agree = found["label"] == names[wanted.argmax(axis=1)]
            clear = np.ptp(np.sort(wanted, axis=1)[:, -2:], axis=1) > 1e-3
            assert agree[clear].all() and len(agree) == len(near)


WORDS = {"color": ["red", "green", "blue", ""], "new": ["yes", "no"], "odd": ['a "b"', "c?\\", "ß"]}


def write_words(tool, name, n, seed, more=()):
    """A table with words and gaps; the levels of `more` are not among those of the fit."""
    rng = np.random.default_rng(seed)
    size = rng.normal(50, 10, n).round(3)
    columns = {"size": [*map(str, size)], "depth": [*map(str, rng.normal(size=n).round(3))]}
    columns["size"][::7] = [""] * len(columns["size"][::7])
    for column, levels in WORDS.items():
        columns[column] = [str(one) for one in rng.choice([*levels, *more], n)]
    columns["y"] = (size / 10 + 2 * np.array([c == "red" for c in columns["color"]])).round(6)
    quoted = {k: ['"' + str(c).replace('"', '""') + '"' for c in v] for k, v in columns.items()}
    write_table(
        tool,
        ["size", "color", "depth", "new", "odd", "y"],
        [quoted[k] for k in ("size", "color", "depth", "new", "odd", "y")],
        name,
    )
    return columns


@pytest.mark.parametrize(
    ("kernel", "regularization"), [("brownian", 1e9), *((kernel, 0.003) for kernel in KERNELS)]
)
def test_tables_with_words_and_gaps(tool, kernel, regularization):
    write_words(tool, "d.csv", 150, 0)
    quick = ["--regularization", regularization, "--penalty", "feature", "--max-iter", 3]
    quick += ["--kernel", kernel, "--particles", 7]
    tool.run("fit", "d.csv", "-t", "y", *quick, "-q", "-o", "m.json")
    new = write_words(tool, "new.csv", 1000, 1, more=["never"])
    new["depth"][3] = ""  # a gap where the fit had none
    text = tool.path("new.csv").read_text().splitlines()
    cells = text[4].split('","')
    tool.write(
        "new.csv", "\n".join([*text[:4], '","'.join([*cells[:2], "", *cells[3:]]), *text[5:]])
    )
    tool.run("predict", "m.json", "new.csv", "-o", "p.npy", "-q")
    expected = np.load(tool.path("p.npy")).reshape(-1, 1)
    tool.run("convert", "m.json", "m.c", "-q")
    order = ["size", "color", "depth", "new", "odd"]
    for compiler in COMPILERS:
        predict = compiled(tool, compiler)
        level = ctypes.CDLL(tool.path(f"m.c-{compiler}.so")).level
        level.restype = ctypes.c_double
        rows = np.empty((1000, 5))
        for a, name in enumerate(order):
            if name in WORDS:
                codes = [level(ctypes.c_long(a), one.encode()) for one in new[name]]
                rows[:, a] = np.where(np.array(new[name]) == "", np.nan, codes)
            else:
                rows[:, a] = [float(one or "nan") for one in new[name]]
        assert level(ctypes.c_long(1), b"never") == -1 and level(ctypes.c_long(3), b"red") == -1
        np.testing.assert_array_equal(predict(rows, 1)[1], expected)
        rows[0, 0] = np.inf
        assert np.isnan(predict(rows[:1], 1)[0])
    assert "NAN where it is missing" in tool.path("m.c").read_text()
    runtime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    numbers = np.array([[float(one or "nan") for one in new[k]] for k in ("size", "depth")]).T
    words = np.array([new[k] for k in WORDS], dtype=object).T
    for kind, options, tolerance in [(np.float64, [], 1e-12), (np.float32, ["--float32"], 1e-4)]:
        tool.run("convert", "m.json", "m.onnx", *options, "-q")
        onnx.checker.check_model(onnx.load(tool.path("m.onnx")), full_check=True)
        session = runtime.InferenceSession(tool.path("m.onnx"))
        (found,) = session.run(None, {"X": numbers.astype(kind), "words": words})
        assert found.dtype == kind
        spread = expected.std() if np.ptp(expected) > 0 else 1
        assert np.abs(found - expected).max() <= tolerance * spread


def test_several_quantiles(tool):
    X = ROWS[200:300]
    (y,) = targets("square", X)
    write_table(tool, ["a", "b", "c", "d", "y"], [*X.T, y])
    quick = ["--regularization", 0.003, "--penalty", "feature", "--max-iter", 3, "--particles", 7]
    levels = ["--loss", "quantile", "--quantiles", "0.2,0.5,0.8"]
    tool.run("fit", "d.csv", "-t", "y", *levels, *quick, "-q", "-o", "m.json")
    document = tool.load("m.json")
    document["version"] = [1, 0]
    del document["checksum"]
    document["model"]["intercept"].reverse()  # so that they would cross
    tool.write("m.json", json.dumps(document))
    expected = predicted(tool)
    assert np.all(np.diff(expected, axis=1) >= 0)
    tool.run("convert", "m.json", "m.c", "-q")
    for compiler in COMPILERS:
        np.testing.assert_array_equal(compiled(tool, compiler)(ROWS, 3)[1], expected)
    assert "out[2]  quantile 0.8." in tool.path("m.c").read_text()
    runtime = pytest.importorskip("onnxruntime")
    tool.run("convert", "m.json", "m.onnx", "-q")
    (found,) = runtime.InferenceSession(tool.path("m.onnx")).run(None, {"X": ROWS})
    assert np.abs(found - expected)[100:].max() <= 1e-12 * expected[100:].std()


def test_a_constant_model(tool):
    fit(tool, "square", "brownian", 1e9)
    assert tool.load("m.json")["model"]["particles"] == []
    tool.run("convert", "m.json", "m.c", "-q")
    expected = predicted(tool)
    assert np.ptp(expected) == 0
    for compiler in COMPILERS:
        np.testing.assert_array_equal(compiled(tool, compiler)(ROWS, 1)[1], expected)
    runtime = pytest.importorskip("onnxruntime")
    tool.run("convert", "m.json", "m.onnx", "-q")
    found = runtime.InferenceSession(tool.path("m.onnx")).run(None, {"X": ROWS})[0]
    np.testing.assert_array_equal(found, expected)


def test_c_tells_values_that_are_not_finite(tool):
    fit(tool, "multinomial", "brownian")
    tool.run("convert", "m.json", "m.c", "-q")
    for bad in (np.nan, np.inf, -np.inf):
        rows = ROWS[:4].copy()
        rows[np.arange(4), np.arange(4)] = bad
        for compiler in COMPILERS:
            returned, out = compiled(tool, compiler)(rows, 3)
            assert np.isnan(returned).all() and np.isnan(out).all()


def test_names_cannot_leave_the_comment(tool):
    names = ['"a */ b /* c"', "back\\slash", "what??/", "\u202eturned", '"line\nbreak"']
    rng = np.random.default_rng(0)
    write_table(tool, [*names, "y\\"], rng.normal(size=(6, 40)))
    tool.run("fit", "d.csv", "--target", "y\\", "--max-iter", 1, "-q", "-o", "m.json")
    tool.run("convert", "m.json", "m.c", "-q")
    text = tool.path("m.c").read_text()
    assert text.count("*/") == text.count("/*") and "\u202e" not in text
    for compiler in COMPILERS:
        rows = rng.normal(size=(5, 5))
        expected = predicted(tool, rows)
        np.testing.assert_array_equal(compiled(tool, compiler)(rows, 1)[1], expected)


def test_the_head_explains_the_model(tool):
    fit(tool, "logistic", "brownian")
    tool.run("convert", "m.json", "m.c", "-q")
    head = tool.path("m.c").read_text().split("*/")[0]
    for words in ["x[0]  a: importance", "center", "scale", "out[1]  class yes", "100 rows"]:
        assert words in head


@pytest.mark.parametrize("name", ["m.c", "m.onnx"])
def test_nothing_is_half_written(tool, name):
    fit(tool, "square", "brownian")
    tool.write(name, "old")

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = tool.run("convert", "m.json", name, code=1, preexec_fn=small_files)
    assert name in done.err and "File too large" in done.err
    assert tool.path(name).read_text() == "old"
    assert not list(tool.directory.glob("*.tmp-*"))
    tool.path(f"full{name}").symlink_to("/dev/full")
    assert "No space" in tool.run("convert", "m.json", f"full{name}", code=1).err


def test_what_cannot_be_exported_or_read_back(tool):
    fit(tool, "square", "brownian")
    assert "--float32" in tool.run("convert", "m.json", "m.c", "--float32", code=2).err
    tool.run("convert", "m.json", "m.onnx", "-q")
    for name in ("m.onnx", "m.c"):
        done = tool.run("predict", name, "x.npy", code=1)
        assert ".json, .ubj or .cbor" in done.err and "not read" in done.err
    tool.path("o.json").write_bytes(tool.path("m.onnx").read_bytes()[:500])
    assert "o.json: is damaged" in tool.run("convert", "o.json", "o.onnx", code=1).err
    assert not tool.path("o.onnx").exists()
    document = tool.load("m.json")
    document["version"] = [99, 0]
    tool.write("new.json", json.dumps(document))
    assert "newer bkernn" in tool.run("convert", "new.json", "new.c", code=1).err
    document["version"] = [0, 9]
    tool.write("old.json", json.dumps(document))
    assert "version" in tool.run("convert", "old.json", "old.c", code=1).err
    tool.run("convert", "m.json", "lines.json", "--compress", 1e-6, "-q")
    document = tool.load("lines.json")
    document["version"] = [1, 0]
    del document["checksum"]
    for particle in document["model"]["particles"]:
        particle["values"][0][0] = 1e60
    tool.write("huge.json", json.dumps(document))
    assert "float32" in tool.run("convert", "huge.json", "h.onnx", "--float32", code=1).err
