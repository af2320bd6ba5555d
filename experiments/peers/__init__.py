"""Other regressors on the same real data, and how they rank."""
