"""One small change at a time, to see whether the tests notice.

Changes to C++ are compiled all at once, each behind a switch (schemata.py), so that a hundred of
them cost one build. Every test says which changes it runs through; only those tests judge a change.
"""
