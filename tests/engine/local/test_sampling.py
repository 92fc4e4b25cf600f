"""How a token is chosen, when an answer runs in a circle, and how ids become text."""

import pytest
import torch

from engine.chat import SamplingParams
from engine.local.detokenizer import Detokenizer
from engine.local.repetition import find_loop
from engine.local.sampler import Sampler, SamplingDefaults

LOGITS = torch.tensor([0.0, 3.0, 2.9, -1.0])


def drawn(params: SamplingParams, defaults: SamplingDefaults | None = None) -> list[int]:
    sampler = Sampler(params, defaults or SamplingDefaults())
    return [sampler.sample(LOGITS, []) for _ in range(200)]


def test_greedy_takes_the_likeliest() -> None:
    assert set(drawn(SamplingParams(greedy=True))) == {1}


def test_checkpoint_may_be_greedy() -> None:
    assert set(drawn(SamplingParams(), SamplingDefaults(greedy=True))) == {1}
    assert len(set(drawn(SamplingParams(temperature=5.0), SamplingDefaults(greedy=True)))) > 1


def test_seed_repeats_the_answer() -> None:
    assert drawn(SamplingParams(seed=7)) == drawn(SamplingParams(seed=7))
    assert drawn(SamplingParams(seed=7)) != drawn(SamplingParams(seed=8))


def test_no_seed_is_not_always_the_same() -> None:
    assert drawn(SamplingParams()) != drawn(SamplingParams())


def test_top_k_leaves_the_best() -> None:
    assert set(drawn(SamplingParams(top_k=2, temperature=9.0, seed=1))) == {1, 2}


def test_top_p_leaves_the_nucleus() -> None:
    assert set(drawn(SamplingParams(top_p=0.5, seed=1))) == {1}
    assert set(drawn(SamplingParams(top_p=0.8, seed=1))) == {1, 2}


def test_share_of_draws_follows_the_temperature() -> None:
    counts = torch.bincount(torch.tensor(drawn(SamplingParams(seed=3))), minlength=4)
    expected = LOGITS.softmax(0) * 200
    assert (counts - expected).abs().max() < 30


def test_presence_penalty_counts_each_id_once() -> None:
    sampler = Sampler(SamplingParams(greedy=True, presence_penalty=0.2), SamplingDefaults())
    assert sampler.sample(LOGITS, []) == 1
    assert sampler.sample(LOGITS, [1, 1, 1]) == 2
    assert sampler.sample(LOGITS, [1, 2]) == 1


@pytest.mark.parametrize(
    ("ids", "extra"),
    [
        ([1, 2, 3] * 43, 126),
        ([7, 8, *[1, 2, 3] * 43], 126),
        ([1, 2, 3] * 40, 0),
        ([5] * 127, 0),
        ([5] * 200, 199),
        ([45] * 200, 0),
        ([45] * 512, 511),
        ([46, 32] * 200, 0),
        (list(range(100)) * 4, 300),
        (list(range(100)) * 3, 0),
        (list(range(600)), 0),
        ([*[1, 2, 3] * 43, 4], 0),
        ([], 0),
    ],
    ids=range(13),
)
def test_find_loop(ids: list[int], extra: int) -> None:
    assert find_loop(ids, lambda part: "".join(map(chr, part))) == extra


def test_half_a_character_is_held_back() -> None:
    data = "é🙂".encode()
    detokenizer = Detokenizer(lambda i: bytes([data[i]]))
    assert [detokenizer.push(i) for i in range(len(data))] == ["", "é", "", "", "", "🙂"]


def test_broken_end_is_marked() -> None:
    detokenizer = Detokenizer(lambda i: b"\xf0\x9f")
    assert detokenizer.push(0) == ""
    assert detokenizer.flush() == "\ufffd"
