"""What the experiments share: fits, scores, records, figures."""
