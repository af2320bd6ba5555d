"""Estimators for rows that one machine cannot hold: a fit on a Dask cluster.

They take Dask arrays and data frames (``pip install 'bkernn[dask]'``). Each partition stays where
it is; a fit exchanges sums that are as small as the model, and samples of at most 20,000 rows.
"""

from ._dask.classifier import DaskBKerNNClassifier
from ._dask.regressor import DaskBKerNNRegressor
from ._dask.shards import Communication

__all__ = ["Communication", "DaskBKerNNClassifier", "DaskBKerNNRegressor"]
