"""Buffers, budgets and pools: nothing stale, nothing too much, nothing foreign."""

import torch

from engine.chat import FinishReason, SamplingParams
from engine.local.answer_cache import AnswerCache, KnownAnswer
from engine.local.budget import ByteBudget
from engine.local.encoder_cache import EncoderCache, ImageFeatures
from engine.local.kv_cache import BLOCK_TOKENS, KVCache, KVShape
from engine.local.prompt import ImageSpan, Prompt, positions_of
from engine.local.session import Session, SessionPool

SHAPE = KVShape(2, 1, 4, torch.float32, torch.device("cpu"))


def filled(num_tokens: int, value: float = 1.0) -> KVCache:
    cache = KVCache(SHAPE)
    cache.reserve(num_tokens)
    rows = torch.full((1, num_tokens, 4), value)
    for layer in range(2):
        cache.write(layer, rows, rows)
    cache.advance(num_tokens)
    return cache


def prompt(*ids: int) -> Prompt:
    positions, following = positions_of(len(ids), [])
    return Prompt(ids, positions, following, (), ())


def features(num_tokens: int) -> ImageFeatures:
    return ImageFeatures(torch.zeros(num_tokens, 8), (torch.ones(num_tokens, 8),))


def test_write_returns_old_and_new_rows() -> None:
    cache = filled(3)
    cache.reserve(5)
    new = torch.full((1, 2, 4), 2.0)
    keys, _ = cache.write(1, new, new)
    assert keys[0, :, 0].tolist() == [1, 1, 1, 2, 2]
    assert cache.length == 3


def test_growing_keeps_what_is_there() -> None:
    cache = filled(3)
    cache.reserve(BLOCK_TOKENS + 1)
    keys, _ = cache.write(0, torch.zeros(1, 0, 4), torch.zeros(1, 0, 4))
    assert keys.tolist() == [[[1.0] * 4] * 3]


def test_cropped_rows_are_overwritten() -> None:
    cache = filled(3)
    cache.crop_to(1)
    new = torch.full((1, 1, 4), 5.0)
    keys, _ = cache.write(0, new, new)
    assert keys[0, :, 0].tolist() == [1, 5]


def test_bytes_of_a_cache_are_its_buffers() -> None:
    assert filled(1).nbytes == BLOCK_TOKENS * SHAPE.bytes_per_token


def test_least_recently_used_goes_first() -> None:
    kept: ByteBudget[str, bytes] = ByteBudget(10, len)
    kept.put("a", b"1234")
    kept.put("b", b"1234")
    kept.get("a")
    kept.put("c", b"1234")
    assert kept.get("b") is None
    assert kept.get("a") == b"1234"
    assert kept.num_bytes == 8


def test_replacing_counts_once() -> None:
    kept: ByteBudget[str, bytes] = ByteBudget(10, len)
    for _ in range(5):
        kept.put("a", b"123456")
    assert kept.num_bytes == 6


def test_too_large_a_value_throws_nothing_out() -> None:
    kept: ByteBudget[str, bytes] = ByteBudget(10, len)
    kept.put("a", b"1")
    kept.put("b", b"12345678901")
    assert kept.get("a") == b"1"
    assert len(kept) == 1


def test_features_stay_in_their_chat() -> None:
    cache = EncoderCache(1000)
    cache.put("one", "cat", features(1))
    assert cache.get("two", "cat") is None
    cache.forget("one")
    assert cache.get("one", "cat") is None
    assert cache.num_bytes == 0


def test_part_of_features_takes_every_map() -> None:
    part = features(4).part(1, 3)
    assert part.embeddings.shape == (2, 8)
    assert [level.shape for level in part.deepstack] == [(2, 8)]


def test_session_resumes_at_the_common_prefix() -> None:
    pool = SessionPool(10**6, SHAPE)
    pool.keep("a", Session((1, 2, 3), (), filled(3)))
    assert pool.resume("a", prompt(1, 2, 9, 9)).length == 2


def test_session_in_use_is_not_shared() -> None:
    pool = SessionPool(10**6, SHAPE)
    pool.keep("a", Session((1, 2, 3), (), filled(3)))
    assert pool.resume("a", prompt(1, 2, 3, 4)).length == 3
    assert pool.resume("a", prompt(1, 2, 3, 4)).length == 0


def test_last_token_is_always_computed() -> None:
    pool = SessionPool(10**6, SHAPE)
    pool.keep("a", Session((1, 2, 3), (), filled(3)))
    assert pool.resume("a", prompt(1, 2, 3)).length == 2


def test_forgotten_session_starts_anew() -> None:
    pool = SessionPool(10**6, SHAPE)
    pool.keep("a", Session((1, 2, 3), (), filled(3)))
    pool.forget("a")
    assert pool.resume("a", prompt(1, 2, 3)).length == 0


GREEDY = SamplingParams(greedy=True)
ANSWER = KnownAnswer("blue", (1,), FinishReason.STOP)


def test_answers_depend_on_everything() -> None:
    cache = AnswerCache(10)
    cache.put("chat", prompt(1, 2), GREEDY, ANSWER)
    assert cache.get("chat", prompt(1, 2), GREEDY) == ANSWER
    assert cache.get("other", prompt(1, 2), GREEDY) is None
    assert cache.get("chat", prompt(1, 3), GREEDY) is None
    assert cache.get("chat", prompt(1, 2), SamplingParams(greedy=True, max_tokens=3)) is None


def test_same_ids_with_another_picture_are_no_repeat() -> None:
    cache = AnswerCache(10)
    shown = [
        Prompt((1, 9), positions_of(2, [span])[0], 2, (span,), ())
        for span in (ImageSpan(1, "cat", (1, 1)), ImageSpan(1, "dog", (1, 1)))
    ]
    cache.put("chat", shown[0], GREEDY, ANSWER)
    assert cache.get("chat", shown[1], GREEDY) is None


def test_oldest_answer_makes_room() -> None:
    cache = AnswerCache(1)
    cache.put("chat", prompt(1), GREEDY, ANSWER)
    cache.put("chat", prompt(2), GREEDY, ANSWER)
    assert cache.get("chat", prompt(1), GREEDY) is None
    cache.forget("chat")
    assert cache.get("chat", prompt(2), GREEDY) is None


BLOCK_BYTES = BLOCK_TOKENS * SHAPE.bytes_per_token


def kept(session_id: str, pool: SessionPool) -> bool:
    """Whether a conversation would be gone on with."""
    return pool.branch(session_id, prompt(1, 2, 3, 4)).length > 0


def test_answers_under_way_push_out_kept_sessions() -> None:
    pool = SessionPool(3 * BLOCK_BYTES, SHAPE)
    for name in ("a", "b", "c"):
        pool.keep(name, Session((1, 2, 3), (), filled(3)))
    assert pool.num_bytes == 3 * BLOCK_BYTES
    running = filled(3)
    pool.lend(running, BLOCK_TOKENS)
    assert [kept(name, pool) for name in ("a", "b", "c")] == [False, True, True]
    running.reserve(2 * BLOCK_TOKENS)
    pool.make_room()
    assert [kept(name, pool) for name in ("b", "c")] == [False, True]
    pool.keep("d", Session((1, 2, 3), (), filled(3)))
    assert [kept(name, pool) for name in ("c", "d")] == [False, True]
    pool.take_back(running)
    pool.keep("e", Session((1, 2, 3), (), filled(3)))
    assert pool.num_bytes == 2 * BLOCK_BYTES


def test_answers_that_do_not_fit_wait() -> None:
    pool = SessionPool(3 * BLOCK_BYTES, SHAPE)
    assert pool.fits(100 * BLOCK_TOKENS)
    cache = KVCache(SHAPE)
    pool.lend(cache, 2 * BLOCK_TOKENS)
    assert pool.fits(BLOCK_TOKENS)
    assert not pool.fits(BLOCK_TOKENS + 1)
    pool.take_back(cache)
    assert pool.fits(BLOCK_TOKENS + 1)


def test_budget_of_nothing_counts_nothing() -> None:
    pool = SessionPool(0, SHAPE)
    pool.lend(KVCache(SHAPE), BLOCK_TOKENS)
    assert pool.fits(BLOCK_TOKENS)
