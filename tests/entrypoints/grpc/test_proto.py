"""proto/ says what the table of verbs says, and goes on saying what it said."""

import runpy
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "write_proto.py"))
SEED_REPORT = "message SeedReport {\n"
BUF = Path(sys.executable).parent / "buf"


@pytest.fixture(scope="module")
def protos() -> dict[Path, str]:
    return dict(SCRIPT["proto_files"]())


def test_the_files_are_as_the_script_writes_them(protos: dict[Path, str]) -> None:
    there = {path.relative_to(ROOT / "proto"): path.read_text() for path in (ROOT / "proto").rglob("*.proto")}
    assert there == protos, "run `make proto`"


@pytest.mark.slow
def test_the_python_code_is_as_protoc_writes_it(protos: dict[Path, str]) -> None:
    written = SCRIPT["python_files"](protos)
    folder: Path = SCRIPT["GENERATED"]
    there = {path.name: path.read_text() for path in folder.iterdir() if path.suffix in {".py", ".pyi"}}
    assert there == written, "run `make proto`"


def test_buf_finds_nothing_wrong() -> None:
    found = subprocess.run([BUF, "lint"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.fixture
def written(protos: dict[Path, str], tmp_path: Path) -> Path:
    """The files in a folder of their own."""
    for path, text in protos.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_a_field_keeps_its_number_and_what_is_gone_is_never_used_again(written: Path) -> None:
    values = written / "emberkeep" / "v1" / "values.proto"
    text = values.read_text()
    text = text.replace("int64 read = 1;", "int64 skimmed = 1;").replace("int64 known = 3;", "bool known = 3;")
    values.write_text(text.replace(SEED_REPORT, f'{SEED_REPORT}  reserved 7;\n  reserved "old";\n'))
    again = SCRIPT["proto_files"](written)[Path("emberkeep/v1/values.proto")]
    expected = [
        "message SeedReport {",
        "  reserved 1, 3, 7;",  # one is gone, and one had another type
        '  reserved "old", "skimmed";',
        "  int64 read = 8;",
        "  int64 new = 2;",
        "  int64 known = 9;",
        "}",
    ]
    assert "\n".join(expected) in again


@pytest.mark.parametrize(
    ("instead", "breaks"),
    [("", True), ("  string read = 1;\n", True), ('  reserved 1;\n  reserved "read";\n', False)],
)
def test_buf_says_what_would_break_a_client(tmp_path: Path, instead: str, *, breaks: bool) -> None:
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    values = tmp_path / "proto" / "emberkeep" / "v1" / "values.proto"
    text = values.read_text()
    values.write_text(text.replace(f"{SEED_REPORT}  int64 read = 1;\n", f"{SEED_REPORT}{instead}"))
    command = [str(BUF), "breaking", "--against", str(ROOT)]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode != 0, "SeedReport" in found.stdout) == (breaks, breaks), found.stdout + found.stderr


def test_what_cannot_be_sent_is_refused_by_the_script() -> None:
    argument = next(iter(SCRIPT["VERBS"]["get"].arguments.values()))
    with pytest.raises(SystemExit, match="how it is sent"):
        SCRIPT["Messages"]().argument(replace(argument, kind=complex), patched=False)
