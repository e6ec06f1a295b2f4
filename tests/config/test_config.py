"""Where settings come from, and what is refused."""

import os
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import emberkeep
from emberkeep import Config, ConfigError, wiring
from emberkeep.config import PREFIX, Settings, data_folder, settings_file
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.providers.openai_embedder import OpenAIEmbedder
from emberkeep.testing import WordEmbedder


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EMBERKEEP_HOME", str(home))


@pytest.fixture
def toml(home: Path) -> Path:
    home.mkdir()
    return home / "emberkeep.toml"


# Where they come from.


def test_arguments_win_over_variables_over_the_file_over_defaults(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml.write_text('tenant = "file"\npool_size = 3\nreheat_by = 7\n')
    monkeypatch.setenv("EMBERKEEP_TENANT", "variable")
    monkeypatch.setenv("EMBERKEEP_POOL_SIZE", "4")
    config = Config.load(tenant="argument")
    assert (config.tenant, config.pool_size, config.reheat_by, config.half_life_days) == ("argument", 4, 7.0, 30.0)


def test_without_any_source_there_are_the_defaults() -> None:
    assert Config.load() == Config()


def test_an_argument_of_none_and_an_empty_variable_were_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_TENANT", "")
    monkeypatch.setenv("EMBERKEEP_POOL_SIZE", "4")
    assert Config.load(tenant=None, pool_size=None) == Config(pool_size=4)


def test_every_setting_can_be_given_in_every_way(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in fields(Config):
        given: Any = {str: "7", int: 7, float: 7.5, bool: not setting.default}[type(setting.default)]
        given = "Europe/Lisbon" if setting.name == "time_zone" else given
        assert getattr(Config.load(**{setting.name: given}), setting.name) == given
        with monkeypatch.context() as patched:
            patched.setenv(PREFIX + setting.name.upper(), str(given))
            assert getattr(Config.load(), setting.name) == given
        toml.write_text(f"{setting.name} = {str(given).lower() if isinstance(given, bool) else repr(given)}")
        assert getattr(Config.load(), setting.name) == given
        toml.unlink()


def test_a_config_given_whole_is_all_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_TENANT", "variable")
    with emberkeep.open(config=Config(db=":memory:", tenant="whole"), embedder=WordEmbedder()) as memory:
        assert memory.stats().tenant == "whole"


def test_settings_reach_the_memory(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"tenant": "acme", "initial_temperature": 60, "reheat_by": 15.0, "max_text_chars": 20}
    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder(), **settings) as memory:
        memory.remember("likes tea")
        assert memory.get(memory.remember("likes tea").id).temperature == pytest.approx(75.0, abs=0.1)
        assert memory.stats().tenant == "acme"
        with pytest.raises(emberkeep.InvalidInput, match="the limit is 20"):
            memory.add("x" * 21)


# Where things are.


def test_nothing_at_all_opens_the_file_in_the_data_folder(home: Path) -> None:
    assert not home.exists()
    with emberkeep.open(embedder=WordEmbedder()) as memory:
        memory.add("tea")
        assert memory.stats().database == str(home / "memory.db")
    assert (home / "memory.db").is_file()


def test_the_data_folder_is_the_platforms_or_the_one_named() -> None:
    assert data_folder({"EMBERKEEP_HOME": "/data/embers"}) == Path("/data/embers")
    assert data_folder({"EMBERKEEP_HOME": "~/embers"}) == Path.home() / "embers"
    assert data_folder({}).name == data_folder({"EMBERKEEP_HOME": ""}).name == "emberkeep"


def test_the_settings_file_may_be_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other.toml"
    other.write_text('tenant = "other"')
    monkeypatch.setenv("EMBERKEEP_CONFIG", str(other))
    assert settings_file() == other
    assert Config.load().tenant == "other"


def test_a_settings_file_that_was_named_has_to_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_CONFIG", str(tmp_path / "none.toml"))
    with pytest.raises(ConfigError, match=r"none\.toml: no such file; EMBERKEEP_CONFIG names it"):
        Config.load()


# What is refused.


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("tennant", "did you mean tenant"),
        ("half_life", "did you mean half_life_days"),
        ("zzz", "unknown setting.*: zzz$"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(toml: Path, name: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        Config.load(**{name: 1})  # type: ignore[arg-type]
    toml.write_text(f"{name} = 1")
    with pytest.raises(ConfigError, match=rf"emberkeep\.toml.*{advice}" if "zzz" not in name else advice):
        Config.load()


def test_opening_refuses_unknown_settings_too() -> None:
    with pytest.raises(ConfigError, match="unknown setting: tennant; did you mean tenant"):
        emberkeep.open(":memory:", tennant="acme")  # type: ignore[call-arg]


def test_whoever_opens_a_memory_is_told_the_settings_by_name_and_type() -> None:
    declared = {name: hint | None for name, hint in get_type_hints(Config).items()}
    named = {name: hint for name, hint in declared.items() if name not in ("db", "embedder", "learner", "reranker")}
    assert get_type_hints(Settings) == named


@pytest.mark.parametrize("text", ["tenant = ", "= 3", "[tenant]\nname = 'x'", "\x00", "db = 'a'\ndb = 'b'"])
def test_a_broken_file_is_refused(toml: Path, text: str) -> None:
    toml.write_text(text)
    with pytest.raises(ConfigError, match=r"emberkeep\.toml: not valid TOML|tenant must be str"):
        Config.load()


def test_a_file_that_is_not_text_is_refused(toml: Path) -> None:
    toml.write_bytes(b"tenant = '\xff\xfe'")
    with pytest.raises(ConfigError, match=r"emberkeep\.toml: not valid TOML"):
        Config.load()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pool_size", "many"),
        ("pool_size", 2.5),
        ("pool_size", "2.5"),
        ("pool_size", True),
        ("pool_size", [8]),
        ("pool_size", 0),
        ("pool_size", -1),
        ("pool_size", float("inf")),
        ("pool_size", float("nan")),
        ("half_life_days", "a month"),
        ("half_life_days", 0),
        ("half_life_days", float("nan")),
        ("half_life_days", {}),
        ("busy_timeout_s", -0.1),
        ("busy_timeout_s", float("nan")),
        ("busy_timeout_s", float("inf")),
        ("embedder_timeout_s", 0),
        ("embedder_threads", 0),
        ("embedder_dimension", -1),
        ("pad_vectors_to", -1),
        ("initial_temperature", 100.5),
        ("initial_temperature", -1),
        ("initial_temperature", float("nan")),
        ("reheat_by", 101),
        ("paraphrase_similarity", float("nan")),
        ("tenant", 7),
        ("tenant", " "),
        ("tenant", "nul\x00"),
        ("tenant", "\ud800"),
        ("tenant", "x" * 300),
        ("db", 7),
        ("embedder", b"local"),
        ("learner", 7),
        ("capture", "perhaps"),
        ("capture", 2),
        ("redact", ""),
        ("llm_timeout_s", 0),
        ("learn_attempts", 0),
        ("lease_s", -1),
        ("spend_hard_tokens", -1),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        Config.load(**{name: value})


@pytest.mark.parametrize("name", ["", "nul \0 byte", "lone \ud800 half", Path("nul \0 byte")], ids=repr)
def test_a_store_that_cannot_be_named_so_is_refused(name: str | Path) -> None:
    with pytest.raises(ConfigError, match=r"db is empty: name a file|db holds a NUL or a lone surrogate"):
        emberkeep.open(name)


def test_whole_numbers_may_be_written_as_decimals_and_decimals_as_whole_numbers() -> None:
    config = Config.load(pool_size=8.0, half_life_days=7, db=Path("agent.db"))
    assert (config.pool_size, config.half_life_days, config.db) == (8, 7.0, "agent.db")
    assert isinstance(config.pool_size, int)


def test_a_config_made_by_hand_is_checked_when_it_is_used() -> None:
    with pytest.raises(ConfigError, match="pool_size"):
        emberkeep.open(config=Config(db=":memory:", pool_size=0))


# What they name.


@pytest.mark.parametrize("url", ["mysql://host/name", "sqlite:///agent.db", "file://agent.db"])
def test_other_databases_are_refused_with_what_works(url: str) -> None:
    with pytest.raises(ConfigError, match=f"cannot open {url.partition('://')[0]}://.*postgresql://"):
        emberkeep.open(url)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgresql_without_its_driver_says_what_to_install(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"pip install 'emberkeep\[postgres\]'"):
        emberkeep.open(f"{scheme}://user:password@host/name")


def test_a_broken_url_is_refused_without_its_password() -> None:
    with pytest.raises(ConfigError, match="postgresql://user:password@host/name") as caught:
        emberkeep.open("postgresql://alex:hunter2@host:port/name")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["nonsense", "openai", "openai:", "onnx:", "static:", "local:x", "LOCAL", "http://host"]
)
def test_an_unknown_embedder_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(ConfigError, match=r"use local, arctic-s, .*, onnx:FOLDER, static:FOLDER or openai"):
        emberkeep.open(":memory:", embedder=name)


@pytest.mark.parametrize("text", ["yes", "On", " TRUE ", "1", "no", "off", "False", "0"])
def test_a_switch_may_be_written_in_words(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_CAPTURE", text)
    assert Config.load().capture is (text.strip().lower() in {"yes", "on", "true", "1"})


def test_an_unknown_learner_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="unknown learner 'psychic': use rules, llm, mem0 or none"):
        emberkeep.open(":memory:", learner="psychic")


def test_a_learner_that_lacks_its_settings_says_which() -> None:
    with pytest.raises(ConfigError, match="needs llm_url and llm_model"):
        emberkeep.open(":memory:", learner="llm", llm_model="small")
    with pytest.raises(ConfigError, match="needs mem0_config"):
        emberkeep.open(":memory:", learner="mem0")


def test_embedders_by_name(tmp_path: Path) -> None:
    assert isinstance(wiring.make_embedder(Config()), LocalEmbedder)
    served = wiring.make_embedder(
        Config(embedder="openai:bge-small", embedder_url="http://127.0.0.1:9/v1", embedder_dimension=384)
    )
    assert isinstance(served, OpenAIEmbedder)
    assert (served.dimension, "bge-small" in served.name) == (384, True)
    with pytest.raises(ConfigError, match="missing"):
        wiring.make_embedder(Config(embedder=f"onnx:{tmp_path}"))
    with pytest.raises(ConfigError, match=r"model.safetensors is missing"):
        wiring.make_embedder(Config(embedder=f"static:{tmp_path}"))
    with pytest.raises(ConfigError, match="run emberkeep models pull arctic-s"):
        wiring.make_embedder(Config(embedder="arctic-s"))
    with pytest.raises(ConfigError, match="base URL"):
        wiring.make_embedder(Config(embedder="openai:bge-small"))


def test_vectors_are_padded_to_the_length_that_is_set(tmp_path: Path) -> None:
    with emberkeep.open(tmp_path / "agent.db", pad_vectors_to=512) as memory:
        memory.add("The cat is called Miso")
        assert memory.search("pet names", plan="deep")[0].similarity
        stats = memory.stats()
        assert (stats.dimension, stats.embedder) == (512, wiring.make_embedder(Config(pad_vectors_to=512)).name)
    with emberkeep.open(tmp_path / "agent.db") as memory:  # as it was made
        assert memory.stats().dimension == 512
    with pytest.raises(emberkeep.EmbedderMismatch):
        emberkeep.open(tmp_path / "agent.db", pad_vectors_to=1024)
    with pytest.raises(ConfigError, match="do not fit in 100"):
        emberkeep.open(":memory:", pad_vectors_to=100)


def test_arguments_change_a_whole_config_that_is_given(tmp_path: Path) -> None:
    given = Config(tenant="acme", half_life_days=7)
    with emberkeep.open(tmp_path / "here.db", config=given, embedder=WordEmbedder(), tenant="umbrella") as memory:
        memory.remember("kept")
        assert memory.stats().tenant == "umbrella"
    assert (tmp_path / "here.db").exists()
    with pytest.raises(ConfigError, match="unknown setting"):
        emberkeep.open(tmp_path / "here.db", config=given, colour="red")  # type: ignore[call-arg]
