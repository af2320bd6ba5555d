"""The documentation site: `make docs` builds it into build/docs/html, warnings are errors."""

import os
import re
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import drawings
import reference_pages
from sklearn.exceptions import ConvergenceWarning

import bkernn

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "error")  # what its clusters say, page by page

project = "BKerNN"
author = "the BKerNN developers"
release = bkernn.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery/*.ipynb"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"BKerNN {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_copyright = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
autosummary_generate = True
templates_path = ["templates"]
napoleon_use_rtype = False

# The examples are run anew for each build: their pictures cannot lag behind the library. One that
# does not converge is an error.
warnings.simplefilter("error", ConvergenceWarning)
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
}

# Pages and pictures that are made from the sources.
reference_pages.write(HERE, tool=os.environ.get("BKERNN_BINARY", "bkernn"))
drawings.write(HERE / "generated")


def skip_inherited(app, what, name, obj, skip, options):
    """Leave out what scikit-learn adds to every estimator."""
    module = getattr(obj, "__module__", None) or ""
    generated = name.endswith("_request") or name == "get_metadata_routing"
    return True if generated or module.startswith("sklearn") else None


def escape(app, what, name, obj, options, lines):
    """Names that end in an underscore are no references in reStructuredText, f* no emphasis."""
    for i, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "..", "...")):
            line = re.sub(r"(?<![\w`])([A-Za-z]\w*)_(?![\w`])", r"\1\\_", line)
            lines[i] = re.sub(r"(?<=[‖f])\*(?!\*)", r"\\*", line)


def setup(app):
    """Connect the two; docstrings are escaped after napoleon has read them."""
    app.connect("autodoc-skip-member", skip_inherited)
    app.connect("autodoc-process-docstring", escape, priority=900)
