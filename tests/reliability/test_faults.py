"""Damage, kills, full disks and little memory, briefly (`make reliability`: at length)."""

import pathlib
import tempfile

import pytest

from reliability import damage, kills, load, memory, storage


def test_damaged_models_are_refused_or_correct(tmp_path):
    assert damage.damaged_models(tmp_path, 240)["refused"] > 200


def test_damaged_checkpoints_are_refused_or_correct(tmp_path):
    assert damage.damaged_checkpoints(tmp_path, 36)["refused"] > 24


def test_damaged_tables_are_refused_or_correct(tmp_path):
    assert damage.damaged_tables(tmp_path, 24)["refused"] > 12


def test_killed_fits_end_in_the_same_bits(tmp_path):
    assert kills.killed_fits(tmp_path, 3)["kills"] == 3


def test_a_full_disk_leaves_everything_as_it_was(tmp_path):
    assert storage.full_disk(tmp_path, 2)["writes_refused"] == 16


def test_a_full_file_system(tmp_path):
    if not storage.small_file_system(tmp_path):
        pytest.skip("no right to mount a small file system")


def test_read_only_places():
    with tempfile.TemporaryDirectory() as folder:  # unlike tmp_path, others may look into it
        pathlib.Path(folder).chmod(0o755)
        assert storage.read_only(pathlib.Path(folder)) == 8


def test_little_memory(tmp_path):
    seen = memory.little_memory(tmp_path, 500)
    assert seen["succeeded"] == 4 and seen["refused"] >= 4


def test_forked_children():
    assert load.forked(2) == 2


def test_crowd():
    found = load.crowd(2, 3, 2)
    assert found["pieces"] >= 6
