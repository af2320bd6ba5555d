"""The model elsewhere: smaller, in files, in other languages, on a page, in a notebook."""

from __future__ import annotations

from copy import copy
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from .._displays import html
from .fitted import Fitted

if TYPE_CHECKING:
    from typing_extensions import Self


class Exported(Fitted):
    """A mixin that gives the model away."""

    def compress(self, tolerance: float) -> Self:
        """Return a copy with fewer knots, which predicts faster and takes less room.

        Parameters
        ----------
        tolerance : float
            No prediction (before the link of a classifier or of counts) changes by more than this.

        Returns
        -------
        estimator
            A fitted copy; `dual_coef_` and the like are those of the original.
        """
        check_is_fitted(self, "W_")
        smaller = copy(self)
        smaller._saved = self._saved.compress(tolerance)
        return smaller

    def to_html(
        self, X: ArrayLike | None = None, y: ArrayLike | None = None, stability: Any = None
    ) -> str:
        """Return the report of the command-line tool: one page that needs no other file.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to show predictions of.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
            Their targets.
        stability : Stability, optional
            What `bkernn.stability` returned, for a panel that shows how sure it is.

        Returns
        -------
        str
            HTML.
        """
        check_is_fitted(self, "W_")
        if (X is None) != (y is None):
            raise ValueError("X and y: give both or neither")
        study = "" if stability is None else stability.to_json()
        if X is None:
            return self._saved.to_html(html.feature_names(self), stability=study)
        names = html.feature_names(self)
        return self._saved.to_html(names, self._check_rows(X), self._encoded(y), study)

    def save_model(self, path: str | PathLike[str], compress: bool = True) -> None:
        """Write the model to a file that `bkernn.load_model` and the command-line tool read.

        Parameters
        ----------
        path : str or path
            The extension decides the encoding: .json, .ubj or .cbor.
        compress : bool, default=True
            Write fewer digits, or fewer knots. That moves no prediction by more than 1e-4 of the
            spread of y, no log-odds of a class or log of a mean count by more than 1e-4. A model
            that was loaded or compressed before is written as it is. False: every bit.
        """
        check_is_fitted(self, "W_")
        self._saved.save(fspath(path), compress)

    def to_onnx(self, dtype: Literal["float64", "float32"] = "float64") -> bytes:
        """Return the model as an ONNX graph, which predicts wherever there is an ONNX runtime.

        Its input is "X"; its outputs are "prediction", or "label" and "probabilities". For
        scikit-learn pipelines, `import bkernn.onnx` and use skl2onnx.

        Parameters
        ----------
        dtype : {"float64", "float32"}, default="float64"
            The numbers of input, outputs and graph.

        Returns
        -------
        bytes
            The contents of an .onnx file.
        """
        check_is_fitted(self, "W_")
        if dtype not in ("float64", "float32"):
            raise ValueError(f"dtype = {dtype!r}: must be 'float64' or 'float32'")
        return self._saved.to_onnx(dtype == "float32")

    def to_c(self) -> str:
        """Return the model as one C99 file without dependencies and without allocation.

        Returns
        -------
        str
            Source of `double predict(const double *x, double *out)`; its head explains the rest.
        """
        check_is_fitted(self, "W_")
        return self._saved.to_c()

    def _repr_html_inner(self) -> str:
        return html.notebook(self, super()._repr_html_inner())  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = html.notebook(self, bundle["text/html"])
        return bundle
