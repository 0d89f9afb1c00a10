"""Every token that detect-secrets' vendor plugins find, ours finds too."""

import base64
import importlib
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.secrets.redact import redact

pytest.importorskip("detect_secrets")

ALNUM, HEX = string.ascii_letters + string.digits, "0123456789abcdef"
LOWER, UPPER = string.ascii_lowercase + string.digits, string.ascii_uppercase + string.digits


def of(alphabet, least, most=None):
    return st.text(alphabet, min_size=least, max_size=most or least)


def join(*parts):
    return st.tuples(*(st.just(part) if isinstance(part, str) else part for part in parts)).map("".join)


def _encoded(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


digits = string.digits
TOKENS = {
    "artifactory.ArtifactoryDetector": join(" AKC", of(ALNUM, 60, 70), "5 "),
    "aws.AWSKeyDetector": join(st.sampled_from(["AKIA", "ASIA", "ABIA", "ACCA"]), of(UPPER, 16))
    | join("aws_secret_key = '", of(ALNUM + "/+", 40), "'"),
    "azure_storage_key.AzureStorageKeyDetector": join("AccountKey=", of(ALNUM + "+/", 86), "=="),
    "basic_auth.BasicAuthDetector": join("https://", of(LOWER, 3, 8), ":", of(ALNUM, 6, 20), "@example.com"),
    "cloudant.CloudantDetector": join(
        "https://", of(LOWER, 3, 8), ":", of(HEX, 64), "@", of(LOWER, 5), ".cloudant.com"
    ),
    "discord.DiscordBotTokenDetector": join(
        st.sampled_from("MNO"), of(ALNUM, 23), ".", of(ALNUM, 6), ".", of(ALNUM, 27)
    ),
    "github_token.GitHubTokenDetector": join(
        st.sampled_from(["ghp", "gho", "ghu", "ghs", "ghr"]), "_", of(ALNUM, 36)
    ),
    "gitlab_token.GitLabTokenDetector": join(
        st.sampled_from(["glpat", "gldt", "glft", "glsoat", "glrt"]), "-", of(ALNUM + "_-", 19), of(ALNUM, 1)
    )
    | join("glptt-", of(ALNUM, 40))
    | join("glcbt-", of(ALNUM, 20)),
    "ibm_cos_hmac.IbmCosHmacDetector": join("secret_access_key=", of(HEX, 47), "7"),
    "jwt.JwtTokenDetector": st.tuples(of(LOWER, 1, 9), of(LOWER, 1, 30), of(ALNUM, 43)).map(
        lambda made: (
            f'{_encoded(f"""{{"alg":"HS256","kid":"{made[0]}"}}""")}.{_encoded(f"""{{"sub":"{made[1]}"}}""")}.{made[2]}'
        )
    ),
    "mailchimp.MailchimpDetector": join(of(LOWER, 32), "-us", of(digits, 1, 2)),
    "npm.NpmDetector": join("//registry.npmjs.org/:_authToken=npm_", of(ALNUM, 36)),
    "openai.OpenAIDetector": join("sk-", of(ALNUM, 20), "T3BlbkFJ", of(ALNUM, 20)),
    "pypi_token.PypiTokenDetector": join("pypi-AgEIcHlwaS5vcmc", of(ALNUM + "-_", 70, 90)),
    "sendgrid.SendGridDetector": join("SG.", of(ALNUM + "_-", 22), ".", of(ALNUM + "_-", 43)),
    "slack.SlackDetector": join(
        "xox", st.sampled_from("abposr"), "-", of(digits, 1, 12), "-", of(LOWER, 1, 24)
    )
    | join("https://hooks.slack.com/services/T", of(UPPER, 8), "/B", of(UPPER, 8), "/", of(ALNUM, 24)),
    "softlayer.SoftlayerDetector": join("softlayer_api_key = ", of(LOWER, 63), "7"),
    "square_oauth.SquareOAuthDetector": join("sq0csp-", of(ALNUM + "-_", 43)),
    "stripe.StripeDetector": join(st.sampled_from("rs"), "k_live_", of(ALNUM, 24)),
    "telegram_token.TelegramBotTokenDetector": join(of("123456789", 8, 10), ":", of(ALNUM + "_-", 35)),
    "twilio.TwilioKeyDetector": join(st.sampled_from(["AC", "SK"]), of(LOWER, 32)),
}


@pytest.mark.parametrize("plugin", TOKENS)
def test_nothing_that_a_plugin_finds_survives(plugin):
    module, name = plugin.split(".")
    detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)()

    @settings(max_examples=25)
    @given(TOKENS[plugin])
    def found(token):
        theirs = set(detector.analyze_string(token))
        assert theirs
        ours = redact(token)
        assert not [secret for secret in theirs if len(secret) > 12 and secret in ours]
        assert "[REDACTED:" in ours

    found()
