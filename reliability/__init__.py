"""What a user must be able to rely on, put to the test: damage, kills, full disks, memory, load.

`make reliability` runs everything at full length and writes results/reliability.json; the tests run
the same functions briefly.
"""

# Seconds after which a program hangs. No machine is so busy that one which does not takes as long.
PATIENCE = 1800.0
