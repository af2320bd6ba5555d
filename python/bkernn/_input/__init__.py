"""From what the user wrote to what the core takes: values, arrays, rows that count."""
