"""Attention of the newest rows of one sequence over its cache; knows no layer and no weight."""

import torch
import torch.nn.functional as F


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
