"""Attention of the newest rows of one sequence over its cache; knows no layer and no weight."""

import torch
import torch.nn.functional as F

# Scores of so many rows at a time are held, for one head.
SCORED_ROWS = 600


def attend(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Causal attention of the newest rows over all; queries: (heads, rows, head_dim).

    One row sees everything, so the heads that share keys go in as rows of one short query and
    nothing is expanded. Several rows behind a cache need their own mask: the `is_causal` flag
    would count from the first key.
    """
    num_rows, num_keys = queries.shape[1], keys.shape[1]
    if num_rows == 1:
        grouped = queries.view(keys.shape[0], -1, queries.shape[-1])
        alone = F.scaled_dot_product_attention(grouped[None], keys[None], values[None])
        return alone.view_as(queries)
    causal = num_rows == num_keys
    mask = None if causal else _bottom_right(num_rows, num_keys, queries.device)
    return F.scaled_dot_product_attention(
        queries[None], keys[None], values[None], attn_mask=mask, is_causal=causal, enable_gqa=True
    )[0]


def _bottom_right(num_rows: int, num_keys: int, device: torch.device) -> torch.Tensor:
    ones = torch.ones(num_rows, num_keys, dtype=torch.bool, device=device)
    return ones.tril(diagonal=num_keys - num_rows)


def attend_to_all(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Each of the rows to all of them, all three (heads, rows, head_dim)."""
    if queries.device.type == "cpu" and queries.dtype is torch.bfloat16:
        return _plainly(queries * queries.shape[-1] ** -0.5, keys, values)
    return F.scaled_dot_product_attention(queries[None], keys[None], values[None])[0]


def _plainly(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    # On a processor the fused kernel does not make use of its products of bfloat16.
    mixed = torch.empty_like(queries)
    for head, (wanted, offered) in enumerate(zip(queries, keys.transpose(1, 2), strict=True)):
        for start in range(0, len(wanted), SCORED_ROWS):
            span = slice(start, start + SCORED_ROWS)
            mixed[head, span] = (wanted[span] @ offered).softmax(-1) @ values[head]
    return mixed
