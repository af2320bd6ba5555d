"""The options of a fit, from the table of the C++ core, as parameters of the estimators."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core


class Option(NamedTuple):
    """One row of the table."""

    name: str
    kind: str  #: flag, integer, number, text or matrix
    default: Any
    group: str
    help: str
    choices: list[str]  #: of a text
    least: float  #: of a number, as the following
    most: float
    least_excluded: bool
    most_excluded: bool
    zero: str  #: of a number: the word for 0, or ""


TABLE = [Option(**row) for row in _core.option_table()]

# Options that are parameters of another name or kind: λ and its rule are one, the seed and the
# threads are what scikit-learn calls them, each estimator has its own losses, one quantile or more
# are one parameter, and None stands for knots at every row and for W at random.
SPECIAL = {
    "regularization": "regularization",
    "regularization_rule": "regularization",
    "seed": "random_state",
    "n_threads": "n_jobs",
    "loss": "loss",
    "knots": "knots",
    "init": "init",
    "quantile": "quantile",
    "quantiles": "quantile",
}

#: The others have the name, the kind and the default of the table.
PLAIN = [option for option in TABLE if option.name not in SPECIAL]

_TYPES = {"flag": "bool", "integer": "int", "number": "float", "text": "str"}


def type_of(option: Option) -> str:
    """Return the type of a parameter, as annotations write it."""
    return _TYPES[option.kind] + (" | str" if option.zero else "")


def default_of(option: Option) -> str:
    """Return the default of a parameter, as sources write it."""
    if option.zero and option.default == 0:
        return f'"{option.zero}"'
    return f'"{option.default}"' if option.kind == "text" else repr(option.default)


def in_core(option: Option, value: Any) -> Any:
    """Return what the core calls this value: 0, if it is the word for that."""
    return 0 if option.zero and isinstance(value, str) and value == option.zero else value


def _entry(option: Option) -> str:
    """Return the entry of a docstring."""
    quoted = ", ".join(f'"{choice}"' for choice in option.choices)
    kind = f"{{{quoted}}}" if quoted else type_of(option)
    text = option.help[0].upper() + option.help[1:]
    return f"{option.name} : {kind}, default={default_of(option)}\n    {text}."


#: A docstring of all plain options, for parameters that an estimator does not explain itself.
DOCUMENTATION = "\n".join(
    ["Options.", "", "Parameters", "----------", *(_entry(option) for option in PLAIN)]
)


def as_dict(options: _core.FitOptions) -> dict[str, Any]:
    """Return all options but `init` by name, for another process."""
    return {o.name: getattr(options, o.name) for o in TABLE if o.name != "init"}


def from_dict(values: dict[str, Any]) -> _core.FitOptions:
    """Return the options that `as_dict` had."""
    options = _core.FitOptions()
    for name, value in values.items():
        setattr(options, name, value)
    return options
