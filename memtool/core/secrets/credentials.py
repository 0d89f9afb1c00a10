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
    (  # DER and OpenSSH keys in base64 without their header: version 0, or the magic of OpenSSH
        "encoded-key",
        ("iba", "mc4caqawbqy", "mighageam", "b3blbnnzac1rzxkt"),
        _B
        + r"(?:MII[A-Za-z0-9+/]{2,3}IBA(?:AKC|AKB|DANB)|MC4CAQAwBQYDK2Vw|MIGHAgEAM|b3BlbnNzaC1rZXkt)[A-Za-z0-9+/]{20,}+=*",
    ),
    (  # a PEM file in base64, as in kubeconfig's `client-key-data`: the words PRIVATE KEY at each alignment
        "encoded-key",
        ("ls0tls1crudjti",),
        _B
        + r"LS0tLS1CRUdJTi(?=[A-Za-z0-9+/]{0,40}(?:UFJJVkFURSBL|BSSVZBVEUgS0|QUklWQVRFIEtF))[A-Za-z0-9+/]{30,}+=*",
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
        r"gl(?:pat|dt|ft|soat|rtr|rt|cbt|imt|ptt|agent|oas|ffct|wt)-[A-Za-z0-9_-]{20,}+",
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
    (
        "aws-secret-key",
        ("akia", "asia"),
        (
            _B + r"(?:AKIA|ASIA)[0-9A-Z]{16}[\s\S]{1,80}?(?<![A-Za-z0-9/+=])(?=[a-z0-9/+]{0,39}[A-Z])"
            r"([0-9A-Za-z/+]{40})(?![A-Za-z0-9/+=])"
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
    ("stripe-key", ("k_live_", "k_test_", "k_prod_"), _B + r"[sr]k_(?:live|test|prod)_[0-9A-Za-z]{16,}+"),
    ("stripe-key", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,}+={0,2}"),
    ("twilio-key", ("ac", "sk"), _B + r"(?:AC|SK)[a-z0-9]{32}" + _E),
    ("sendgrid-key", ("sg.",), _B + r"SG\.[\w-]{16,64}\.[\w-]{32,}+"),
    ("mailchimp-key", ("-us",), _B + r"[0-9a-z]{32}-us\d{1,2}"),
    ("mailgun-key", ("key-",), _B + r"key-[0-9a-f]{32}" + _E),
    ("resend-key", ("re_",), _B + r"re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}+"),
    ("square-token", ("sq0",), r"sq0[a-z]{3}-[0-9A-Za-z\\_-]{22,}+"),
    ("shopify-token", ("shp",), _B + r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32,}+"),
    ("npm-token", ("npm_",), _B + r"npm_[A-Za-z0-9]{36,}+"),
    ("npm-token", ("_authtoken",), r"_authToken\s{0,3}[=\s]\s{0,3}[\"']?(?!\$\{|\[REDACTED)([^\s\"']{8,}+)"),
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
        "aws-session-token",
        ("iqojb3jpz2lu", "fwogzxiv"),
        _B + r"(?:IQoJb3JpZ2lu|FwoGZXIv)[A-Za-z0-9+/=_-]{80,}+",
    ),
    (
        "bedrock-key",
        ("absk", "bedrock-api-key-"),
        _B + r"(?:ABSK[A-Za-z0-9+/]{60,}+=*|bedrock-api-key-[\w+/=-]{30,}+)",
    ),
    ("aws-mws-token", ("amzn",), r"amzn\.mws\.[0-9a-f-]{36}|amzn1\.oa2-cs\.v1\.[0-9a-f]{40,}+"),
    ("amazon-token", ("atz",), r"Atz[ar]\|[\w+/=-]{40,}+"),
    ("alibaba-key-id", ("ltai",), _B + r"LTAI[A-Za-z0-9]{12,30}" + _E),
    ("tencent-key-id", ("akid",), _B + r"AKID(?=[A-Za-z]{0,32}\d)[A-Za-z0-9]{32}" + _E),
    (
        "yandex-key",
        ("aqvn", "y0_", "y1_", "t1."),
        _B + r"(?:AQVN[\w-]{35,40}+|y[013]_[\w-]{30,}+|t1\.[A-Z0-9a-z_-]+={0,2}\.[\w-]{86})",
    ),
    ("google-key", ("aq.ab",), _B + r"AQ\.Ab[\w-]{40,}+"),
    ("firebase-key", ("aaaa",), _B + r"AAAA[\w-]{7}:[\w-]{120,}+"),
    ("azure-devops-token", ("azdo",), _B + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" + _E),
    (
        "microsoft-webhook",
        ("webhook.office.com", "logic.azure.com"),
        r"https://[\w.-]+\.(?:webhook\.office|logic\.azure)\.com[:/][^\s\"'<>]{30,}+",
    ),
    ("meta-token", ("eaa",), r"(?<![\w+/.-])EAA[A-Za-z0-9]{60,}+|" + _B + r"EAAA[\w-]{50,}+"),
    ("meta-token", ("|",), r"(?<!\d)\d{15,16}\|[\w-]{27,40}(?![\w-])"),
    (
        "paypal-token",
        ("access_token$", "a21aa"),
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}|" + _B + r"A21AA[\w-]{60,}+",
    ),
    (
        "plaid-token",
        ("access-",),
        _B + r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    ("razorpay-key", ("rzp_",), r"rzp_(?:live|test)_[A-Za-z0-9]{14,}+"),
    ("easypost-key", ("ezak", "eztk"), _B + r"EZ[AT]K[A-Za-z0-9]{50,}+"),
    ("flutterwave-key", ("flwsec",), r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}+(?:-X)?"),
    ("duffel-token", ("duffel_",), r"duffel_(?:test|live)_[\w=-]{40,}+"),
    ("shippo-token", ("shippo_",), r"shippo_(?:live|test)_[0-9a-fA-F]{40}"),
    ("brevo-key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[0-9a-f]{40,}+-[A-Za-z0-9]{10,}+"),
    ("mailersend-key", ("mlsn.",), _B + r"mlsn\.[0-9a-f]{60,}+"),
    ("intercom-token", ("dg9rom",), _B + r"dG9rOm[A-Za-z0-9+/=]{40,}+"),
    ("hubspot-token", ("pat-",), _B + r"pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ("salesforce-token", ("00d",), _B + r"00D[A-Za-z0-9]{12,15}![\w.]{60,}+"),
    ("zoho-token", ("1000.",), _B + r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    ("zapier-webhook", ("hooks.zapier.com",), r"https://hooks\.zapier\.com/hooks/catch/\d+/\w{5,}+"),
    (
        "ifttt-webhook",
        ("maker.ifttt.com",),
        r"maker\.ifttt\.com/trigger/[\w{}-]{1,80}/(?:json/)?with/key/([\w-]{10,}+)",
    ),
    (
        "feishu-webhook",
        ("/bot/v2/hook/",),
        r"https://open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/[\w-]{20,}+",
    ),
    ("dingtalk-secret", ("sec",), _B + r"SEC[0-9a-f]{64}" + _E),
    ("vk-token", ("vk1.a.",), r"vk1\.a\.[\w-]{60,}+"),
    ("pushbullet-token", ("o.",), _B + r"o\.(?=[A-Za-z]{0,32}\d)[A-Za-z0-9]{32}" + _E),
    (
        "bitbucket-token",
        ("atbb", "atctt3", "bbdc-"),
        _B + r"(?:ATBB[A-Za-z0-9_=.-]{24,}+|ATCTT3[\w=-]{50,}+|BBDC-[A-Za-z0-9+/@_-]{36,}+)",
    ),
    ("asana-token", ("1/", "2/"), _B + r"[12]/\d{15,17}(?:/\d{15,17})?:[0-9a-f]{32}" + _E),
    ("clickup-token", ("pk_",), _B + r"pk_\d{5,10}_[A-Z0-9]{32}" + _E),
    ("contentful-token", ("cfpat-",), r"CFPAT-[\w-]{40,}+"),
    (
        "newrelic-key",
        ("nrii-", "nrjs-", "nriq-", "nrra-", "nrsp-", "nral"),
        _B + r"NR(?:II|IQ|RA|SP|JS)-[\w-]{19,}+|[0-9a-f]{36}NRAL",
    ),
    ("dynatrace-token", ("dt0",), r"dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    ("grafana-token", ("eyjrijoi",), _B + r"eyJrIjoi[A-Za-z0-9+/]{50,}+={0,2}"),
    ("honeycomb-key", ("hc",), _B + r"hc[abm](?:ik|mk|lk)_[A-Za-z0-9_]{30,}+"),
    ("snyk-token", ("snyk_",), r"snyk_[su]at\.[\w.-]{20,}+"),
    ("sonar-token", ("sq",), _B + r"sq[apu]_[0-9a-f]{40}" + _E),
    ("sourcegraph-token", ("sgp_",), _B + r"sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}"),
    ("octopus-key", ("api-",), _B + r"API-[A-Z0-9]{25,27}" + _E),
    ("openshift-token", ("sha256~",), r"sha256~[\w-]{43}"),
    ("harness-key", ("pat.", "sat."), _B + r"[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("terraform-token", (".atlasv1.",), _B + r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}+"),
    ("pulumi-token", ("pul-",), _B + r"pul-[0-9a-f]{40}"),
    (
        "1password-token",
        ("ops_eyj", "a3-"),
        r"ops_eyJ[\w+/=-]{60,}+|"
        + _B
        + r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"
        + _E,
    ),
    (
        "bitwarden-token",
        ("0.",),
        _B + r"0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{20,}+={0,2}",
    ),
    ("infisical-token", ("st.",), _B + r"st\.[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    ("fly-token", ("fo1_", "fm1", "fm2_"), _B + r"(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{60,}+=*)"),
    ("cloudflare-key", ("v1.0-",), _B + r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}+"),
    ("clickhouse-key", ("4b1d",), _B + r"4b1d(?=[A-Za-z0-9]{0,38}[A-Z])[A-Za-z0-9]{38}" + _E),
    ("clojars-token", ("clojars_",), r"(?i:CLOJARS_[a-z0-9]{60})"),
    ("nuget-key", ("oy2",), _B + r"oy2(?=[a-z]{0,43}\d)[a-z0-9]{43}" + _E),
    ("artifactory-key", ("cmvmd",), _B + r"cmVmd[A-Za-z0-9]{59}" + _E),
    ("maxmind-key", ("_mmk",), _B + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    ("inngest-key", ("signkey-",), r"signkey-[a-z]{2,10}-[0-9a-f]{32,}+"),
    ("readme-key", ("rdme_",), r"rdme_[a-z0-9]{70}"),
    ("apify-token", ("apify_api_",), r"apify_api_[A-Za-z0-9]{30,}+"),
    ("e2b-key", ("e2b_",), _B + r"e2b_[0-9a-f]{40,}+"),
    ("buildkite-token", ("bkua_",), _B + r"bkua_[0-9a-f]{40}" + _E),
    ("firecrawl-key", ("fc-",), _B + r"fc-[0-9a-f]{32}" + _E),
    ("wandb-key", ("wandb_v1_",), r"wandb_v1_\w{40,}+"),
    ("elevenlabs-key", ("sk_",), _B + r"sk_[0-9a-f]{40,}+" + _E),
    ("fal-key", (":",), _B + r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{32}" + _E),
    ("intra42-secret", ("s-s4t2",), r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),
    ("adobe-secret", ("p8e-",), _B + r"p8e-[A-Za-z0-9_-]{30,}+"),
    ("nostr-key", ("nsec1",), _B + r"nsec1[02-9ac-hj-np-z]{58}"),
    ("extended-private-key", ("prv",), _B + r"[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,}+"),
    (
        "password-hash",
        ("$",),
        r"\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[156]\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]+\$[./A-Za-z0-9]{43}|argon2(?:id?|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{20,}+)",
    ),
    ("lob-key", ("live_", "test_"), _B + r"(?:live|test)_[0-9a-f]{35}" + _E),
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
