"""The front of the tool: help, names, what it says when it is called wrongly, how it ends."""

import json
import re
import shutil
import signal
import subprocess

import pytest
from cli_tool import BY_RULE

from reliability import PATIENCE

COMMANDS = ["simulate", "fit", "predict", "score", "inspect"]
COMMANDS += ["stability", "report", "convert", "demo", "completion"]
GOOD = "a,b,c,y\n" + "".join(f"{i},{i * 7 % 11},{i * 5 % 13},{i * i}\n" for i in range(30))


def test_help_fits_a_screen(tool):
    """A terminal has 24 lines, one of them for the next command, of 80 columns."""
    page = tool.run("--help").out.splitlines()
    assert len(page) <= 23 and max(map(len, page)) <= 80
    assert all(any(line.split()[:1] == [name] for line in page) for name in COMMANDS)
    assert any("130" in line for line in page)
    for command in COMMANDS:
        text = tool.run(command, "--help").out
        assert max(map(len, text.splitlines())) <= 80
        assert "{" not in text.split("Examples:")[0]


def test_every_list_of_names_is_in_the_help(tool):
    text = " ".join(tool.run("fit", "--help").out.split())
    for words in [
        "basic | basic_l1 | variable | feature | concave_variable | concave_feature",
        "brownian | exponential | gaussian",
        "square | logistic | multinomial | huber | quantile | poisson",
        "quasi_newton | spectral | paper",
        "none | cross | quantile | fast",
    ]:
        assert words in text
    assert text.count("concave_feature") >= 2  # --penalty and --race
    assert "multi_index" in tool.run("simulate", "--help").out


def test_names_are_understood_with_dashes_and_underscores(tool):
    made = []
    for name, kind, size in [
        ("a.csv", "multi-index", "--n-test"),
        ("b.csv", "multi_index", "--n_test"),
    ]:
        tool.run("simulate", "--kind", kind, size, 5, "--n", 40, "--d", 4, "-o", name)
        made.append(tool.path(name).read_bytes())
    assert made[0] == made[1]
    with_dashes = ["--max-iter=3", "--penalty", "concave-feature", "--inner-solver", "cholesky"]
    with_lines = ["--max_iter=3", "--penalty", "concave_feature", "--inner_solver", "cholesky"]
    rule = ["-t", "y", "-q", "--regularization", "rule"]
    a = tool.json("fit", "a.csv", *rule, *with_dashes)
    b = tool.json("fit", "a.csv", *rule, *with_lines)
    tool.write("c.toml", 'max_iter = 3\npenalty = "concave-feature"\ninner-solver = "cholesky"\n')
    c = tool.json("fit", "a.csv", *rule, "--config", "c.toml")
    assert a["scores"] == b["scores"] == c["scores"] and a["penalty"] == "concave_feature"


WRONG = [
    ([], "a command is required", "bkernn --help"),
    (["fitt"], 'there is no command "fitt" (did you mean fit?)', "bkernn --help"),
    (["fit", "d.csv"], "--target is required", "bkernn fit --help"),
    (["fit", "d.csv", "-t"], "--target: needs a value", "bkernn fit --help"),
    (
        ["fit", "d.csv", "-t", "y", "--particls", "3"],
        "there is no option --particls (did you mean --particles?)",
        "bkernn fit --help",
    ),
    (["fit", "d.csv", "-t", "y", "z"], 'there is no place for "z"', "bkernn fit --help"),
    (
        ["fit", "d.csv", "-t", "y", "--particles", "many"],
        "--particles many: must be a number",
        "bkernn fit --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--n_models", "0"],
        "--n-models 0: must lie between 1 and 1000",
        "bkernn fit --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--kernel", "cubic"],
        "--kernel cubic: must be one of brownian, exponential, gaussian",
        "bkernn fit --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--regularization", "some"],
        "--regularization some: must be auto, rule, theory, cv or a number",
        "bkernn fit --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--folds", "1"],
        "--folds 1: must lie between 2 and 1000",
        "bkernn fit --help",
    ),
    (
        ["simulate", "--n", "-5", "-o", "x.csv"],
        "--n -5: must be at least 1",
        "bkernn simulate --help",
    ),
    (
        ["predict", "m.json", "d.csv", "--interval", "2"],
        "--interval 2: must lie strictly between 0 and 1",
        "bkernn predict --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--config", "c.toml"],
        "--config: there is no option max-itr (did you mean --max-iter?)",
        "bkernn fit --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--features", "a,y"],
        "--features y: is the target, or the weights",
        "bkernn fit --help",
    ),
    (
        ["fit", "d.csv", "-t", "y", "--features", "a", "--ignore", "b"],
        "--features and --ignore exclude each other",
        "bkernn fit --help",
    ),
]


@pytest.mark.parametrize("arguments, words, hint", WRONG)
def test_one_style_of_error(tool, arguments, words, hint):
    tool.write("d.csv", GOOD)
    tool.write("c.toml", "max_itr = 3\n")
    done = tool.run(*arguments, code=2)
    assert done.err == f"bkernn: {words}\nTry `{hint}`.\n" and done.out == ""


def test_features_are_the_columns_to_use(tool):
    tool.write("d.csv", GOOD)
    options = ["-t", "y", "--max-iter", 3, "-q", *BY_RULE]
    a = tool.json("fit", "d.csv", "--features", "c,a", *options)
    b = tool.json("fit", "d.csv", "--ignore", "b", *options)
    c = tool.json("fit", "d.csv", "--features", "c", "--features", "a", *options)
    assert [one["name"] for one in a["variables"]] == ["a", "c"]
    assert a["scores"] == b["scores"] == c["scores"]
    done = tool.run("fit", "d.csv", "--features", "a,cc", *options, code=1)
    assert 'no column "cc"' in done.err


def test_fit_score_and_report_agree_in_short_options(tool):
    tool.write("d.csv", GOOD)
    tool.run("fit", "d.csv", "-t", "y", "--max-iter", 3, "-q", "-o", "m.json", *BY_RULE)
    tool.write("e.csv", GOOD.replace("y", "z", 1))
    assert tool.json("score", "m.json", "e.csv", "-t", "z") == tool.json("score", "m.json", "d.csv")
    tool.run("report", "m.json", "e.csv", "-t", "z", "-o", "r.html", "-q")


def last_line(done):
    return done.out.rstrip().splitlines()[-1]


def test_a_fit_ends_with_a_sentence(tool):
    tool.write("d.csv", GOOD)
    options = ["--max-iter", 5, "--particles", 10]
    done = tool.run("fit", "d.csv", "-t", "y", *options, "-o", "m.json", *BY_RULE)
    r2 = tool.json("score", "m.json", "d.csv")["scores"]["r2"]
    found = re.fullmatch(
        r"\d directions? in 3 variables explains? ([\d.]+)% of the variance of y on the training "
        r"rows; [abc], [abc] and [abc] weigh most\.",
        last_line(done),
    )
    assert float(found[1]) == pytest.approx(100 * r2, abs=0.11)
    assert tool.json("inspect", "m.json")["sentence"] == last_line(done)
    held_out = tool.run("fit", "d.csv", "-t", "y", *options, "--validation", 0.3, *BY_RULE)
    assert "on the validation rows" in last_line(held_out)
    done = tool.run("fit", "d.csv", "-t", "y", *options, "--regularization", 1e9)
    assert (
        last_line(done)
        == "Nothing was found in 3 variables that predicts y better than a constant."
    )
    words = GOOD.splitlines()
    words = [words[0]] + [
        f"{line.rsplit(',', 1)[0]},{'up' if i > 15 else 'down'}" for i, line in enumerate(words[1:])
    ]
    tool.write("w.csv", "\n".join(words))
    done = tool.run(
        "fit",
        "w.csv",
        "-t",
        "y",
        *options,
        "--penalty",
        "concave_variable",
        "--regularization",
        0.01,
    )
    assert re.fullmatch(
        r"(\d of|All) 3 variables \([abc, nd]+\) tells? the 2 classes of y apart, right in [\d.]+% "
        r"of cases on the training rows\.",
        last_line(done),
    )


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_fit_that_is_stopped_says_so_by_its_exit_code(tool, number, code):
    tool.run("simulate", "--n", 2000, "--d", 20, "-o", "d.csv")
    process = tool.start(
        "fit", "d.csv", "-t", "y", "--tol", 0, "--max-iter", 100000, "-o", "m.json"
    )
    while b"iteration" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code and b"the best model so far is in m.json" in err
    assert json.loads(tool.path("m.json").read_text())["training"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    "words, found",
    [
        (["bkernn", "sta"], ["stability"]),
        (["bkernn", "fit", "d.csv", "--pena"], ["--penalty", "--penalty-weight"]),
        (["bkernn", "fit", "--penalty", "concave"], ["concave_variable", "concave_feature"]),
        (["bkernn", "simulate", "--kind", "multi"], ["multi_index"]),
        (["bkernn", "fit", "--regularization", ""], ["auto", "rule", "theory", "cv"]),
        (["bkernn", "score", "m.json", "--tar"], ["--target"]),
    ],
)
def test_completion_in_bash(tool, words, found):
    tool.write("complete.bash", tool.run("completion", "bash").out)
    script = 'source complete.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bkernn; '
    script += 'printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *words],
        cwd=tool.directory,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.stdout.decode().split() == found and done.stderr == b""


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_is_what_the_shell_can_read(tool, shell):
    text = tool.run("completion", shell).out
    assert "stability" in text and "concave_feature" in text
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    tool.write("complete", text)
    done = subprocess.run(
        [shell, "-n", "complete"], cwd=tool.directory, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0 and done.stderr == b""
