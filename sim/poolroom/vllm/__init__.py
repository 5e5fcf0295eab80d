"""Will it start? vLLM's own arithmetic for any card and any model, by version."""
