"""Write the seeds of the fuzz targets: small valid files of every kind, by the command-line tool.

What fuzzing has found is kept beside them and not written here.

python fuzz/make_seeds.py build/release/bkernn
"""

import gzip
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SEEDS = pathlib.Path(__file__).parent / "seeds"
DATA = "a,b,y\n0,1,0\n1,0,1\n2,2,4\n3,-1,2\n4,0,5\n5,1,7\n"
CLASSES = "a,b,y\n0,1,u\n1,0,v\n2,2,w\n3,-1,u\n4,0,v\n5,1,w\n"
COMMANDS = [
    "simulate --n 9 --d 2 --kind multi_index --noise 0.1 --seed 3 -o s.csv.gz --json",
    "simulate --n 9 --n-test 4 --d 2 -o s.npy -q",
    "fit d.csv -t y --ignore c --particles 2 --max-iter 2 -o n.cbor --json",
    "fit d.csv -t c --particles 2 --max-iter 2 --penalty variable --kernel exponential -o n.ubj",
    "fit d.csv -t y --ignore c --regularization cv --folds 2 --particles 1 --max-iter 1 -o n.json",
    "fit d.csv -t y --ignore c --config f.toml --validation 0.3 --early-stopping",
    "fit d.csv -t y --ignore c --checkpoint k.cbor --checkpoint-every 1 --resume --max-iter 2 -q",
    "fit d.csv -t y --ignore c --loss quantile --quantile 0.3 --inner-solver cholesky --max-iter 1",
    "fit d.csv -t y --ignore c --knots 4 --kernel-operator knots --optimizer paper --max-iter 1",
    "fit d.csv -t y --ignore c --weights a --regularization theory --max-iter 1",
    "fit d.csv -t a -t b --ignore c --no-standardize --separator , --header yes --max-iter 1",
    "fit d.csv -t y --categorical a,b --drop-missing-target --max-iter 1 -o n.json",
    "predict m.json d.csv -o p.csv",
    "predict m.json d.csv -o p.npy -q --threads 1",
    "score m.json d.csv --json",
    "inspect m.json --json",
    "report m.json d.csv -o r.html",
    "convert m.json m.cbor --compress 0.1",
    "--version",
    "fit --help",
]


def write(target: str, name: str, content: bytes) -> None:
    """Put one seed where `make fuzz` and the tests look for it."""
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def model_seeds(binary: str) -> None:
    """Models and checkpoints in each encoding, with and without a checksum."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "d.csv").write_text(DATA)
        (folder / "c.csv").write_text(CLASSES)
        short = ["-t", "y", "--particles", "2", "--max-iter", "2", "--tol", "0", "-q"]

        def run(*arguments: str) -> None:
            subprocess.run([binary, *arguments], cwd=folder, check=True)

        run("fit", "d.csv", *short, "-o", "square.json")
        run("fit", "c.csv", *short, "-o", "classes.json")
        for kind in ("square", "classes"):
            for extension in ("json", "ubj", "cbor"):
                if extension != "json":
                    run("convert", f"{kind}.json", f"{kind}.{extension}")
                content = (folder / f"{kind}.{extension}").read_bytes()
                write("model", f"{kind}.{extension}", extension[0].encode() + content)
            document = json.loads((folder / f"{kind}.json").read_text())
            del document["checksum"]
            document["version"] = [1, 0]
            (folder / f"{kind}.json").write_text(json.dumps(document))
            write("model", f"{kind}-1.0.json", b"j" + (folder / f"{kind}.json").read_bytes())
        run("convert", "square.json", "lines.json", "--compress", "1e-6", "-q")
        document = json.loads((folder / "lines.json").read_text())
        del document["checksum"]
        document["version"] = [1, 0]
        write("model", "lines-1.0.json", b"j" + json.dumps(document).encode())
        overflowing_models(document)
        for extension in ("json", "ubj", "cbor"):
            run("fit", "d.csv", *short, "--checkpoint", f"k.{extension}", "--checkpoint-every", "1")
            content = (folder / f"k.{extension}").read_bytes()
            write("model", f"checkpoint.{extension}", extension[0].upper().encode() + content)
        document = json.loads((folder / "k.json").read_text())
        del document["checksum"]
        document["version"] = [1, 0]
        write("model", "checkpoint-1.0.json", b"J" + json.dumps(document).encode())


def export_seeds(binary: str) -> None:
    """Models of each kernel and of each kind of prediction; a capital letter: in float32."""
    options = {
        "brownian": ["-t", "y", "--ignore", "c"],
        "exponential": ["-t", "y", "--ignore", "c", "--kernel", "exponential"],
        "gaussian": ["-t", "a", "-t", "y", "--ignore", "c", "--kernel", "gaussian"],
        "quantiles": ["-t", "y", "--ignore", "c", "--loss", "quantile", "--quantiles", "0.1,0.9"],
        "counts": ["-t", "n", "--ignore", "c", "--loss", "poisson"],
        "two": ["-t", "c"],
        "three": ["-t", "d"],
        "words": ["-t", "y", "--categorical", "a,c,d"],
    }
    rows = zip(DATA.split("\n")[1:7], "uvuuvv", "xyzxyz", "012013", strict=True)
    table = "a,b,y,c,d,n\n" + "".join(",".join(row) + "\n" for row in rows)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "d.csv").write_text(table)
        for kind, own in options.items():
            short = ["--particles", "2", "--max-iter", "2", "--regularization", "0.01", "-q"]
            command = [binary, "fit", "d.csv", *own, *short, "-o", "m.json"]
            subprocess.run(command, cwd=folder, check=True)
            document = json.loads((folder / "m.json").read_text())
            del document["checksum"]
            document["version"][1] = 0  # needs none, so that changes are read
            text = json.dumps(document)
            for letter in "jJ":
                write("export", f"{kind}-{32 if letter == 'J' else 64}", (letter + text).encode())
            if kind in ("brownian", "words"):  # names that end comments and strings
                named = text.replace('"a"', '"*/ \\"\\\\ /*"').replace('"v"', '"\\"?\\\\"')
                write("export", f"{kind}-named", b"j" + named.encode())


def overflowing_models(document: dict) -> None:
    """Finite numbers that give infinite predictions: differences, exponentials, quotients."""
    steep, many, narrow = (json.loads(json.dumps(document)) for _ in range(3))
    steep["model"]["particles"][0]["knots"][-2:] = [1, 1 + 3e-16]
    steep["model"]["particles"][0]["values"][0][-2:] = [-1e308, 1e308]
    many["model"]["loss"] = "poisson"
    many["model"]["intercept"] = [800]
    narrow["model"]["scale"][0] = 5e-324
    for name, model in {"steep": steep, "many": many, "narrow": narrow}.items():
        write("model", f"{name}-1.0.json", b"j" + json.dumps(model).encode())


def csv_seeds() -> None:
    """Separators, quotes, line ends, headers, all forms of numbers; first byte: the format."""
    texts = {
        "plain": DATA,
        "semicolon": DATA.replace(",", ";"),
        "tab": DATA.replace(",", "\t"),
        "crlf": DATA.replace("\n", "\r\n"),
        "quoted": '"a ""x""","b\nc",y\n"1",2,+3\n4,"5",6e-3\n',
        "numbers": "1e308,-0,0x1,5e-324\n1e-400,.5,5.,-1.25E+10\n",
        "missing": "a,b\n1,\nNA,?\n",
        "one-column": "y\n1\n\n2",
        "bom": "\ufeffa,b\n1,2\n",
        "ragged": "a,b\n1,2,3\n4\n",
    }
    for name, text in texts.items():
        write("csv", name, b"\0" + text.encode())
    write("csv", "forced", b"\x06" + DATA.replace(",", ";").encode())
    write("csv", "gzip", b"\0" + gzip.compress(DATA.encode(), mtime=0))


def column_seeds() -> None:
    """Words, gaps, rare levels, both in one column; first byte: what the columns may hold."""
    rows = "".join(f"{i},{'xyz'[i % 3]},{'' if i % 5 else i},r{i // 9}\n" for i in range(60))
    texts = {
        "words": CLASSES,
        "mixed": "a,b\n1,x\n2,3\nNA,\n",
        "many": "n,w,g,r\n" + rows,
        "gaps": "a,b\n,\nNA,?\n",
        "quoted": '"a","b"\n"NA",""\n"x,y","""z"""\n',
        "utf8": "größe,b\nä,1\nö,2\n",
        "truth": "a,b\ntrue,01\nFALSE,1.0\n",
    }
    for name, text in texts.items():
        for kinds in (0, 1, 0b0110):
            write("columns", f"{name}-{kinds}", bytes([kinds]) + text.encode())
    write("columns", "latin1", b"\0a,b\n\xe9,1\nb,2\n")


def npy_seeds() -> None:
    """Both orders, several types and ranks, compressed or not."""
    values = np.arange(12.0).reshape(4, 3)
    arrays = {
        "c-order": values,
        "fortran": np.asfortranarray(values),
        "float32": values.astype(np.float32),
        "int64": values.astype(np.int64),
        "uint8": values.astype(np.uint8),
        "bool": values > 3,
        "big-endian": values.astype(">f8"),
        "vector": values[:, 0],
        "empty": values[:0],
        "nan": np.array([[np.nan, np.inf]]),
        "words": np.array(["a", "b"]),
    }
    for name, array in arrays.items():
        file = io.BytesIO()
        np.save(file, array)
        write("npy", name, file.getvalue())
        if name == "fortran":
            write("npy", "gzip", gzip.compress(file.getvalue(), mtime=0))
    for name, shape in {"too-wide": (1, 999999999999), "wide-without-rows": (0, 10**14)}.items():
        file = io.BytesIO()
        header = {"descr": "<f8", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        write("npy", name, file.getvalue())


def operator_seeds() -> None:
    """Bytes that reach every kernel, look of numbers and loss."""
    rng = np.random.default_rng(0)
    for i in range(60):
        write("operators", f"random-{i:02}", rng.bytes(40 + 8 * i))


if __name__ == "__main__":
    model_seeds(str(pathlib.Path(sys.argv[1]).resolve()))
    export_seeds(str(pathlib.Path(sys.argv[1]).resolve()))
    csv_seeds()
    column_seeds()
    npy_seeds()
    operator_seeds()
    for number, command in enumerate(COMMANDS):
        write(
            "command",
            f"{number:02}-{command.split()[0].strip('-')}",
            "\n".join(command.split()).encode(),
        )
