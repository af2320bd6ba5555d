"""Other regressors on the same real data, and how they rank."""

#: Groups of data sets: the main ones of Experiment 6, and others with more rows.
SMALL, LARGER = "experiment 6", "larger"
