"""Formats of vendors' keys and tokens.

They are the formats that the vendors document, and those that public secret scanners agree on. A row is a
kind, its signs and its pattern: a text without any of the signs (in lower case) cannot contain that kind, so
that a text without secrets compiles no pattern. The secret is group 1 of a pattern, or the whole match if it
has no group.
"""

from __future__ import annotations

_B = r"(?<![A-Za-z0-9])"  # not inside a longer word
_E = r"(?![A-Za-z0-9])"

CREDENTIALS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "private-key",
        ("private key", "private-lines"),
        (
            r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?:(?!-----BEGIN)[\s\S]){0,20000}?-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
            # or, without an end, its headers and every line of base64
            r"|(?:(?:\s|\\[nr])*+(?:[A-Z][A-Za-z-]{2,20}: [^\n]{0,200}\n|[A-Za-z0-9+/]{16,}+))*+"
            r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/]{1,15}={1,2}|={1,2})?)"
            r"|Private-Lines: \d{1,4}(?:\s+[A-Za-z0-9+/]{16,}+={0,2})+(?:\s+[A-Za-z0-9+/]{1,15}={1,2})?"
        ),
    ),
    ("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{16,}+"),
    ("openai-key", ("sk-",), _B + r"sk-(?:(?=[\w-]{0,80}\d)|(?=[\w-]{0,90}T3Blbk))[A-Za-z0-9_-]{20,}+"),
    ("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{40,}+"),
    ("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}+"),
    ("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,}+"),
    ("replicate-token", ("r8_",), _B + r"r8_[A-Za-z0-9]{30,}+"),
    ("tavily-key", ("tvly-",), r"tvly-[A-Za-z0-9-]{20,}+"),
    ("pinecone-key", ("pcsk_",), r"pcsk_\w{40,}+"),
    ("langchain-key", ("lsv2_",), r"lsv2_[a-z]{2}_[A-Za-z0-9_]{32,}+"),
    ("huggingface-token", ("hf_", "api_org_"), _B + r"(?:hf|api_org)_[A-Za-z0-9]{30,}+"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9_]{36,}+"),
    ("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,}+"),
    (
        "gitlab-token",
        ("gl",),
        r"gl(?:pat|dt|ft|soat|rt|rtr|cbt|imt|ptt|agent|oas|ffct|wt)-[A-Za-z0-9_-]{20,}+",
    ),
    ("gitlab-token", ("gr1348941",), r"GR1348941[A-Za-z0-9_-]{20,}+"),
    ("slack-token", ("xox",), r"(?i:xox[a-z](?:\.xox[a-z])?-(?:(?:\d+-)+[a-z0-9]+|[a-z0-9-]{10,}+))"),
    ("slack-token", ("xapp-",), r"(?i:xapp-\d-[a-z0-9]+-\d+-[a-z0-9]+)"),
    (
        "slack-webhook",
        ("hooks.slack.com",),
        r"https?://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/+-]{8,}+",
    ),
    (
        "discord-webhook",
        ("/api/webhooks/",),
        r"https?://(?:[a-z]{1,10}\.)?discord(?:app)?\.com/api/webhooks/\d{5,30}/[\w-]{20,}+",
    ),
    (
        "discord-token",
        (".",),
        r"(?<![A-Za-z0-9_-])[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}+",
    ),
    ("telegram-token", (":",), r"(?<!\d)\d{8,10}:[0-9A-Za-z_-]{35}"),
    (
        "aws-key-id",
        ("a3t", "abia", "acca", "akia", "asia"),
        _B + r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}" + _E,
    ),
    (
        "aws-secret-key",
        ("aws",),
        (
            r"(?i:aws)[^\n]{0,20}?(?i:key|pwd|pw|pass|token)[^\n]{0,24}?(?<![A-Za-z0-9/+])([0-9A-Za-z/+]{40})"
            r"(?![A-Za-z0-9/+=])"
        ),
    ),
    ("google-key", ("aiza",), r"AIza[0-9A-Za-z_-]{35,}+"),
    ("google-oauth", ("ya29.",), r"ya29\.[0-9A-Za-z_-]{20,}+"),
    ("google-oauth", ("gocspx-",), r"GOCSPX-[0-9A-Za-z_-]{20,}+"),
    ("google-oauth", ("1//0",), _B + r"1//0[0-9A-Za-z_-]{30,}+"),
    ("azure-key", ("accountkey=",), r"(?i:AccountKey)=([A-Za-z0-9+/=]{40,}+)"),
    ("azure-key", ("sharedaccesskey=",), r"(?i:SharedAccessKey)=([A-Za-z0-9+/=]{40,}+)"),
    ("azure-key", ("sig=",), r"[?&;]sig=([A-Za-z0-9%+/]{40,}+(?:=|%3[Dd])?)"),
    ("azure-secret", ("8q~",), _B + r"[\w~.-]{3}8Q~[\w~.-]{31,}+"),
    ("stripe-key", ("k_live_", "k_test_"), _B + r"[srp]k_(?:live|test)_[0-9A-Za-z]{16,}+"),
    ("stripe-key", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,}+={0,2}"),
    ("twilio-key", ("ac", "sk"), _B + r"(?:AC|SK)[a-z0-9]{32}" + _E),
    ("sendgrid-key", ("sg.",), _B + r"SG\.[\w-]{16,64}\.[\w-]{32,}+"),
    ("mailchimp-key", ("-us",), _B + r"[0-9a-z]{32}-us\d{1,2}"),
    ("mailgun-key", ("key-",), _B + r"key-[0-9a-f]{32}" + _E),
    ("resend-key", ("re_",), _B + r"re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}+"),
    ("square-token", ("sq0",), r"sq0[a-z]{3}-[0-9A-Za-z\\_-]{22,}+"),
    ("shopify-token", ("shp",), _B + r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32,}+"),
    ("npm-token", ("npm_",), _B + r"npm_[A-Za-z0-9]{36,}+"),
    ("npm-token", ("_authtoken",), r"_authToken\s{0,3}=\s{0,3}[\"']?(?!\$\{|\[REDACTED)([^\s\"']{8,}+)"),
    ("pypi-token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{50,}+"),
    ("cargo-token", ("cio",), _B + r"cio[A-Za-z0-9]{32}" + _E),
    ("rubygems-key", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    ("docker-token", ("dckr_",), r"dckr_[a-z]{3}_[\w-]{20,}+"),
    ("digitalocean-token", ("_v1_",), r"do[opr]_v1_[0-9a-f]{40,}+"),
    ("linear-key", ("lin_",), r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}+"),
    ("notion-token", ("ntn_",), _B + r"ntn_[A-Za-z0-9]{40,}+"),
    ("notion-token", ("secret_",), _B + r"secret_[A-Za-z0-9]{43}" + _E),
    ("databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d{1,2})?"),
    ("atlassian-token", ("atatt3",), r"ATATT3[\w=-]{50,}+"),
    ("airtable-token", ("pat",), _B + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("figma-token", ("figd_",), r"figd_[\w-]{20,}+"),
    ("postman-key", ("pmak-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("grafana-token", ("glsa_", "glc_"), r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{40,}+=*"),
    ("newrelic-key", ("nrak-",), r"NRAK-[A-Z0-9]{27}"),
    ("sentry-token", ("sntr",), r"sntry[us]_[\w+/=-]{40,}+"),
    ("doppler-token", ("dp.",), _B + r"dp\.[a-z]{2,5}\.[\w.-]{40,}+"),
    ("vault-token", ("hv",), _B + r"hv[sbr]\.[\w-]{24,}+"),
    ("heroku-key", ("hrku-",), r"HRKU-[\w-]{30,}+"),
    ("supabase-key", ("sbp_", "sb_secret_"), _B + r"(?:sbp_[0-9a-f]{40,}+|sb_secret_[\w-]{20,}+)"),
    ("planetscale-token", ("pscale_",), r"pscale_[a-z]{2,5}_[\w.-]{30,}+"),
    ("tailscale-key", ("tskey-",), r"tskey-[a-z]{2,10}-[\w-]{16,}+"),
    ("dropbox-token", ("sl.",), _B + r"sl\.[\w-]{100,}+"),
    ("age-key", ("age-secret-key-",), r"(?i:AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40,}+)"),
    (
        "artifactory-key",
        ("akc", "ap"),
        _B
        + r"(?:AKC(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{10,}+"
        # APA91b... is the address of a device in Firebase
        + r"|AP(?!A91b)[0-9A-F](?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{20,}+)",
    ),
    ("softlayer-key", ("api.softlayer.com",), r"(?i)api\.softlayer\.com/soap/v[\d.]+/([a-z0-9]{64})"),
    ("jwt", ("eyj",), _B + r"eyJ[A-Za-z0-9_=-]{2,}+(?:\.[A-Za-z0-9_.+/=-]+)"),
    (
        "seed-phrase",
        ("phrase", "mnemonic"),
        (
            r"(?i:(?:seed|recovery|backup) phrase|mnemonic)(?:\s{0,3}[:=]|\s+is)?\s{1,3}"
            r"((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b"
        ),
    ),
)

SPREAD_KINDS = frozenset({"private-key", "aws-secret-key", "npm-token", "slack-token", "jwt", "seed-phrase"})
"""Kinds that may contain blanks or be shorter than `MIN_DENSE_LENGTH`; others are within a long word."""

MIN_DENSE_LENGTH = 13
"""The fewest consecutive characters without a blank of every other kind."""
