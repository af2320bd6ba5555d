"""What a user must be able to rely on, put to the test: damage, kills, full disks, memory, load.

`make reliability` runs everything at full length and writes results/reliability.json; the tests run
the same functions briefly.
"""
