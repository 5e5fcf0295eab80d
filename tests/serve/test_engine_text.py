"""From tokens to text, piece by piece."""

import random

from text import StopSearch, TextStream

SIGNS = "a é ß 日本語 🎉 👩‍👩‍👧 \n\t | Größe ﬁ naïve"


def pieces(stream: TextStream, tokens: list[int]) -> list[str]:
    return [*map(stream.push, tokens), stream.rest()]


def random_text(dice: random.Random) -> str:
    return "".join(dice.choice([*SIGNS, "def ", "return", "the "]) for _ in range(dice.randint(1, 120)))


def test_pieces_make_the_whole_text_without_half_characters(model):
    """Rule: pieces joined are the text decoded at once, and no piece holds a part of a character."""
    dice = random.Random(1)
    for _ in range(60):
        text = model.tokenizer.backend_tokenizer.normalizer.normalize_str(random_text(dice))
        got = pieces(model.text_stream(), model.encode(text))
        assert "".join(got) == text
        assert "\ufffd" not in "".join(got[:-1])


def test_a_piece_comes_as_soon_as_it_is_whole(model):
    """Rule: a character comes with the token that completes it, not later."""
    tokens = model.encode("🎉")
    assert len(tokens) == 4, "the vocabulary holds only its bytes"
    stream = model.text_stream()
    assert list(map(stream.push, tokens)) == ["", "", "", "🎉"] and stream.rest() == ""


def test_random_tokens_decode_as_at_once(model):
    """Rule: also tokens that make no valid text give what decoding all of them at once gives."""
    dice = random.Random(2)
    decode = model.text_stream()._decode
    for length in (1, 5, 40, 400):
        tokens = [dice.randrange(model.vocabulary) for _ in range(length)]
        assert "".join(pieces(model.text_stream(), tokens)) == decode(tokens)
        bytes_only = [dice.randrange(3, 259) for _ in range(length)]  # the tokens of single bytes
        assert "".join(pieces(model.text_stream(), bytes_only)) == decode(bytes_only)


def test_broken_bytes_hold_nothing_back(model):
    """Rule: bytes that never become a character hold back one mark at most, however many they are."""
    half = model.encode("🎉")[:1] * 100
    got = pieces(model.text_stream(), half)
    assert [len(piece) for piece in got] == [0] + [1] * 100
    assert set("".join(got)) == {"\ufffd"}


def test_long_answers_cost_no_more_a_token():
    """Rule: each token decodes a few tokens, not the whole answer again."""
    sizes = []

    def decode(tokens: list[int]) -> str:
        sizes.append(len(tokens))
        return "".join(map(chr, tokens))

    stream = TextStream(decode)
    text = "".join(stream.push(97 + number % 26) for number in range(2000)) + stream.rest()
    assert text == "abcdefghijklmnopqrstuvwxyz" * 76 + "abcdefghijklmnopqrstuvwx"
    assert max(sizes) <= 33


def test_stop_text_is_found_in_pieces():
    """Rule: a stop text is found when its last character comes, however it is cut, and not before."""
    for cut in range(1, 4):
        search = StopSearch(["\n##", "zz"])
        text = "one #\n# \n## two"
        found = [search.found(text[at : at + cut]) for at in range(0, len(text), cut)]
        assert found.index(True) == (text.index("\n##") + 2) // cut


def test_no_stop_text_is_never_found():
    """Rule: without stop texts nothing ends an answer; single signs are found as well."""
    assert not StopSearch([]).found("anything")
    search = StopSearch(["x"])
    assert [search.found(sign) for sign in "abxa"] == [False, False, True, False]
