"""What counts as a secret, and what must be left alone. Tokens are put together here, so that no scanner is alarmed."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.capture.redact import redact, redact_value

MIXED = "a1B2c3D4e5F6g7H8i9J0"
DASHES = "-" * 5
AWS_ACCESS = "AKIA" + "Q7" * 8
AWS_SECRET = "kZ/9+" * 8
JWT = ".".join(["eyJ" + "hbGciOiJIUzI1", "eyJ" + "zdWIiOiIxMjM0", MIXED])
CARD = " ".join(["4111"] + ["1111"] * 3)
IBAN = " ".join(["GB82", "WEST", "1234", "5698", "7654", "32"])


def pem(label: str, body: str = f"{MIXED * 3}\n{MIXED * 3}\n{MIXED}==\n") -> str:
    return f"{DASHES}BEGIN {label}{DASHES}\n{body}{DASHES}END {label}{DASHES}"


TOKENS = {
    "private key": [
        pem("PRIVATE KEY"),
        pem("RSA PRIVATE KEY"),
        pem("EC PRIVATE KEY"),
        pem("OPENSSH PRIVATE KEY"),
        pem("ENCRYPTED PRIVATE KEY", f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{MIXED}\n\n{MIXED * 3}\n"),
        pem("PGP PRIVATE KEY BLOCK", f"Version: GnuPG v2\n\n{MIXED * 3}\n=aB3d\n"),
        pem("PRIVATE KEY").replace("\n", "\\n"),
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n{MIXED * 3}\n{MIXED * 3}",
    ],
    "AWS access key": [AWS_ACCESS, "ASIA" + "Z2" * 8],
    "Emberkeep key": ["ek_" + "0f" * 8 + "_" + "9c" * 32],
    "GitHub token": [f"gh{kind}_{MIXED * 2}" for kind in "pousr"] + ["github_pat_" + MIXED + "_" + MIXED],
    "GitLab token": ["glpat-" + MIXED, "glrt-" + MIXED],
    "Slack token": ["xoxb-" + "12345-" * 2 + MIXED, "xapp-1-" + MIXED],
    "Stripe key": ["sk_" + "live_" + MIXED, "rk_" + "test_" + MIXED, "whsec_" + MIXED * 2],
    "Google key": ["AIza" + MIXED + MIXED[:15], "ya29." + MIXED, "GOCSPX-" + MIXED + MIXED[:8]],
    "SendGrid key": ["SG." + MIXED + "aB." + MIXED * 2 + "a-9"],
    "OpenAI key": ["sk-" + MIXED * 2, "sk-proj-" + MIXED * 3],
    "Anthropic key": ["sk-ant-" + "api03-" + MIXED * 2],
    "Hugging Face token": ["hf_" + MIXED * 2],
    "npm token": ["npm_" + (MIXED * 2)[:36]],
    "PyPI token": ["pypi-" + "AgEI" + MIXED * 3],
    "JWT": [JWT],
    "payment card": [
        CARD,
        CARD.replace(" ", "-"),
        CARD.replace(" ", ""),
        "5555 " * 2 + "5555 4444",
        "3782 822463 " + "10005",
        "3056 930902 " + "5904",
        "4222222" + "222222",
        "6205 5000 0000 0000 " + "004",
        *(CARD.replace(" ", gap) for gap in ".\u00a0\u202f\u2011"),
        CARD.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"}),
        "３782 822463 " + "10005",
    ],
    "IBAN": [IBAN, IBAN.replace(" ", ""), "DE89 3704 0044 " + "0532 0130 00", "NO93 8601 " + "1117 947"],
    "US social security number": ["219-09-" + "9999"],
}


@pytest.mark.parametrize(("what", "secret"), [(what, one) for what, some in TOKENS.items() for one in some])
def test_it_takes_out_what_is_known_by_its_shape(what: str, secret: str) -> None:
    for around in ("{}", "look: {} ok?", "日本語 {}。", "({})", "«{}» 🙂", "a\n{}\nb"):
        assert redact(around.format(secret)) == (around.format(f"[redacted: {what}]"), (what,))


@pytest.mark.parametrize(
    ("said", "left", "what"),
    [
        ("password=hunter2", "password=*", "password"),
        ("PASSWORD: hunter2", "PASSWORD: *", "password"),
        ("DB_PASSWORD=super_secret", "DB_PASSWORD=*", "password"),
        ("dbPassword = 'Sw0rdfish'", "dbPassword = '*'", "password"),
        ("password: swordfish\nuser: bob", "password: *\nuser: bob", "password"),
        ('{"password": "swordfish"}', '{"password": "*"}', "password"),
        (r"{\"password\": \"hunter2\"}", r"{\"password\": \"*\"}", "password"),
        ('os.environ["DB_PASSWORD"] = "hunter2"', 'os.environ["DB_PASSWORD"] = "*"', "password"),
        ('if password == "hunter2":', 'if password == "*":', "password"),
        ("Server=db;User Id=sa;Pwd=Passw0rd;", "Server=db;User Id=sa;Pwd=*;", "password"),
        ("/login?user=bob&password=swordfish&next=/", "/login?user=bob&password=*&next=/", "password"),
        ('passphrase: "correct horse battery staple"', 'passphrase: "*"', "password"),
        ("my password is hunter2", "my password is *", "password"),
        ("My password's hunter2.", "My password's *.", "password"),
        ("the password for the guest wifi is Sunflower42!", "the password for the guest wifi is *!", "password"),
        ("I changed the password: it was 'abc'; password is now P@ssw0rd, ok", None, "password"),
        ("the password is Shadow42", "the password is *", "password"),
        ("the passcode is 482913", "the passcode is *", "password"),
        ("das Passwort? password=Größe123 ✓", "das Passwort? password=* ✓", "password"),
        (f'api_key: "{MIXED}"', 'api_key: "*"', "secret"),
        (f"API-KEY={MIXED}", "API-KEY=*", "secret"),
        (f"x-api-key: {MIXED}", "x-api-key: *", "secret"),
        (f"client_secret => '{MIXED}'", "client_secret => '*'", "secret"),
        (f"access_token={MIXED}&x=1", "access_token=*&x=1", "secret"),
        (f"my api key is {MIXED}, thanks", "my api key is *, thanks", "secret"),
        (f"the token is: {MIXED}", "the token is: *", "secret"),
        (f"aws_secret_access_key = {AWS_SECRET}", "aws_secret_access_key = *", "AWS secret key"),
        (f'"SecretAccessKey": "{AWS_SECRET}"', '"SecretAccessKey": "*"', "AWS secret key"),
        ("Authorization: Bearer abc123def", "Authorization: Bearer *", "authorization"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNz' x", "curl -H 'Authorization: Basic *' x", "authorization"),
        (f'"authorization": "token {MIXED}"', '"authorization": "token *"', "authorization"),
        (f"bearer {MIXED}", "bearer *", "authorization"),
        ("postgres://bob:hunter2@db.example:5432/x", "postgres://bob:*@db.example:5432/x", "password"),
        ("postgresql+psycopg://bob:p@ss@db/x", "postgresql+psycopg://bob:*@db/x", "password"),
        ("redis://:hunter2@cache", "redis://:*@cache", "password"),
        ("https://hooks.slack.com/services/" + MIXED, "https://hooks.slack.com/services/*", "Slack token"),
        ("my pin is 4821", "my pin is *", "PIN"),
        ("The PIN for my bank card is 482193, ok?", "The PIN for my bank card is *, ok?", "PIN"),
        ("PIN: 4821 and then enter", "PIN: * and then enter", "PIN"),
        ("my pin code is 4821", "my pin code is *", "PIN"),
        ("pin 4821, amount 20", "pin *, amount 20", "PIN"),
        ('{"pin": "4821"}', '{"pin": "*"}', "PIN"),
        ("valid until 12/27, cvv 123", "valid until 12/27, cvv *", "card security code"),
        ("CVC: 1234!", "CVC: *!", "card security code"),
        ("the cvc2 code is 123.", "the cvc2 code is *.", "card security code"),
        ('"card_cvv": 123', '"card_cvv": *', "card security code"),
        ("SSN: 219 09 9999", "SSN: *", "US social security number"),
        ("my social security number is 219099999", "my social security number is *", "US social security number"),
    ],
)
def test_it_takes_out_what_is_known_by_what_stands_before_it(said: str, left: str | None, what: str) -> None:
    cleaned, names = redact(said)
    assert names == (what,)
    assert left is None or cleaned == left.replace("*", f"[redacted: {what}]")
    assert "P@ssw0rd" not in cleaned


def test_it_names_each_kind_once_and_takes_out_all() -> None:
    said = f"{CARD}, {CARD} cvv 123, {AWS_ACCESS} {AWS_SECRET} and password=hunter2 or password=hunter3"
    cleaned, names = redact(said)
    assert names == ("AWS secret key", "AWS access key", "password", "payment card", "card security code")
    assert cleaned == (
        "[redacted: payment card], [redacted: payment card] cvv [redacted: card security code], "
        "[redacted: AWS access key] [redacted: AWS secret key] "
        "and password=[redacted: password] or password=[redacted: password]"
    )


def test_what_follows_a_number_stays() -> None:
    assert redact(f"{CARD} 123 12/27")[0] == "[redacted: payment card] 123 12/27"
    assert redact("ES91 2100 0418 4502 0005 1332 NEXT STEP")[0] == "[redacted: IBAN] NEXT STEP"


ORDINARY = [
    "",
    "the password is required",
    "The password is wrong.",
    "my password is not working",
    "I forgot my password",
    "password is 8-16 characters",
    "the password is 100% safe",
    "Password: required",
    "password must be at least 8 characters",
    "password reset: see https://example.com/reset",
    "The password is stored as sha256.",
    "the password was changed 3 days ago",
    "the password is sha256-hashed",
    "the password is case-sensitive",
    "I keep my passwords in 1Password: it's good",
    "passwords: never share them",
    "password: str",
    "password: str | None = None",
    "password: Optional[str] = None",
    "password: SecretStr",
    "password: string;",
    "password = getpass.getpass()",
    "password = os.environ['DB_PASSWORD']",
    "password=None",
    "login(user, password=pw)",
    "login(password=password, user=user)",
    "password: req.body.password",
    "password=$DB_PASSWORD",
    "password=${DB_PASSWORD1}",
    "password: <your password>",
    "password: ********",
    'PASSWORD="{{ vault_password }}"',
    'placeholder="Password" label="Enter your password"',
    '"password": "Please enter your password"',
    "pwd: /home/user1",
    "token limit is 4096",
    "max_tokens=4096",
    "token: 4096",
    "tokens: 12345678",
    "the token is expired",
    "a token is 4 characters on average",
    "the secret is out",
    "secret: being kind",
    "secret santa: 24 December 2025",
    "api_key=YOUR_API_KEY",
    "api_key = settings.api_key",
    "api key is in the vault",
    "private key: ~/.ssh/id_ed25519",
    "token: https://example.com/oauth2/token",
    "primary key: user_id2024",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "authorization: required",
    "bearer of good news and of bad ones",
    "the bearer authentication-and-authorisation scheme",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PRIVATE KEY----- is how it starts",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "order 4512-88 and order number 1234567890123",
    "order 4111111111111112",
    "invoice 4929 1234 5678 9012 345 6",
    "call +44 7911 123456 or (555) 123-4567",
    "+4111111111111111",
    "555-123-4567",
    "ISBN 978-3-16-148410-0, 9783161484100",
    "EAN 5012345678900",
    "IMEI 490154203237518",
    "1747735200000 and 1747735200000000000",
    "0.4111111111111111",
    "4111.1111.1111.1112 and 192.168.132.223",
    "pin 2024 goals to the board",
    "pin it to the wall, 1200 people saw it",
    "GPIO pin 12, pin 4, pin: 13 and pin1234",
    "the pin is 4 digits, the pin is 1200 bytes",
    "my pin code is 560001",
    "the pin is 2024-05-19 and the spin is 4821",
    "they pinned 4821 of them; bowling pin",
    "the cvv is on the back, three digits",
    "cvv 12 and cvv 12345, CVCs 123",
    "550e8400-e29b-41d4-a716-446655440000",
    "12345678-1234-4123-8123-123456789012",
    "d670460b4b4aece5915caf5c68d12f560a9fe3e4",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "dGhlIHF1aWNrIGJyb3duIGZveA==",
    "aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQ",
    "12345678901234567890123456789012345",
    "DE00 3704 0044 0532 0130 00",
    "GB82 WEST 1234 5698 7654 33",
    "flight BE16 leaves at DE22",
    "000-12-3456, 666-12-3456, 912-12-3456, 123-00-4567",
    "2024-05-19, 19-05-2024",
    "sk-folding-cube-animation-with-a-long-name",
    "the class sk-spinner and the flag npm_config_registry",
    "hf_hub_download(repo_id='bert-base-uncased')",
    "gh_pages, ghp_ and glpat-",
    "xoxo, see you",
    "eyJ is how a JWT starts",
    "http://localhost:8080?email=a@b.example",
    "https://bob@example.com/path:1@2",
    "ssh://git@example.com:22/repo",
    "http://user:${PASSWORD}@host",
    "[docs](http://localhost:8080)(mailto:a@b.example)",
    "docker://repo:tag@sha256:abc",
    "git@github.com:org/repo.git",
    "Ich habe mein Passwort vergessen",
    "パスワードを忘れました",
    "[redacted: password]",
    "[redacted: password]: abc123 = [redacted: token] is abc123def456",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text) == (text, ())


PIECES = [one for some in TOKENS.values() for one in some] + ORDINARY
JOINTS = [
    "",
    " ",
    ": ",
    "=",
    '"',
    "'",
    "\n",
    "password=",
    "my password is ",
    "api_key: ",
    "Bearer ",
    "://u:",
    "@",
    "-",
    "my pin is ",
    "cvv ",
]


@given(st.lists(st.sampled_from(PIECES) | st.sampled_from(JOINTS) | st.text(max_size=5), max_size=8).map("".join))
def test_redacting_twice_changes_nothing_and_names_tell_of_changes(text: str) -> None:
    cleaned, names = redact(text)
    assert (cleaned != text) == bool(names)
    assert redact(cleaned) == (cleaned, ())


@given(st.text(st.characters(exclude_categories=["Nd", "Cs"], exclude_characters="=:'’\"`@-_/.")))
def test_text_without_anything_like_a_secret_is_returned_as_it_is(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    "piece",
    ["a", "7", "-", " ", "1 ", "A", "@", ".", "password=", "password='", "password for a b ", "token: a1", "eyJ",
     "eyJaaaaaaaaaaaa.", "://a:", "Bearer a1", "ghp_", "DE89 ", f"{DASHES}BEGIN PRIVATE KEY{DASHES}", "AKIA",
     "pin is ", "pin for a b ", "cvv ", "SG.a-", "4111.", "４"],
)  # fmt: skip
def test_time_grows_no_faster_than_the_text(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    small, large = (min(_seconds(text[:size]) for _ in range(2)) for size in (10_000, 100_000))
    assert large < 40 * small + 1


def _seconds(text: str) -> float:
    started = time.process_time()
    redact(text)
    return time.process_time() - started


@pytest.mark.parametrize(
    ("value", "cleaned", "names"),
    [
        ("password=hunter2", "password=[redacted: password]", ("password",)),
        ({"password": "x"}, {"password": "[redacted: password]"}, ("password",)),
        ({"db_password": "two words"}, {"db_password": "[redacted: password]"}, ("password",)),
        ({"api_key": "abc"}, {"api_key": "[redacted: secret]"}, ("secret",)),
        ({"X-Api-Key": "abc"}, {"X-Api-Key": "[redacted: secret]"}, ("secret",)),
        ({"Authorization": "Basic abc"}, {"Authorization": "[redacted: secret]"}, ("secret",)),
        ({"accessToken": "abc"}, {"accessToken": "[redacted: secret]"}, ("secret",)),
        ({"client_secret": "abc"}, {"client_secret": "[redacted: secret]"}, ("secret",)),
        ({"a": [{"note": CARD}, 1]}, {"a": [{"note": "[redacted: payment card]"}, 1]}, ("payment card",)),
        ({"card": int(CARD.replace(" ", ""))}, {"card": "[redacted: payment card]"}, ("payment card",)),
        ([4111111111111112, 10**5000, -5, 4822222], [4111111111111112, 10**5000, -5, 4822222], ()),
        (
            {AWS_ACCESS: 1, "a": CARD},
            {"[redacted: AWS access key]": 1, "a": "[redacted: payment card]"},
            ("AWS access key", "payment card"),
        ),
        (
            {CARD: 1, CARD.replace(" ", "-"): 2},
            {"[redacted: payment card]": 1, "[redacted: payment card] (2)": 2},
            ("payment card",),
        ),
        (
            {"pin": 4821, "cardCvv": "123"},
            {"pin": "[redacted: PIN]", "cardCvv": "[redacted: card security code]"},
            ("PIN", "card security code"),
        ),
        ({"pin": 13, "cvv": "none", "spin": 4821}, {"pin": 13, "cvv": "none", "spin": 4821}, ()),
        ({"password": "", "token": None, "secret": 3}, {"password": "", "token": None, "secret": 3}, ()),
        ({"tokens": "many", "max_tokens": 5, 7: "x"}, {"tokens": "many", "max_tokens": 5, 7: "x"}, ()),
        ({"token": {"kind": "bearer"}}, {"token": {"kind": "bearer"}}, ()),
        ([True, None, 1.5, "text", []], [True, None, 1.5, "text", []], ()),
    ],
)
def test_values_are_cleaned_inside_and_by_their_keys(value: Any, cleaned: Any, names: tuple[str, ...]) -> None:
    assert redact_value(value) == (cleaned, names)
    assert redact_value(cleaned) == (cleaned, ())


def test_the_value_handed_in_is_not_changed() -> None:
    value = {"password": "hunter2", "list": [CARD]}
    redact_value(value)
    assert value == {"password": "hunter2", "list": [CARD]}
