"""Random credentials of many kinds, the places where they stand, and innocent strings that look like them.

Formats are those that vendors document. A seed decides everything, so a failure can be repeated.
"""

from __future__ import annotations

import base64
import json
import string
import uuid
from collections.abc import Callable, Iterator
from random import Random

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
LOWER, UPPER = string.ascii_lowercase + string.digits, string.ascii_uppercase + string.digits
URL64 = ALNUM + "-_"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

Make = Callable[[Random], str]


def run(alphabet: str, least: int, most: int | None = None) -> Make:
    """Random characters that begin and end with a letter or digit."""

    def make(rng: Random) -> str:
        size = rng.randint(least, most or least)
        plain = [char for char in alphabet if char.isalnum()]
        return rng.choice(plain) + "".join(rng.choices(alphabet, k=size - 2)) + rng.choice(plain)

    return make


def of(*parts: str | Make) -> Make:
    """The parts in a row."""
    return lambda rng: "".join(part if isinstance(part, str) else part(rng) for part in parts)


def one(*choices: str) -> Make:
    return lambda rng: rng.choice(choices)


def _uuid(rng: Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def _base64(make: Make, url: bool = False) -> Make:
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    return lambda rng: encode(make(rng).encode()).decode()


def _jwt(rng: Random) -> str:
    head = {"alg": "HS256", "typ": "JWT"}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in (head, {"sub": _uuid(rng)})
    ]
    return ".".join([*parts, run(URL64, 43)(rng)])


def password(rng: Random) -> str:
    """A password that a person or a generator made: letters with digits, often with a sign."""
    word = "".join(rng.choices(string.ascii_letters, k=rng.randint(4, 9)))
    return (
        word
        + rng.choice(["", "!", "-", "#", "$", "_", "@", "&"])
        + "".join(rng.choices(string.digits, k=rng.randint(2, 4)))
    )


def _luhn(digits: str) -> str:
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[::-2]) + sum(map(int, digits[-2::-2]))
    return digits + str(-doubled % 10)


def _card(rng: Random) -> str:
    prefix, size = rng.choice(
        [
            ("4", 16),
            ("51", 16),
            ("55", 16),
            ("2221", 16),
            ("34", 15),
            ("37", 15),
            ("6011", 16),
            ("3530", 16),
            ("8600", 16),
            ("9860", 16),
        ]
    )
    number = _luhn(prefix + "".join(rng.choices(string.digits, k=size - 1 - len(prefix))))
    if len(number) == 15:
        return rng.choice([number, f"{number[:4]} {number[4:10]} {number[10:]}"])
    return rng.choice([number, *(mark.join(number[at : at + 4] for at in range(0, 16, 4)) for mark in " -")])


def _iban(rng: Random) -> str:
    country, make = rng.choice(
        [
            ("DE", run(string.digits, 18)),
            ("FR", run(string.digits, 23)),
            ("GB", of(run(string.ascii_uppercase, 4), run(string.digits, 14))),
            ("ES", run(string.digits, 20)),
            ("TR", run(string.digits, 22)),
            ("NL", of(run(string.ascii_uppercase, 4), run(string.digits, 10))),
            ("PT", run(string.digits, 21)),
        ]
    )
    account = make(rng)
    check = 98 - int("".join(str(int(char, 36)) for char in account + country + "00")) % 97
    compact = f"{country}{check:02}{account}"
    return rng.choice([compact, " ".join(compact[at : at + 4] for at in range(0, len(compact), 4))])


def _ssn(rng: Random) -> str:
    area = rng.choice([*range(1, 666), *range(667, 900)])
    return f"{area:03}-{rng.randint(1, 99):02}-{rng.randint(1, 9999):04}"


def _pem(label: str, end: bool = True) -> Make:
    def make(rng: Random) -> str:
        lines = [run(ALNUM + "+/", 64)(rng) for _ in range(rng.randint(3, 12))]
        closing = f"\n{run(ALNUM, 20)(rng)}==\n-----END {label}-----" if end else ""
        return f"-----BEGIN {label}-----\n" + "\n".join(lines) + closing

    return make


_D = string.digits
TOKENS: dict[str, Make] = {
    "anthropic": of("sk-ant-api03-", run(URL64, 93), "AA"),
    "anthropic admin": of("sk-ant-admin01-", run(URL64, 93), "AA"),
    "openai": of("sk-", run(ALNUM, 20), "T3BlbkFJ", run(ALNUM, 20)),
    "openai project": of("sk-proj-", run(URL64, 74), "T3BlbkFJ", run(URL64, 74)),
    "openrouter": of("sk-or-v1-", run(HEX, 64)),
    "xai": of("xai-", run(ALNUM, 80)),
    "groq": of("gsk_", run(ALNUM, 52)),
    "perplexity": of("pplx-", run(ALNUM, 48)),
    "replicate": of("r8_", run(ALNUM, 37)),
    "tavily": of("tvly-", run(ALNUM, 32)),
    "pinecone": of("pcsk_", run(ALNUM, 70)),
    "langsmith": of("lsv2_pt_", run(HEX, 32), "_", run(HEX, 10)),
    "hugging face": of("hf_", run(ALNUM, 34)),
    "nvidia": of("nvapi-", run(URL64, 64)),
    "fireworks": of("fw_", run(ALNUM, 24)),
    "cerebras": of("csk-", run(LOWER, 48)),
    "together": of("tgp_v1_", run(URL64, 43)),
    "e2b": of("e2b_", run(HEX, 40)),
    "llama cloud": of("llx-", run(ALNUM, 48)),
    "jina": of("jina_", run(HEX, 32), run(ALNUM, 28)),
    "voyage": of("pa-", run(URL64, 43)),
    "elevenlabs": of("sk_", run(HEX, 48)),
    "firecrawl": of("fc-", run(HEX, 32)),
    "fal": of(_uuid, ":", run(HEX, 32)),
    "apify": of("apify_api_", run(ALNUM, 36)),
    "langfuse": of("sk-lf-", _uuid),
    "wandb": of("wandb_v1_", run(ALNUM + "_", 77)),
    "google ai": of("AQ.Ab", run(URL64, 48)),
    "github": of(one("ghp", "gho", "ghu", "ghs", "ghr"), "_", run(ALNUM, 36)),
    "github fine-grained": of("github_pat_", run(ALNUM, 22), "_", run(ALNUM, 59)),
    "gitlab": of(one("glpat", "gldt", "glft", "glsoat", "glrt"), "-", run(URL64, 20)),
    "gitlab runner": of("GR1348941", run(URL64, 20)),
    "bitbucket app password": of("ATBB", run(ALNUM, 32)),
    "bitbucket access": of("ATCTT3xFfGN0", run(URL64, 170), "=", run(UPPER, 8)),
    "atlassian": of("ATATT3xFfGF0", run(URL64, 170), "=", run(UPPER, 8)),
    "slack bot": of("xoxb-", run(_D, 12), "-", run(_D, 12), "-", run(ALNUM, 24)),
    "slack user": of("xoxp-", run(_D, 12), "-", run(_D, 12), "-", run(_D, 12), "-", run(HEX, 32)),
    "slack app": of("xapp-1-A", run(UPPER, 10), "-", run(_D, 13), "-", run(HEX, 64)),
    "slack webhook": of(
        "https://hooks.slack.com/services/T", run(UPPER, 8), "/B", run(UPPER, 10), "/", run(ALNUM, 24)
    ),
    "discord webhook": of("https://discord.com/api/webhooks/", run("123456789", 18), "/", run(URL64, 68)),
    "discord bot": of(one(*"MNO"), run(ALNUM, 23), ".", run(ALNUM, 6), ".", run(URL64, 38)),
    "telegram bot": of(run("123456789", 10), ":AA", run(URL64, 33)),
    "teams webhook": of(
        "https://acme.webhook.office.com/webhookb2/",
        _uuid,
        "@",
        _uuid,
        "/IncomingWebhook/",
        run(HEX, 32),
        "/",
        _uuid,
    ),
    "aws key id": of(one("AKIA", "ASIA"), run("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
    "aws session": of("IQoJb3JpZ2luX2VjE", run(ALNUM + "+/", 300)),
    "bedrock": of("ABSK", run(ALNUM + "+/", 128), "="),
    "bedrock short": of("bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", run(ALNUM, 100)),
    "aws mws": of("amzn.mws.", _uuid),
    "google api": of("AIza", run(URL64, 35)),
    "google oauth access": of("ya29.", run(URL64, 120)),
    "google oauth secret": of("GOCSPX-", run(URL64, 28)),
    "google refresh": of("1//0", run(URL64, 60)),
    "firebase server": of("AAAA", run(URL64, 7), ":APA91b", run(URL64, 134)),
    "azure ad": of(run(ALNUM, 3), "8Q~", run(ALNUM, 34)),
    "azure devops": of(run("abcdefghijklmnopqrstuvwxyz234567", 52)),
    "azure devops new": of(run(ALNUM, 76), "AZDO", run(ALNUM, 4)),
    "azure storage": of("AccountKey=", _base64(run(ALNUM, 64))),
    "azure sas": of("https://a.blob.core.windows.net/c?sv=2024-01-01&sig=", run(ALNUM, 43), "%3D"),
    "alibaba": of("LTAI", run(ALNUM, 20)),
    "tencent": of("AKID", run(ALNUM, 32)),
    "yandex": of("AQVN", run(URL64, 36)),
    "digitalocean": of(one("dop", "doo", "dor"), "_v1_", run(HEX, 64)),
    "cloudflare origin": of("v1.0-", run(HEX, 24), "-", run(HEX, 146)),
    "fly": of("fo1_", run(URL64, 43)),
    "render": of("rnd_", run(ALNUM, 28)),
    "vercel": of("vcp_", run(ALNUM, 56)),
    "netlify": of("nfp_", run(ALNUM, 36)),
    "heroku": of("HRKU-AA", run(URL64, 58)),
    "supabase": of("sbp_", run(HEX, 40)),
    "supabase secret": of("sb_secret_", run(URL64, 31)),
    "neon": of("napi_", run(LOWER, 64)),
    "planetscale": of("pscale_tkn_", run(URL64, 43)),
    "xata": of("xau_", run(ALNUM, 32)),
    "clickhouse": of("4b1d", run(ALNUM, 38)),
    "databricks": of("dapi", run(HEX, 32)),
    "stripe": of(one("sk", "rk"), "_", one("live", "test"), "_", run(ALNUM, 24, 99)),
    "stripe webhook": of("whsec_", run(ALNUM, 32)),
    "paypal": of("access_token$production$", run(LOWER, 16), "$", run(HEX, 32)),
    "square": of("sq0atp-", run(URL64, 22)),
    "square new": of("EAAA", run(URL64, 60)),
    "plaid": of("access-production-", _uuid),
    "razorpay": of("rzp_live_", run(ALNUM, 14)),
    "mollie": of("live_", run(ALNUM, 30)),
    "lob": of("live_", run(HEX, 35)),
    "easypost": of("EZAK", run(ALNUM, 54)),
    "flutterwave": of("FLWSECK_TEST-", run(HEX, 32), "-X"),
    "duffel": of("duffel_live_", run(URL64, 43)),
    "shippo": of("shippo_live_", run(HEX, 40)),
    "shopify": of(one("shpat", "shpca", "shppa", "shpss"), "_", run(HEX, 32)),
    "twilio": of("SK", run(HEX, 32)),
    "sendgrid": of("SG.", run(URL64, 22), ".", run(URL64, 43)),
    "mailchimp": of(run(HEX, 32), "-us12"),
    "mailgun": of("key-", run(HEX, 32)),
    "mailersend": of("mlsn.", run(HEX, 64)),
    "brevo": of("xkeysib-", run(HEX, 64), "-", run(ALNUM, 16)),
    "resend": of("re_", run(ALNUM, 8), "_", run(ALNUM, 24)),
    "intercom": of("dG9rOm", run(ALNUM, 54)),
    "hubspot": of("pat-na1-", _uuid),
    "salesforce": of("00D", run(ALNUM, 12), "!", run(ALNUM + "._", 96)),
    "zoho": of("1000.", run(HEX, 32), ".", run(HEX, 32)),
    "meta": of("EAA", run(ALNUM, 180)),
    "meta app": of(run("123456789", 16), "|", run(URL64, 27)),
    "amazon login": of("Atza|", run(URL64, 80)),
    "zapier webhook": of("https://hooks.zapier.com/hooks/catch/", run("123456789", 7), "/", run(LOWER, 7)),
    "ifttt webhook": of("https://maker.ifttt.com/trigger/door/with/key/", run(URL64, 22)),
    "feishu webhook": of("https://open.feishu.cn/open-apis/bot/v2/hook/", _uuid),
    "dingtalk": of("SEC", run(HEX, 64)),
    "pushbullet": of("o.", run(ALNUM, 32)),
    "intra 42": of("s-s4t2ud-", run(HEX, 64)),
    "adobe": of("p8e-", run(URL64, 32)),
    "vk": of("vk1.a.", run(URL64, 80)),
    "notion": of("ntn_", run(_D, 11), run(ALNUM, 35)),
    "linear": of("lin_api_", run(ALNUM, 40)),
    "asana": of("2/", run("123456789", 16), "/", run("123456789", 16), ":", run(HEX, 32)),
    "clickup": of("pk_", run("123456789", 8), "_", run(UPPER, 32)),
    "airtable": of("pat", run(ALNUM, 14), ".", run(HEX, 64)),
    "figma": of("figd_", run(URL64, 40)),
    "contentful": of("CFPAT-", run(URL64, 43)),
    "typeform": of("tfp_", run(URL64, 59)),
    "dropbox": of("sl.", run(URL64, 130)),
    "postman": of("PMAK-", run(HEX, 24), "-", run(HEX, 34)),
    "grafana": of("glsa_", run(ALNUM, 32), "_", run(HEX, 8)),
    "grafana old": of("eyJrIjoi", run(ALNUM, 72), "="),
    "new relic": of("NRAK-", run(UPPER, 27)),
    "new relic insert": of("NRII-", run(URL64, 32)),
    "datadog": of("ddapp_", run(ALNUM, 34)),
    "dynatrace": of("dt0c01.", run(UPPER, 24), ".", run(UPPER, 64)),
    "honeycomb": of("hcaik_", run(LOWER, 58)),
    "sentry": of("sntryu_", run(HEX, 64)),
    "posthog": of("phx_", run(ALNUM, 43)),
    "sonar": of("sqp_", run(HEX, 40)),
    "sourcegraph": of("sgp_", run(HEX, 40)),
    "snyk": of("snyk_uat.", run(HEX, 8), ".", run(URL64, 60)),
    "buildkite": of("bkua_", run(HEX, 40)),
    "circleci": of("CCIPAT_", run(ALNUM, 22), "_", run(HEX, 40)),
    "npm": of("npm_", run(ALNUM, 36)),
    "pypi": of("pypi-AgEIcHlwaS5vcmc", run(URL64, 120)),
    "rubygems": of("rubygems_", run(HEX, 48)),
    "cargo": of("cio", run(ALNUM, 32)),
    "nuget": of("oy2", run(LOWER, 43)),
    "clojars": of("CLOJARS_", run(HEX, 60)),
    "docker": of("dckr_pat_", run(URL64, 27)),
    "artifactory": of("AKCp", run(ALNUM, 69)),
    "artifactory reference": of("cmVmd", run(ALNUM, 59)),
    "terraform": of(run(ALNUM, 14), ".atlasv1.", run(URL64, 67)),
    "pulumi": of("pul-", run(HEX, 40)),
    "vault": of("hvs.", run(URL64, 95)),
    "vault old": of("s.", run(ALNUM, 24)),
    "doppler": of("dp.pt.", run(ALNUM, 43)),
    "infisical": of("st.", _uuid, ".", run(HEX, 32), ".", run(HEX, 32)),
    "1password": of(
        "A3-", run(UPPER, 6), "-", run(UPPER, 11), "-", run(UPPER, 5), "-", run(UPPER, 5), "-", run(UPPER, 5)
    ),
    "1password service": of("ops_eyJ", run(ALNUM, 250)),
    "bitwarden": of("0.", _uuid, ".", run(ALNUM, 30), ":", run(ALNUM, 22), "=="),
    "okta": of("00", run(URL64, 40)),
    "openshift": of("sha256~", run(URL64, 43)),
    "harness": of("pat.", run(URL64, 22), ".", run(ALNUM, 24), ".", run(ALNUM, 20)),
    "octopus": of("API-", run(UPPER, 26)),
    "prefect": of("pnu_", run(ALNUM, 36)),
    "readme": of("rdme_", run(LOWER, 70)),
    "maxmind": of(run(ALNUM, 6), "_", run(ALNUM, 29), "_mmk"),
    "tailscale": of("tskey-auth-", run(ALNUM, 12), "-", run(ALNUM, 32)),
    "inngest": of("signkey-prod-", run(HEX, 64)),
    "age": of("AGE-SECRET-KEY-1", run("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "jwt": _jwt,
    "private key": _pem("RSA PRIVATE KEY"),
    "openssh key": _pem("OPENSSH PRIVATE KEY"),
    "pkcs8 key": _pem("PRIVATE KEY"),
    "truncated key": _pem("EC PRIVATE KEY", end=False),
    "headless key": of("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ", run(ALNUM + "+/", 400)),
    "encoded key": _base64(_pem("RSA PRIVATE KEY")),
    "bcrypt hash": of("$2b$12$", run(ALNUM + "./", 53)),
    "shadow hash": of("$6$", run(ALNUM, 16), "$", run(ALNUM + "./", 86)),
    "wallet key": of(one("K", "L"), run(BASE58, 51)),
    "wallet seed": of("xprv", run(BASE58, 107)),
    "nostr": of("nsec1", run("023456789acdefghjklmnpqrstuvwxyz", 58)),
    "card number": _card,
    "iban": _iban,
    "social security number": _ssn,
}
"""Secrets that are recognised by themselves."""

_PASSWORD_PLACES = (
    "password: {}",
    "PASSWORD={}",
    "password is {}",
    "my pw: {}",
    "pw is {}",
    '{{"password": "{}"}}',
    '{{\\"password\\": \\"{}\\"}}',
    "Passwort: {}",
    "Mein Passwort lautet {}",
    "contraseña: {}",
    "la contraseña es {}",
    "mot de passe : {}",
    "le mot de passe est {}",
    "mdp: {}",
    "senha: {}",
    "a senha é {}",
    "пароль: {}",
    "пароль от почты — {}",
    "şifre: {}",
    "wifi şifresi: {}",
    "parol: {}",
    "parolim {}",
    "密码：{}",
    "密码是{}",
    "パスワード：{}",
    "パスワードは{}です",
    "DB_PASSWORD_PROD={}",
    "<password>{}</password>",
    "Server=db;User Id=sa;Password={};",
    "PGPASSWORD={} psql",
)
_NAMED: dict[str, tuple[tuple[str, ...], Make]] = {
    "password": (_PASSWORD_PLACES, password),
    "named key": (
        (
            "API_KEY={}",
            "api_key: {}",
            '"apiKey": "{}"',
            "SECRET_KEY_BASE={}",
            "client_secret={}",
            "JWT_SECRET={}",
            "signing_key: '{}'",
            "x-api-key: {}",
            "export WEBHOOK_SECRET={}",
            "the api key is {}",
            "--api-key {}",
            "ENCRYPTION_KEY={}",
            "&api_key={}",
            "token: {}",
            "ACCESS_TOKEN_DEV={}",
            "Ocp-Apim-Subscription-Key: {}",
            "name: APP_SECRET\n  value: {}",
            "ENV APP_TOKEN {}",
        ),
        lambda rng: rng.choice([run(HEX, 32), run(ALNUM, 32), run(LOWER, 40), run(ALNUM, 24)])(rng),
    ),
    "aws secret": (("aws_secret_access_key = {}", "AKIAIOSFODNN7QWERTYU,{}"), run(ALNUM + "/+", 40)),
    "authorization": (
        (
            "Authorization: Bearer {}",
            "authorization: Token {}",
            "Authorization: ApiKey {}",
            "'Authorization': 'GenieKey {}'",
            '"Authorization": "Klaviyo-API-Key {}"',
            "Proxy-Authorization: Custom {}",
        ),
        run(ALNUM, 32, 40),
    ),
    "okta header": (("Authorization: SSWS {}",), of("00", run(URL64, 40))),
    "basic header": (("Authorization: Basic {}", "auth header Basic {}"), _base64(of("deploy:", password))),
    "digest header": (
        ('Authorization: Digest username="bob", realm="x", nonce="abc", response="{}"',),
        run(HEX, 32),
    ),
    "signed header": (
        (
            "Authorization: AWS4-HMAC-SHA256 Credential=x/20250101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature={}",
        ),
        run(HEX, 64),
    ),
    "cookie": (
        (
            "Cookie: theme=dark; sessionid={}",
            "Set-Cookie: sid={}; Path=/; HttpOnly",
            "curl -H 'Cookie: connect.sid={}' https://x.io",
            '"set-cookie": "JSESSIONID={}; Secure"',
            "curl --cookie 'auth_token={}' https://x.io",
        ),
        run(ALNUM, 24, 40),
    ),
    "cookie file": ((".x.io\tTRUE\t/\tTRUE\t1893456000\tsession\t{}",), run(HEX, 32)),
    "curl user": (("curl -u deploy:{} https://x.io", "curl -s https://x.io --user 'deploy:{}'"), password),
    "sshpass": (("sshpass -p {} ssh root@x.io", "sshpass -p '{}' scp a b:"), password),
    "mysql": (("mysql -u root -p{} shop", "mysqldump -uroot -p'{}' shop"), password),
    "redis": (("redis-cli -h x.io -a {} ping",), password),
    "docker login": (("docker login -u bob -p {} ghcr.io",), password),
    "docker config": (('{{"auths":{{"ghcr.io":{{"auth": "{}"}}}}}}',), _base64(of("bob:", password))),
    "npmrc": (("//registry.npmjs.org/:_authToken={}", "_auth={}"), _base64(of("bob:", password))),
    "kube key": (("    client-key-data: {}",), _base64(_pem("EC PRIVATE KEY"))),
    "kube secret": (("apiVersion: v1\nkind: Secret\ndata:\n  config: {}",), _base64(run(ALNUM, 30))),
    "connection string": (
        (
            "postgres://app:{}@db:5432/x",
            "mongodb+srv://app:{}@c0.mongodb.net",
            "amqp://app:{}@mq/",
            "redis://:{}@cache:6379",
            "https://bob:{}@x.io/a.git",
            "jdbc:oracle:thin:scott/{}@db:1521:x",
        ),
        run(ALNUM, 12, 20),
    ),
    "shared access key": (
        ("Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey={}",),
        _base64(run(ALNUM, 32)),
    ),
    "url parameter": (
        (
            "https://x.io/a?token={}&b=1",
            "https://x.io/a?b=1&access_token={}",
            "https://x.io/?key={}",
            "https://s3.amazonaws.com/a?X-Amz-Signature={}",
            "https://x.io/cb#access_token={}&state=1",
        ),
        lambda rng: rng.choice([run(HEX, 64), run(ALNUM, 40)])(rng),
    ),
    "url user": (("https://{}@dev.azure.com/x",), run(ALNUM, 40)),
    "pgpass": (("db.x.io:5432:shop:app:{}",), password),
    "netrc": (("machine x.io login bob password {}",), password),
    "openssl": (("openssl enc -d -in a -passin pass:{}",), password),
    "sudo": (("echo '{}' | sudo -S reboot",), password),
    "htpasswd": (("htpasswd -bc .htpasswd bob {}",), password),
    "sql user": (("CREATE USER bob IDENTIFIED BY '{}';", "ALTER ROLE bob WITH PASSWORD '{}';"), password),
    "requests": (("requests.get(url, auth=('bob', '{}'))",), password),
    "powershell": (('ConvertTo-SecureString "{}" -AsPlainText -Force',), password),
    "wifi": (("WIFI:T:WPA;S:home;P:{};;", "wpa_passphrase={}"), password),
    "login pair": (("creds: bob/{}", "login: bob:{}", "credentials for staging are bob / {}"), password),
    "jwk": (('{{"kty":"OKP","crv":"Ed25519","d":"{}"}}',), run(URL64, 43)),
    "totp": (("otpauth://totp/x:bob?secret={}&issuer=x",), run("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32)),
    "seed phrase": (
        ("seed phrase: {}", "my recovery phrase is {}"),
        lambda rng: " ".join(
            rng.choices(
                [
                    "abandon",
                    "ability",
                    "able",
                    "about",
                    "above",
                    "absent",
                    "absorb",
                    "abstract",
                    "absurd",
                    "abuse",
                    "access",
                    "acid",
                    "acoustic",
                ],
                k=12,
            )
        ),
    ),
    "card code": (("CVV: {}", "cvc {}"), run(string.digits, 3)),
    "pin": (("my PIN is {}", "card PIN: {}"), run("123456789", 4)),
    "stated ssn": (("SSN: {}", "my social security number is {}"), run("12345678", 9)),
    "openssl key": (
        ("openssl enc -aes-256-cbc -k {} -in a", "openssl enc -d -pass pass:{} -in a", "openssl enc -k '{}'"),
        password,
    ),
}
"""Secrets that their names or places give away, as (places, value)."""

KINDS = (*TOKENS, *_NAMED)

_CONTEXTS = (
    "{}", "use {} for that", "the new one: {}.", "Here it is:\n\n{}\n\nThanks!", "Remember that it is `{}`", "- {}\n", "> {}", "({})", '"{}"', "'{}'",
    "+  {}\n-  old\n", "| staging | {} |", "value={}", "https://x.io/hook?t=1&v={}", "**{}**", "  {} # staging", "Ключ: {}", "这是 {} 。", "キー {} です", "anahtar {}",
    "El valor es {}, no lo pierdas", "Der neue Wert ist {}.", "voici : {}", "aqui está {} ok", "mana {}", "$ echo {}", "<b>{}</b>", '{{"v": "{}"}}', "X='{}'",
)  # fmt: skip
_LINE_CONTEXTS = (
    "{}",
    "please note: {}",
    "Here:\n{}\n",
    "```\n{}\n```",
    "hi, {}\nthanks",
    "2025-01-15 INFO {}",
)
_BARE = frozenset({"card number", "iban", "social security number"})
_NOT_IN_URLS = ("https://", "value={}")


def samples(seed: int, each: int) -> Iterator[tuple[str, str, str]]:
    """For each kind `each` times: the kind, the secret, and a text that holds it."""
    rng = Random(seed)
    for _ in range(each):
        for kind, make in TOKENS.items():
            secret = make(rng)
            frames = (
                [frame for frame in _CONTEXTS if not frame.startswith(_NOT_IN_URLS)]
                if kind in _BARE or "://" in secret or "\n" in secret
                else _CONTEXTS
            )
            yield kind, secret, rng.choice(frames).format(secret)
        for kind, (places, make) in _NAMED.items():
            secret = make(rng)
            yield kind, secret, rng.choice(_LINE_CONTEXTS).format(rng.choice(places).format(secret))
        for kind in KINDS:  # once more, as an agent's transcript writes the argument of a tool call
            if kind in TOKENS:
                secret = TOKENS[kind](rng)
                if "\n" not in secret:
                    yield kind, secret, json.dumps({"arguments": json.dumps({"command": f"run {secret}"})})


def _camel(rng: Random) -> str:
    words = [
        "get",
        "user",
        "by",
        "id",
        "parse",
        "token",
        "key",
        "list",
        "render",
        "page",
        "config",
        "value",
        "index",
        "secret",
        "password",
        "field",
        "update",
        "auth",
        "header",
    ]
    return "".join(
        word.title() if at else word for at, word in enumerate(rng.choices(words, k=rng.randint(3, 6)))
    )


def _failing_card(rng: Random) -> str:
    number = _card(rng)
    last = str((int(number[-1]) + rng.randint(1, 9)) % 10)
    return number[:-1] + last


def _failing_iban(rng: Random) -> str:
    number = _iban(rng)
    return number[:-1] + str((int(number[-1]) + rng.randint(1, 9)) % 10)


def _isbn(rng: Random) -> str:
    return f"978-{rng.randint(0, 9)}-{rng.randint(10, 999)}-{rng.randint(10000, 99999)}-{rng.randint(0, 9)}"


def _image(rng: Random) -> str:
    kind = rng.choice(["png", "jpeg", "gif", "svg+xml", "webp"])
    return f"data:image/{kind};base64,{base64.b64encode(rng.randbytes(rng.randint(200, 2000))).decode()}"


def _timestamp(rng: Random) -> str:
    return f"20{rng.randint(10, 30)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}Z"


_NUMBER = run(string.digits, 3)
_INNOCENT: tuple[Make, ...] = (
    of("commit ", run(HEX, 40)), of("fixed in ", run(HEX, 7)), of("sha256:", run(HEX, 64)), of("etag: W/\"", run(HEX, 32), "\""), _uuid,
    of("user_id: ", _uuid), of("request ", _uuid, " failed"), _timestamp, of("due ", _timestamp, "?"), _image, of('<img src="', _image, '">'),
    of('"integrity": "sha512-', _base64(lambda rng: rng.randbytes(40).hex()[:64]), '"'), of("sha1-", run(ALNUM + "+/", 27), "="),
    of("order ", run("123456789", 12)), of("Order #", run("123456789", 16)), of("invoice no. ", run("123456789", 10)), of("tracking 1Z", run(UPPER, 16)),
    of("call +1-", _NUMBER, "-", _NUMBER, "-", run(_D, 4)), of("+998 90 ", _NUMBER, " 45 67"), of("+49 170 ", run(_D, 7)), of("(212) ", _NUMBER, "-", run(_D, 4)),
    of("41.", run(_D, 6), ", 69.", run(_D, 6)), of("lat=-33.", run(_D, 15)), of("#", run(HEX, 6)), of("color: #", run(HEX, 8), ";"),
    of("v", run("123456789", 2), ".", _NUMBER, ".0-rc.1"), of("node@", run("123456789", 2), ".1.2"), of("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI", run(ALNUM, 43), " me@x"),
    of("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ", run(ALNUM + "+/", 300), "= me@x"), of("-----BEGIN PUBLIC KEY-----\n", run(ALNUM, 64), "\n-----END PUBLIC KEY-----"),
    of("-----BEGIN CERTIFICATE-----\nMIID", run(ALNUM, 60), "\n-----END CERTIFICATE-----"), of("client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t", run(ALNUM, 200)),
    of(_camel, "(", _camel, ")"), of("const ", _camel, " = ", _camel, ".", _camel, ";"), of("function ", _camel, "(password: str, token: string) {}"),
    of(_camel, "_", _camel, "_", _camel), of("https://x.io/docs/", _camel, "-", _camel, "-2024"), of("import { ", _camel, ", ", _camel, " } from './", _camel, "'"),
    lambda rng: "!function(e,t){" + ";".join(f"{rng.choice('abcdefg')}.{_camel(rng)}({rng.randint(0, 9)})" for _ in range(20)) + "}",
    _failing_card, _failing_iban, _isbn, of("ISBN ", _isbn), of("10.0.", run("12345", 2), ".7:8080"), of("2001:db8::", run(HEX, 4)), of(run("123456789", 2), ":45"),
    of("msg_01", run(ALNUM, 22)), of("toolu_01", run(ALNUM, 22)), of("call_", run(ALNUM, 24)), of("chatcmpl-", run(ALNUM, 29)), of("cus_", run(ALNUM, 24)),
    of("pi_", run(ALNUM, 24)), of("req_", run(ALNUM, 24)), of("file-", run(ALNUM, 24)), of("pk_live_", run(ALNUM, 24)), of("price_1", run(ALNUM, 23)),
    of("https://youtu.be/", run(URL64, 11)), of("https://docs.google.com/document/d/1", run(ALNUM, 43), "/edit"), of("/var/log/app-", run(_D, 8), ".log"),
    of("docker pull x/y@sha256:", run(HEX, 64)), of("main.", run(HEX, 20), ".js"), of("assets/index-", run(ALNUM, 8), ".css"), of("build-", run(HEX, 40)),
    of("max_tokens: ", run("123456789", 2)), of('{"max_tokens":', run("123456789", 4), ',"stream":false}'), of("prompt_tokens=", run("123456789", 4)),
    of("cache_key = f'{", _camel, "}'"), of("primary key (", _camel, ")"), of("keyboard: ", _camel), of("the token ", _camel, "() returns a string"),
    of("AC ", run(_D, 4), " V"), of("GPIO pin: ", run("12345", 2)), of("pins ", run("12345", 4)), of("revision ", run("123456789", 18)), of("tweet ", run("123456789", 19)),
    of("ref ABC-", run(_D, 5)), of("plate ", run(UPPER, 7)), of("lot ", run(_D, 3), "-", run(_D, 3), "-", run(_D, 4)), of("nonce ", run(HEX, 16)), of("Content-Length: ", run("123456789", 4)),
    of("Set-Cookie: theme=", one("dark", "light"), "; Path=/; Max-Age=", run("123456789", 5)), of("Cookie: lang=uz; consent=", one("yes", "no")), of("_ga=GA1.2.", run("123456789", 9), ".", run("123456789", 10)),
    of("0x", run(HEX, 40)), of("bc1q", run("023456789acdefghjklmnpqrstuvwxyz", 38)), of("ipfs://bafybei", run("abcdefghijklmnopqrstuvwxyz234567", 52)), of("01", run("ABCDEFGHJKMNPQRSTVWXYZ0123456789", 24)),
)  # fmt: skip
_PLACEHOLDERS = """sk-...
sk-xxxxxxxxxxxxxxxxxxxxxxxx
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=<your-token>
api_key: "<API_KEY>"
password: $PASSWORD
password=${DB_PASSWORD}
apiKey: process.env.OPENAI_API_KEY
token = os.environ["GITHUB_TOKEN"]
password = getpass.getpass("Password: ")
Passwort vergessen?
Passwort: erforderlich
Passwort ändern
¿Olvidaste tu contraseña?
contraseña: obligatoria
la contraseña es demasiado corta
la contraseña es obligatoria desde ayer
mot de passe oublié ?
le mot de passe est trop court
mot de passe : requis
esqueceu a senha?
a senha é muito curta
забыли пароль?
пароль слишком короткий
пароль: неверный
şifremi unuttum
şifre en az 8 karakter olmalı
parolni unutdingizmi?
parol kamida 8 ta belgidan iborat
忘记密码？
密码长度至少为8位
密码不正确
パスワードを忘れた場合
パスワードは8文字以上です
def login(user: str, password: str) -> Token:
function auth(token: string, secret?: string): Promise<void>
password: str
password: Optional[str] = None
secret: bytes
token: the bearer token to send
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Basic <credentials>
Authorization: required for every request
curl -u "$USER:$PASS" https://x.io
curl -u user:password https://x.io
curl -u <user>:<password> https://x.io
sshpass -p "$PASS" ssh host
sshpass -p <password> ssh host
mysql -u root -p
mysql -u root -p shop < dump.sql
docker run -p 8080:80 -u 1000 nginx
docker login -u bob --password-stdin
ssh login@host -p 2222
postgres://user:password@localhost
https://user:$PASS@host/
kubectl get secret app -o yaml
kind: Secret
secretKeyRef: {name: app, key: password}
a token is about four characters
tokens: 1,234 in, 567 out
the secret of good tea is water
key takeaways: measure twice
press any key: continue
public key: see keys.md
foreign key: orders.user_id
passport: ask at the desk
pass: 12, fail: 3
bypass=true
compass: north
login page: /login
Log in: click the button
credentials: see 1Password
keyword: memory
monkey: banana
tokenizer: cl100k_base
hotkey: ctrl+shift+k
turkey: 2 kg
sort_key=created_at
key={item.id}
{"type": "password", "name": "pw"}
<input type="password" name="password">
<label for="password">Password</label>
if (password.length < 8) throw new Error("too short")
PASSWORD_MIN_LENGTH=12
TOKEN_EXPIRY=3600
SECRET_NAME=app-secrets
API_KEY_FILE=/run/secrets/api_key
PASSWORD_FILE=/run/secrets/db
--password-file /etc/pw
auth: oauth2
auth=None
"auth": "required"
"auth": "none"
cvv: required
CVC must have three digits
what is an IBAN?
my PIN is secret
SSN: not asked
ssn: string
key: value
x-request-id: 12
X-RateLimit-Remaining: 4999
the seed phrase has twelve words
IDENTIFIED BY clause
zip -r a.zip folder -P
echo done | tee log
WIFI: ask the front desk
""".strip().splitlines()


def innocent(seed: int, count: int) -> Iterator[str]:
    """Texts without secrets: placeholders, code, prose about secrets, and random values of other kinds."""
    rng = Random(seed)
    yield from _PLACEHOLDERS
    for number in range(count - len(_PLACEHOLDERS)):
        text = _INNOCENT[number % len(_INNOCENT)](rng)
        frame = rng.choice(("{}", "see {}", "- {}\n", "`{}`", "{} is done", '["{}"]', "I noted {} today."))
        yield text if "\n" in text or '"' in text else frame.format(text)
