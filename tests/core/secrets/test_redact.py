import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.secrets.credentials import CREDENTIALS, MIN_DENSE_LENGTH, SPREAD_KINDS
from memtool.core.secrets.known_signs import changed_span
from memtool.core.secrets.redact import Secret, SecretFinder, find_secrets, redact
from tests import secret_samples

A, H = string.ascii_letters + string.digits, "0123456789abcdef"
LOW, UP = string.ascii_lowercase + string.digits, string.ascii_uppercase + string.digits


def run(alphabet, size):
    """A fixed stretch of an alphabet that holds letters of each kind in it, digits too."""
    return "".join(alphabet[(7 * at + at * at) % len(alphabet)] for at in range(size - 1)) + alphabet[-1]


KEYS = {
    "anthropic-key": [f"sk-ant-api03-{run(A, 90)}-AA"],
    "openai-key": [f"sk-{run(A, 48)}", f"sk-proj-{run(A, 60)}", f"sk-svcacct-{run(A, 60)}"],
    "xai-key": [f"xai-{run(A, 80)}"],
    "groq-key": [f"gsk_{run(A, 52)}"],
    "perplexity-key": [f"pplx-{run(A, 48)}"],
    "replicate-token": [f"r8_{run(A, 37)}"],
    "tavily-key": [f"tvly-dev-{run(A, 32)}"],
    "pinecone-key": [f"pcsk_{run(A, 70)}"],
    "langchain-key": [f"lsv2_pt_{run(H, 32)}_{run(H, 10)}"],
    "huggingface-token": [f"hf_{run(A, 34)}"],
    "github-token": [f"gh{kind}_{run(A, 36)}" for kind in "pousr"]
    + [f"github_pat_{run(A, 22)}_{run(A, 59)}"],
    "gitlab-token": [f"glpat-{run(A, 20)}", f"glrt-{run(A, 20)}", f"GR1348941{run(A, 20)}"],
    "slack-token": [
        f"xoxb-{run('123456789', 12)}-{run('123456789', 12)}-{run(A, 24)}",
        f"xoxp-1-2-{run(H, 32)}",
        f"xapp-1-A012345-123456-{run(H, 64)}",
    ],
    "slack-webhook": [f"https://hooks.slack.com/services/T{run(UP, 8)}/B{run(UP, 8)}/{run(A, 24)}"],
    "discord-webhook": [f"https://discord.com/api/webhooks/123456789012345678/{run(A, 68)}"],
    "discord-token": [f"M{run(A, 23)}.{run(A, 6)}.{run(A, 27)}"],
    "telegram-token": [f"123456789:AA{run(A, 33)}"],
    "aws-key-id": [f"AKIA{run(UP, 16)}", f"ASIA{run(UP, 16)}"],
    "aws-secret-key": [f"aws_secret_access_key = {run(A + '/+', 40)}"],
    "google-key": [f"AIza{run(A, 35)}"],
    "google-oauth": [f"ya29.{run(A, 60)}", f"GOCSPX-{run(A, 28)}", f"1//0{run(A, 40)}"],
    "azure-key": [
        f"AccountKey={run(A, 86)}==",
        f"SharedAccessKey={run(A, 43)}=",
        f"https://x/?a=1&sig={run(A, 43)}%3D",
    ],
    "azure-secret": [f"abc8Q~{run(A, 34)}"],
    "stripe-key": [f"sk_live_{run(A, 24)}", f"rk_live_{run(A, 24)}", f"whsec_{run(A, 32)}"],
    "twilio-key": [f"SK{run(H, 32)}", f"AC{run(H, 32)}"],
    "sendgrid-key": [f"SG.{run(A, 22)}.{run(A, 43)}"],
    "mailchimp-key": [f"{run(H, 32)}-us12"],
    "mailgun-key": [f"key-{run(H, 32)}"],
    "resend-key": [f"re_{run(A, 8)}_{run(A, 24)}"],
    "square-token": [f"sq0csp-{run(A, 43)}", f"sq0atp-{run(A, 22)}"],
    "shopify-token": [f"shpat_{run(H, 32)}"],
    "npm-token": [f"npm_{run(A, 36)}", f"//registry.npmjs.org/:_authToken={run(H, 36)}"],
    "pypi-token": [f"pypi-AgEIcHlwaS5vcmc{run(A, 80)}"],
    "cargo-token": [f"cio{run(A, 32)}"],
    "rubygems-key": [f"rubygems_{run(H, 48)}"],
    "docker-token": [f"dckr_pat_{run(A, 27)}"],
    "digitalocean-token": [f"dop_v1_{run(H, 64)}"],
    "linear-key": [f"lin_api_{run(A, 40)}"],
    "notion-token": [f"ntn_{run(A, 46)}", f"secret_{run(A, 43)}"],
    "databricks-token": [f"dapi{run(H, 32)}"],
    "atlassian-token": [f"ATATT3{run(A, 180)}"],
    "airtable-token": [f"pat{run(A, 14)}.{run(H, 64)}"],
    "figma-token": [f"figd_{run(A, 40)}"],
    "postman-key": [f"PMAK-{run(H, 24)}-{run(H, 34)}"],
    "grafana-token": [f"glsa_{run(A, 32)}_{run(H, 8)}", f"glc_{run(A, 60)}"],
    "newrelic-key": [f"NRAK-{run(UP, 27)}"],
    "sentry-token": [f"sntrys_{run(A, 60)}", f"sntryu_{run(H, 64)}"],
    "doppler-token": [f"dp.pt.{run(A, 43)}"],
    "vault-token": [f"hvs.{run(A, 90)}"],
    "heroku-key": [f"HRKU-{run(A, 58)}"],
    "supabase-key": [f"sbp_{run(H, 40)}", f"sb_secret_{run(A, 31)}"],
    "planetscale-token": [f"pscale_tkn_{run(A, 43)}"],
    "tailscale-key": [f"tskey-auth-{run(A, 12)}-{run(A, 32)}"],
    "dropbox-token": [f"sl.{run(A, 130)}"],
    "age-key": [f"AGE-SECRET-KEY-1{run(UP, 58)}"],
    "artifactory-key": [f"AKC{run(A, 70)}"],
    "softlayer-key": [f"https://api.softlayer.com/soap/v3/{run(LOW, 64)}"],
    "jwt": [f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{run(A, 43)}"],
    "private-key": [
        f"-----BEGIN {kind}-----\n{run(A, 64)}\n{run(A, 64)}\n{run(A, 20)}==\n-----END {kind}-----"
        for kind in (
            "RSA PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "EC PRIVATE KEY",
            "PRIVATE KEY",
            "ENCRYPTED PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        )
    ],
    "seed-phrase": [
        "seed phrase: " + "abandon ability able about above absent absorb abstract absurd abuse access acid"
    ],
}
EXAMPLES = [(kind, key) for kind in KEYS for key in KEYS[kind]]


def test_every_row_has_an_example():
    examples = [secret for _, secret in EXAMPLES] + [text for _, _, text in secret_samples.samples(1, 3)]
    assert [row for row in CREDENTIALS if not any(re.search(row[2], example) for example in examples)] == []


@pytest.mark.parametrize(("kind", "key"), EXAMPLES, ids=lambda value: value[:24])
def test_a_vendors_key_is_redacted_wherever_it_stands(kind, key):
    for before, after in [("", ""), ("the key: ", " ok"), ("(", ")."), ('"', '",'), ("x=", "\n")]:
        text = before + key + after
        assert f"[REDACTED:{kind}]" in redact(text)
        assert key[-16:] not in redact(text)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("my password is hunter2", "my password is [REDACTED:password]"),
        ("The password for staging is Tr0ub4dor&3.", "The password for staging is [REDACTED:password]."),
        ("password for prod: hunter2", "password for prod: [REDACTED:password]"),
        ("my password’s hunter2!", "my password’s [REDACTED:password]"),
        ("Password: hunter", "Password: [REDACTED:password]"),
        ("**Password:** hunter2", "**Password:** [REDACTED:password]"),
        ("| password | hunter2 |", "| password | [REDACTED:password] |"),
        ('password = "open sesame"', 'password = "[REDACTED:password]"'),
        ('{"password": "hunter2"}', '{"password": "[REDACTED:password]"}'),
        ("login sardor password hunter2", "login sardor password [REDACTED:password]"),
        ("mysql --password hunter2", "mysql --password [REDACTED:password]"),
        ("DB_PASSWORD=postgres", "DB_PASSWORD=[REDACTED:password]"),
        ("mening parolim hunter2", "mening parolim [REDACTED:password]"),
        ("пароль: qwerty77", "пароль: [REDACTED:password]"),
        ("api_key: 'abcd1234efgh'", "api_key: '[REDACTED:api-key]'"),
        ("export OPENAI_API_KEY=abcdef0123456789", "export OPENAI_API_KEY=[REDACTED:api-key]"),
        ("the API key is 9f8e7d6c5b", "the API key is [REDACTED:api-key]"),
        ('secret_key = "x8f7s6d5f4s3"', 'secret_key = "[REDACTED:api-key]"'),
        ("https://x.io/?token=ab12cd34ef&page=1", "https://x.io/?token=[REDACTED:token]&page=1"),
        ("Authorization: Bearer abc.def-1234567890", "Authorization: Bearer [REDACTED:token]"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED:token]"),
        ("postgres://bob:hunter2@db:5432/x", "postgres://bob:[REDACTED:password]@db:5432/x"),
        ("redis://:p4ss@localhost", "redis://:[REDACTED:password]@localhost"),
        ("https://bob:p@ss#w?rd@host/", "https://bob:[REDACTED:password]@host/"),
        ("password=" + "x1" * 2000 + " next", "password=[REDACTED:password] next"),
        ("1Password: the password is hunter2", "1Password: the password is [REDACTED:password]"),
        ("the password is `DB_hunter2`", "the password is `[REDACTED:password]`"),
        ("password: `correct.horse.battery`", "password: `[REDACTED:password]`"),
        (
            "[in](https://x.io/?token=ab12cd34ef)](https://y.io)",
            "[in](https://x.io/?token=[REDACTED:token])](https://y.io)",
        ),
        ('{"token":1234567890123456,"a":1}', '{"token":[REDACTED:token],"a":1}'),
        ("password=hunter2](x", "password=[REDACTED:password]"),
        ('{"db.password": "abc=\'123\'"}', '{"db.password": "[REDACTED:password]"}'),
        ('passphrase: pw="9', "passphrase: [REDACTED:password]"),
        ("DB_PASSWORD=Sup3r.js", "DB_PASSWORD=[REDACTED:password]"),
        ('{"1password": "Tr0ub4dor&3"}', '{"1password": "[REDACTED:password]"}'),
        ("1Password: hunter2x", "1Password: [REDACTED:password]"),
        ("['X-Api-Key: YWJjZGVm1234MTI=','b']", "['X-Api-Key: [REDACTED:api-key]']"),
        ("the token is `849201736451`", "the token is `[REDACTED:token]`"),
        ("the client secret is `xK!qz@Rw$`", "the client secret is `[REDACTED:api-key]`"),
        ("the API key is `LIVE_KEY_9F8A7B6C5D4E`", "the API key is `[REDACTED:api-key]`"),
        ('the password is `value: "hunter2"`', "the password is `[REDACTED:password]`"),
    ],
    ids=lambda value: value[:24],
)
def test_what_its_name_gives_away_is_redacted(text, redacted):
    assert redact(text) == redacted


PROSE = """
my password is too short
Remember that the API key rotates monthly
the token is expired
Password: must be at least 8 characters
password: required
password is base64-encoded
the password is SHA256 hashed
password is 12 characters long
password: string;
git commit a94a8fe5ccb19ba61c4c0873d391e987982fbbd3
id 550e8400-e29b-41d4-a716-446655440000
/home/user/projects/token/parser.py
max_tokens: 100000
token = tokenizer.next()
password = getpass.getpass()
password = os.environ["DB_PASSWORD"]
api_key = settings.OPENAI_API_KEY
The secret: patience and time
api key: <your key>
password: ${DB_PASSWORD}
password: ********
OPENAI_API_KEY=your-api-key-here
Authorization: required for all endpoints
bearer token authentication
http://localhost:8080/path@foo
git@github.com:org/repo.git
https://user:${PASSWORD}@host
the primary key is user_id
use the token endpoint at /oauth2/token
task-sk-learn-something-long-name
password is case-sensitive
API keys: rotate them every 90 days
access token: expires in 3600s
ASIAPACIFICREGIONSALES
my key insight is 2x faster
passport: AB1234567
pass: 123 tests
the access key: press ctrl+k
the process token's `TokenUser` SID
1Password: shared vault, see 1Password vault2x
The [1Password CLI](https://developer.1password.com/docs/cli2/get-started/)
[1Password Environments](https://developer.1password.com/docs/environments/mcp-server2/)
{"max_tokens":16,"stream":false,"thinking":{"type":"disabled3"}}
{"maxTokens":32,"timeoutMs":120000}
credentials from a user's `.netrc` file
the Gateway token from the VM's `.env`
--credentials /credentials1.json
<ParamField path="--token" type="string2">
If a credential is `type: "oauth2"`, it is rejected
password: `gateway.auth.password` -> `OPENCLAW_GATEWAY_PASSWORD`
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
"""


@pytest.mark.parametrize(
    "text",
    PROSE.strip().splitlines(),
)
def test_prose_hashes_and_placeholders_are_left_alone(text):
    assert redact(text) == text
    assert find_secrets(text) == ()


def test_a_key_without_its_end_goes_up_to_the_prose_after_it():
    text = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{run(A, 64)}\n{run(A, 64)}\nI like tea"
    assert redact(text) == "[REDACTED:private-key]\nI like tea"


def test_a_key_on_one_line_goes_too():
    text = f"key='-----BEGIN PRIVATE KEY-----\\n{run(A, 64)}\\n{run(A, 30)}==\\n' then"
    assert run(A, 30) not in redact(text)
    assert redact(text).endswith(" then")


def test_secrets_say_where_they_stand():
    text = f"user ghp_{run(A, 36)} and postgres://a:hunter2@h"
    assert [(secret.kind, text[secret.start : secret.end]) for secret in find_secrets(text)] == [
        ("github-token", f"ghp_{run(A, 36)}"),
        ("password", "hunter2"),
    ]


fragments = st.sampled_from(
    [key for _, key in EXAMPLES]
    + [
        "password: ",
        "password is ",
        "my token=",
        "hunter2 ",
        "api_key=",
        "postgres://u:",
        "@host ",
        "\n",
        " ",
        '"',
        "'",
    ]
    + [
        "[REDACTED:password]",
        "[REDACTED:",
        "]",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "=",
        "eyJ.",
    ]
)
texts = st.lists(fragments | st.text(max_size=8), max_size=8).map("".join)


@given(texts)
def test_redacting_twice_changes_nothing(text):
    assert redact(redact(text)) == redact(text)
    assert find_secrets(redact(text)) == ()


@given(texts)
def test_secrets_come_in_order_and_apart(text):
    ends = [0] + [secret.end for secret in find_secrets(text)]
    assert all(
        end <= secret.start < secret.end for end, secret in zip(ends, find_secrets(text), strict=False)
    )


@given(st.sampled_from(EXAMPLES), st.text("abc .,\n", max_size=20), st.text("abc .,\n", max_size=20))
def test_a_key_between_words_never_survives(example, before, after):
    assert example[1][-16:] not in redact(f"{before} {example[1]} {after}")


@pytest.mark.parametrize(("kind", "_", "pattern"), [row for row in CREDENTIALS if row[0] not in SPREAD_KINDS])
def test_what_is_looked_for_in_long_words_alone_holds_no_blank(kind, _, pattern):
    assert not re.search(r"\\s|\[\^| (?!\[)", pattern.replace(r"[^\s", ""))
    for key in KEYS.get(kind, ()):
        assert len(key) >= MIN_DENSE_LENGTH
        assert len(key.split()) == 1


PIECES = st.sampled_from([key for keys in KEYS.values() for key in keys])
GLUE = st.sampled_from(
    [" ", "\n", "\u00a0", "\u2003", "", "=", '"', "key: ", "AKIA", "token=", "sk-", "a.b/"]
)


@given(st.lists(PIECES | GLUE | st.text(max_size=5), max_size=8))
def test_looking_into_long_words_finds_what_looking_everywhere_finds(pieces):
    text = "".join(pieces)
    everywhere = {
        (kind, *found.span(found.re.groups and 1))
        for kind, signs, pattern in CREDENTIALS
        if any(sign in text.lower() for sign in signs)
        for found in re.finditer(pattern, text)
    }
    found = find_secrets(text)
    for kind, start, end in everywhere:
        assert any(one.start <= start and end <= one.end for one in found), (kind, text[start:end])


BITS = (
    "pass word pwd parolim пароль secret token key api softlayer access -- _ - = is İ ı ſ PASS Key cre "
    "dential 1 x hunter2 clou_ service -> | ' ` \" the for"
)
SAID = st.lists(st.sampled_from([*BITS.split(), " ", ": ", " for the "]), max_size=15).map("".join)


@given(SAID, SAID)
def test_a_named_secret_is_found_wherever_it_stands(before, text):
    before += ".\n\n"  # across which no name reaches its value
    found = [secret for secret in find_secrets(before + text) if secret.start >= len(before)]
    shifted = [Secret(each.kind, each.start - len(before), each.end - len(before)) for each in found]
    assert shifted == [*find_secrets(text)]


SAMPLES = st.sampled_from([text for _, _, text in secret_samples.samples(7, 1)])
EDITS = st.tuples(
    st.floats(0, 1),
    st.floats(0, 0.5),
    SAMPLES | PIECES | GLUE | SAID | st.sampled_from(["kind: Secret\n", '"kty"', ""]),
)


@given(st.lists(SAMPLES | SAID | st.text(max_size=9), max_size=5), st.lists(EDITS, max_size=8))
def test_a_text_that_is_searched_after_each_edit_has_the_secrets_that_it_has_from_scratch(pieces, edits):
    finder, text = SecretFinder(), "\n".join(pieces)
    assert finder.find(text) == find_secrets(text)
    for at, share, new in edits:
        start = int(at * len(text))
        text = text[:start] + new + text[start + int(share * len(text)) :]
        assert finder.find(text) == find_secrets(text)


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_two_texts_are_alike_around_the_span_that_changed(old, new):
    start, end = changed_span(old, new)
    assert 0 <= start <= end <= len(new)
    assert old == new[:start] + old[start : len(old) - len(new) + end] + new[end:]


@pytest.mark.parametrize(
    "name", ["password", "passphrase", "api_secret_key", "--softlayer-access-key", "credential"]
)
def test_a_name_is_known_in_any_case(name):
    [found] = find_secrets(f"{name}=Zk9!vQ2x7Lw4")
    assert found.start == len(name) + 1
    for alike in (str.upper, str.title, str.swapcase):
        assert find_secrets(f"{alike(name)}=Zk9!vQ2x7Lw4") == (found,)
    for letter, others in {"s": "ſ", "i": "İı"}.items():
        for other in others:
            assert find_secrets(f"{name.replace(letter, other)}=Zk9!vQ2x7Lw4") == (found,)


def test_the_value_of_an_option_is_found_behind_its_longest_name():
    assert find_secrets("run --softlayer-access-key Zk9!vQ2x7Lw4") == (Secret("api-key", 27, 39),)


@pytest.mark.parametrize("text", ["pw: hunter2!", "the password is hunter2!?", "Passwort: hunter2!"])
def test_a_mark_that_may_be_the_last_of_a_password_goes_with_it(text):
    assert redact(text) == text[: text.index("hunter")] + "[REDACTED:password]"


def test_a_text_about_secrets_and_kinds_need_not_be_a_manifest():
    text = "One kind: the secret ones. Which kind: Deployment?"
    assert redact(text) == text
