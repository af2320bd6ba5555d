"""The estimators for rows on the workers of a Dask cluster."""
