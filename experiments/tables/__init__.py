"""Real tables with words and gaps: BKerNN beside what else takes them as they are."""
