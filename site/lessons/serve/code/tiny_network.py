"""The tiny network, its tokenizer, and how both learn."""

import math
from collections import Counter

import torch
from transformers import GenerationConfig, Qwen2Config, Qwen2ForCausalLM, Qwen2Tokenizer

from tiny_text import chats

VOCABULARY = 1000  # tokens
CONTEXT = 2048  # tokens
STEPS = 640
BATCH, LENGTH = 2, 256  # rows, tokens a row: many small steps teach so small a model more than a few large ones
PEAK_RATE = 4e-3
CHAT_COPIES = 12  # times that each chat comes among the documents
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_tokenizer(texts: list[str]) -> Qwen2Tokenizer:
    """Train a byte-level BPE tokenizer by Qwen2's rules, so that any text can be written in its tokens."""
    tokenizer = Qwen2Tokenizer().train_new_from_iterator(
        texts, VOCABULARY, new_special_tokens=list(SPECIAL[1:]), show_progress=False)
    tokenizer.eos_token, tokenizer.pad_token = SPECIAL[2], SPECIAL[0]
    tokenizer.model_max_length, tokenizer.chat_template = CONTEXT, CHAT_TEMPLATE
    return tokenizer


def make_model(tokenizer: Qwen2Tokenizer) -> Qwen2ForCausalLM:
    """Build the untrained network: four layers, four heads that share two pairs of keys and values."""
    end, _, stop = tokenizer.convert_tokens_to_ids(list(SPECIAL))
    config = Qwen2Config(vocab_size=len(tokenizer), hidden_size=128, intermediate_size=512, num_hidden_layers=4,
                         num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=CONTEXT,
                         tie_word_embeddings=True, initializer_range=0.06,
                         bos_token_id=end, eos_token_id=stop, pad_token_id=end)
    model = Qwen2ForCausalLM(config)
    model.generation_config = GenerationConfig(bos_token_id=end, eos_token_id=[stop, end], pad_token_id=end)
    return model


def training_tokens(tokenizer: Qwen2Tokenizer, texts: list[str]) -> torch.Tensor:
    """Return one long row of tokens: chats strewn evenly among the documents, each ended as a server expects it."""
    pieces = [text + SPECIAL[0] for text in texts]
    rendered = [tokenizer.apply_chat_template([{"role": "user", "content": question},
                                               {"role": "assistant", "content": answer}], tokenize=False) + SPECIAL[0]
                for question, answer in chats()]
    mixed = pieces + CHAT_COPIES * rendered
    order = torch.randperm(len(mixed)).tolist()
    return tokens_of(tokenizer, "".join(mixed[place] for place in order))


def tokens_of(tokenizer: Qwen2Tokenizer, text: str) -> torch.Tensor:
    """Return a text of any length as tokens, without a warning about its length: it is cut into rows later."""
    return torch.tensor(tokenizer(text, verbose=False).input_ids)


def learning_rate(step: int) -> float:
    """Rise for twenty steps, then fall along half a cosine to a twentieth."""
    if step < 20:
        return PEAK_RATE * (step + 1) / 20
    return PEAK_RATE * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - 20) / (STEPS - 20))))


def train(model: Qwen2ForCausalLM, tokens: torch.Tensor) -> None:
    """Show the model random pieces of the row; print the loss now and then."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, betas=(0.9, 0.95), weight_decay=0.1)
    model.train()
    for step in range(STEPS):
        starts = torch.randint(len(tokens) - LENGTH, (BATCH,)).tolist()
        rows = torch.stack([tokens[start : start + LENGTH] for start in starts])
        loss = model(input_ids=rows, labels=rows).loss
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 100 == 0 or step == STEPS - 1:
            print(f"step {step:>4} of {STEPS}  loss {loss.item():.3f}", flush=True)
    model.eval()


@torch.inference_mode()
def perplexities(model: Qwen2ForCausalLM, known: torch.Tensor, held_out: torch.Tensor) -> tuple[float, float]:
    """Return the held-out perplexity of the model, and of how often each token comes in known documents (unigram)."""
    rows = held_out[: len(held_out) // LENGTH * LENGTH].view(-1, LENGTH)
    losses = [model(input_ids=row[None], labels=row[None]).loss.item() for row in rows]  # equal rows: plain mean
    counts = Counter(known.tolist())
    total = len(known) + VOCABULARY  # each token is counted once more than seen, so none is impossible
    surprise = -sum(math.log((counts[token] + 1) / total) for token in held_out.tolist()) / len(held_out)
    return math.exp(sum(losses) / len(losses)), math.exp(surprise)
