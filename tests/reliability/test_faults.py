"""Damage, kills, full disks and little memory, briefly (`make reliability`: at length)."""

import multiprocessing
import pathlib
import subprocess
import tempfile
import time

import pytest

from reliability import damage, kills, load, memory, storage, symmetries
from reliability.tool import BrokenPromiseError, NotTriedError, ended


def test_damaged_models_are_refused_or_correct(tmp_path):
    assert damage.damaged_models(tmp_path, 240)["refused"] > 200


def test_damaged_checkpoints_are_refused_or_correct(tmp_path):
    assert damage.damaged_checkpoints(tmp_path, 36)["refused"] > 24


def test_damaged_tables_are_refused_or_correct(tmp_path):
    assert damage.damaged_tables(tmp_path, 24)["refused"] > 12


def test_cut_arrays_are_refused(tmp_path):
    assert damage.cut_arrays(tmp_path, 24)["refused"] == 24


def test_killed_fits_end_in_the_same_bits(tmp_path):
    assert kills.killed_fits(tmp_path, 3)["kills"] == 3


def test_a_full_disk_leaves_everything_as_it_was(tmp_path):
    assert storage.full_disk(tmp_path, 2)["writes_refused"] == 16


def test_a_full_file_system(tmp_path):
    try:
        assert storage.small_file_system(tmp_path) == 8
    except NotTriedError as error:
        pytest.skip(str(error))


def test_read_only_places():
    with tempfile.TemporaryDirectory() as folder:  # unlike tmp_path, others may look into it
        pathlib.Path(folder).chmod(0o755)
        assert storage.read_only(pathlib.Path(folder)) == 8


def test_little_memory(tmp_path):
    seen = memory.little_memory(tmp_path, 500)
    assert seen["succeeded"] == 4 and seen["refused"] >= 4


def test_symmetries():
    """Rows in any order move nothing (the trial itself checks it), and the rest is counted."""
    found = symmetries.moved(80, 40, brief=True)
    assert found["all"]["tables"] == sum(found[one]["tables"] for one in found) / 2 > 40
    assert found["all"]["above_much"] <= found["all"]["above_little"] <= 4
    assert found["all"]["same_bits"] < found["all"]["tables"]


def test_forked_children():
    assert load.forked(2) == 2


def test_crowd():
    found = load.crowd(2, 3, 2)
    assert found["pieces"] >= 6


FORK = multiprocessing.get_context("fork")


def sleep(*_):
    time.sleep(1000)


def test_what_hangs_is_reported_and_ended(monkeypatch):
    others = set(multiprocessing.active_children())  # joblib keeps its workers from test to test
    monkeypatch.setattr(load, "_child", sleep)
    with pytest.raises(BrokenPromiseError, match="forked children: one hangs"):
        load.forked(1, patience=0.5)
    with pytest.raises(BrokenPromiseError, match="hangs"):
        ended(subprocess.Popen(["sleep", "1000"], stdout=-1, stderr=-1), patience=0.5)
    monkeypatch.setattr(load, "_worker", sleep)
    monkeypatch.setattr(load.multiprocessing, "get_context", lambda _: FORK)
    with pytest.raises(BrokenPromiseError, match="2 of 2 processes are silent"):
        load.crowd(2, 1, 0.1, patience=0.5)
    assert set(multiprocessing.active_children()) <= others


def test_a_leak_is_seen():
    assert load._growth([10, 90, 100, 100, 100, 101, 101, 102, 102]) < load.LEAK
    assert load._growth([100 + 4 * i for i in range(8)]) > load.BRIEF_LEAK
