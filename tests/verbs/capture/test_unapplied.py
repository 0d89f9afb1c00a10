"""scan: what it says of a correction that superseded no stored fact."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from memtool.core.capture.near_memory import nearness
from memtool.core.text.discourse import without_opening
from tests.hooks import context_of, prompt
from tests.trees import make, memtool

DOCTOR = "- [context] My doctor is Dr. Ray. Her practice is on Hill Road. ^m-0123456789ab\n"
CORRECTION = "Actually, my doctor is Dr. Singh"


@pytest.fixture
def root(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": f"# Facts\n\n{DOCTOR}"}
    return make(tmp_path / "w", files)


def scanned(root, message, *options):
    result = memtool(*options, "scan", "-m", message, home=root.parent, cwd=root)
    assert result.returncode == 0
    return result.stderr


def test_a_correction_that_superseded_nothing_names_the_facts_that_it_may_be_about(root):
    said = scanned(root, CORRECTION)
    assert len(said.splitlines()) == 1
    assert "did not replace any statement in memory" in said
    assert 'run memtool facts edit m-0123456789ab "TEXT"' in said
    assert "forget" not in said  # the fact says more than what is corrected


def test_a_correction_that_superseded_nothing_says_whether_it_is_stored_itself(root):
    planned = memtool("scan", "--dry-run", "-m", CORRECTION, home=root.parent, cwd=root).stderr
    assert f"the sentence '{CORRECTION}' would not replace any statement in memory; if" in planned
    said = scanned(root, CORRECTION)
    assert f"the sentence '{CORRECTION}' was stored, but did not replace any statement in memory; if" in said
    scanned(root, "Always cite sources in APA style.")
    said = scanned(root, "Sorry, I meant MLA style, not APA style.")
    assert "was not stored as a fact and did not replace any statement in memory; if it corrects rule" in said


def test_a_rule_that_says_instead_names_the_rule_that_it_may_stand_for(root):
    scanned(root, "From now on, always answer letters to the landlord in English.")
    said = scanned(root, "From now on, answer in German instead.")
    assert "did not replace any other rule; if it should replace r-" in said
    assert "letters to the landlord" in said
    assert "run memtool rules archive r-" in said
    assert not scanned(root, "From now on, answer in French instead.")


def test_a_line_of_long_term_memory_is_named_by_its_place(root):
    scanned(root, "Remember that the kiln and the wheel are in Hall 3")
    said = scanned(root, "Actually, the kiln and the oven are in Hall 4")
    assert "MEMORY.md:" in said


@pytest.mark.parametrize(
    ("known", "correction"),
    [
        ("My dog is a poodle", "Actually my dog is a labradoodle"),
        ("My dog is friendly", "Actually, my dog is aggressive"),
        ("My son is in hospital", "Actually, my son is at home"),
    ],
)
def test_another_value_that_may_be_true_besides_is_said_to_correct_nothing(root, known, correction):
    scanned(root, known)
    said = scanned(root, correction)
    assert f"if it corrects m-{said.partition(' m-')[2][:12]} ('{known}" in said
    assert "facts edit" in said


@pytest.mark.parametrize("message", ["Actually, make the header blue", "Stop apologising.", "My name is Rob"])
def test_nothing_is_said_where_nothing_stored_is_near(root, message):
    assert scanned(root, message) == ""


@pytest.mark.parametrize(
    "message", ["Actually, my budgie is green", "Actually, my doctor is Dr. Ray, not Dr. Lee."]
)
def test_a_stored_correction_without_a_near_fact_is_said_to_replace_nothing(root, message):
    said = scanned(root, message)
    assert said.endswith("did not replace any statement in memory (see memtool facts list)\n")
    assert scanned(root, message) == ""  # it is known by now


@pytest.mark.parametrize(
    ("known", "correction"),
    [
        ("I cycle to work now, an old red Gazelle called Bertha", "Actually, I take the tram to work."),
        ("I cycle to work", "Actually, I usually walk to work."),
        ("I grow tomatoes on the balcony", "Sorry, I rent that balcony from a neighbour."),
        ("I sleep in the attic", "I meant I sleep badly"),
        ("Ich fahre mit dem Rad zur Arbeit", "Eigentlich nehme ich die Straßenbahn zur Arbeit."),
        ("J'habite à Lyon près du parc", "En fait, je travaille près du parc"),
    ],
)
def test_a_correction_about_the_user_names_the_fact_with_a_word_of_it(root, known, correction):
    scanned(root, known)
    assert f"if it corrects m-{facts(root)[known]} (" in scanned(root, correction)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ("My sister works in Ghent", "Actually, I take the tram to work."),
        ("I cycle to work", "Actually, could you draft the email for work?"),
        ("I cycle to work", "No, the second one for work"),
        ("I cycle to work", "Sorry, one more question about work"),
        ("I run a bakery", "Actually, I need the script to run on Linux"),
        ("I have a blue bike", "No, I want the header in blue"),
        ("I work at Acme", "No, I want you to work on the second chapter"),
        ("I always harvest in late July", "Actually, I always sing in the bath"),
        ("I know Italian from school", "Actually, I know our landlord"),
        ("I cycle to work", "I work at Acme now"),
    ],
)
def test_a_correction_of_a_task_or_with_another_subject_names_no_fact(root, known, message):
    scanned(root, known)
    assert facts(root)[known]
    said = memtool("scan", "-m", message, home=root.parent, cwd=root).stderr
    assert "if it corrects" not in said


def facts(root):
    """The digests of the active facts by their text."""
    rows = memtool("facts", home=root.parent, cwd=root).stdout.splitlines()
    return {row.split("\t")[-1]: row[2:14] for row in rows}


def test_what_says_itself_that_something_ended_is_not_named_for_an_ending(root):
    scanned(root, "We sold the Volvo and bought an electric van.")
    said = scanned(root, "We no longer park the Volvo outside.")
    assert "forget" not in said


def test_a_correction_says_once_what_it_superseded(root):
    scanned(root, "I live in Oslo.")
    said = scanned(root, "Actually, I live in Bergen now")
    assert said == "memtool: 'I live in Oslo.' was superseded by 'I live in Bergen now'\n"
    assert scanned(root, "Actually, I live in Bergen now") == ""


def test_the_end_of_something_is_said_to_have_superseded_it(root):
    scanned(root, "I play the piano")
    assert scanned(root, "I don't play the piano any more") == "memtool: 'I play the piano' was superseded\n"


def test_a_correction_with_both_values_says_that_it_superseded_nothing_and_whether_it_is_stored(root):
    said = scanned(root, "I meant the second function, not the first")
    assert "no stored fact contains 'first'" in said
    assert "was not stored as a fact and did not replace any statement in memory: " in said
    said = scanned(root, "Actually, we moved to Bruges, not Ghent")
    assert "was stored, but did not replace any statement in memory: no stored fact contains 'Ghent'" in said
    assert "moved to Bruges" in (root / "memory/semantic/facts.md").read_text()


def test_a_fact_of_another_owner_is_named_with_the_command_for_that_owner(root):
    memtool("--user", "root", "save", "My dentist Dr. Mora is in on Fridays", home=root.parent, cwd=root)
    said = scanned(root, "Correction: the dentist works on Mondays, not Fridays")
    assert "of user root" in said
    assert "memtool --user root facts edit m-" in said
    other = scanned(root, "Correction: the dentist works on Mondays, not Fridays", "--user", "ann")
    assert "Mora" not in other


def test_a_correction_without_a_user_says_whose_memory_it_contradicts(root):
    scanned(root, "we moved to Lisbon in May", "--user", "root")
    said = scanned(root, "Actually, we moved to Porto, not Lisbon")
    assert "user root" in said
    scanned(root, "Actually, we moved to Porto, not Lisbon", "--user", "root")
    facts = (root / "memory/semantic/facts.md").read_text()
    assert "LIVES_IN Porto" in facts


def test_a_contradiction_of_two_values_is_recorded_though_it_supersedes_nothing(root):
    scanned(root, "No, she works on Mondays, not Fridays")
    assert "**correction**: No, she works on Mondays" in (root / "SESSION-STATE.md").read_text()


def test_an_ending_that_is_only_near_a_fact_names_it(root):
    scanned(root, "We have two cats at home")
    said = scanned(root, "I no longer have time to feed the cats. I live in Oslo.")
    assert "We have two cats at home" in said
    assert "memtool facts edit m-" in said
    assert "facts forget" not in said  # it says more than what is near it


def test_a_fact_about_another_thing_with_the_same_value_is_not_named(root):
    memtool("save", "My brother Ben lives in Ghent", home=root.parent, cwd=root)
    memtool("save", "The oven in Ghent was sold in 2019", home=root.parent, cwd=root)
    said = scanned(root, "The spare laptop is kept in Bruges, not Ghent")
    assert "Ben" not in said
    assert "oven" not in said


def test_nothing_is_said_with_quiet(root):
    assert scanned(root, CORRECTION, "-q") == ""


def test_the_rule_with_the_old_value_is_named_with_its_command(root):
    scanned(root, "Always cite sources in APA style.")
    said = scanned(root, "Sorry, I meant MLA style, not APA style.")
    assert "no stored fact contains" not in said
    assert "if it corrects rule" in said
    assert "'Always cite sources in APA style.'" in said
    assert "run memtool rules edit r-" in said
    other = scanned(root, "Sorry, I meant the second chapter, not the first chapter.")
    assert "rules edit" not in other
    assert "no stored fact contains" in other


@pytest.mark.parametrize("message", [CORRECTION, "Forget my doctor", "Forget that my doctor is Dr. Ray"])
@pytest.mark.parametrize("is_within", [True, False])
def test_a_command_that_a_hook_names_runs_in_the_folder_of_the_agent(root, message, is_within):
    folder = root / "memory" if is_within else root.parent
    told = json.dumps(prompt(message, cwd=str(folder)))
    result = memtool("--root", str(root), "hook", stdin=told, home=root.parent, cwd=root.parent)
    named = re.search(r"run (memtool .*?) ?facts (?:edit|forget) m-", context_of(result.stdout.encode()))
    assert shlex.split(named[1]) == (["memtool"] if is_within else ["memtool", "--root", str(root)])


def test_a_command_outside_the_workspace_names_it(root):
    said = memtool("--root", str(root), "scan", "-m", CORRECTION, home=root.parent, cwd=root.parent).stderr
    assert f'run memtool --root {root} facts edit m-0123456789ab "TEXT"' in said


def test_a_hook_says_nothing(root):
    told = json.dumps(prompt(CORRECTION))
    result = memtool("hook", stdin=told, home=root.parent, cwd=root)
    assert "nothing was replaced" not in result.stdout + result.stderr
    assert CORRECTION in (root / "SESSION-STATE.md").read_text()


@pytest.mark.parametrize(
    ("correction", "text", "shared"),
    [
        ("Actually, Lena lives in Bergen", "My sister Lena has a cat", 0),
        ("Actually, Lena lives in Bergen", "My sister Lena lives with Tom in a flat in Oslo", 2),
        ("Lena Holm sings in a choir now", "Lena Holm is my dentist", 0),
        ("Rex sleeps in the kitchen now", "My dog Rex is allergic to chicken", 0),
        ("Rex is in the kitchen now", "Rex is allergic to chicken", 0),
        ("Rex is allergic to beef now", "Rex is allergic to chicken", 2),
        ("No, my dog is brown", "My dog is black", 1),
        ("Actually, Lena lives in Bergen", "I live in Oslo", 0),
        ("Actually, Lena lives in Bergen", "Actually, Lena lives in Bergen", 0),
        ("No, the spare key is with Tom", "The spare key is in the shed", 2),
        ("Actually", "The spare key is in the shed", 0),
    ],
)
def test_a_near_text_shares_two_content_words_or_the_subject_with_its_verb(correction, text, shared):
    assert nearness(correction, text) == shared


def prompt_of_the_next_session(root, message):
    """The context of a prompt of any subject, after the session of the message has ended."""
    memtool("scan", "-m", message, "--session", "one", home=root.parent, cwd=root)
    memtool("session-end", "--session", "one", home=root.parent, cwd=root)
    return memtool("context", "--prompt", "Write a limerick", home=root.parent, cwd=root).stdout


@pytest.mark.parametrize(
    "message",
    [
        "Actually it's Porto, not Lisbon, where I live",
        "I use they/them pronouns, not a big deal but it saves edits",
        "My daughter is called Mia, not Maya",
        "Nein, meine Schwester heißt Lena, nicht Lea",
        "No, mi hermana vive en Cádiz, no en Sevilla",
    ],
)
def test_a_correction_of_what_memory_does_not_have_is_a_statement(root, message):
    assert without_opening(message)[1:] in prompt_of_the_next_session(root, message)


@pytest.mark.parametrize(
    "message",
    [
        "No, sort by date, not by name",
        "I meant the second function, not the first",
        "It should return a list, not a tuple",
        "not red, make it blue",
        "Nein, ich meinte die zweite Zeile, nicht die erste",
    ],
)
def test_a_correction_of_a_task_is_no_statement(root, message):
    assert message not in prompt_of_the_next_session(root, message)


@pytest.mark.parametrize(
    "message",
    [
        "Actually the alarm code of our office is 9-1-7, not 9-1-8.",
        "Actually my code word is swordfish, not shark.",
        "Actually my card ends in 4242, not 4343.",
        "My boss told me: actually my salary is 50k, not 60k.",
        "Actually my salary, he wrote, is 50k, not 60k.",
    ],
)
def test_a_correction_of_a_secret_or_by_somebody_else_is_no_statement(root, message):
    assert "actually" not in prompt_of_the_next_session(root, message).lower()


@pytest.mark.parametrize(
    "message",
    [
        "I'm staying at my parents' house tonight.",
        "I'm working from my sister's flat this week.",
        "I'm alone at home tonight because my husband is in Berlin.",
    ],
)
def test_what_holds_tonight_is_held(root, message):
    assert message.rstrip(".") not in prompt_of_the_next_session(root, message)


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("We sold the house yesterday", "We sold the house yesterday"),
        ("Our dog had seven puppies this morning", "Our dog had seven puppies this morning"),
        ("We lost the Henderson contract last night", "We lost the Henderson contract last night"),
        ("I'm allergic to hazelnuts. What can I bake today?", "I'm allergic to hazelnuts."),
        ("Our kitchen has no oven. Dinner ideas for this week?", "Our kitchen has no oven"),
    ],
)
def test_news_with_the_word_of_a_day_is_kept(root, message, statement):
    assert statement in prompt_of_the_next_session(root, message)


@pytest.mark.parametrize(
    ("stated", "later", "is_settled"),
    [
        ("My sister lives in Graz.", "No, that's wrong, my sister isn't in Graz", True),
        ("My dentist is Dr Okonjo.", "Sorry, the dentist isn't Dr Okonjo, I confused names", True),
        ("Meine Schwester wohnt in Graz.", "Nein, falsch, meine Schwester wohnt gar nicht in Graz", True),
        ("My sister lives in Graz.", "No, my brother isn't in Bonn", False),
        ("My sister lives in Graz.", "My sister isn't allergic to nuts, actually", False),
        ("I play the cello in a quartet.", "Actually, the quartet meets on Mondays, not Tuesdays", False),
        ("My cat is called Otto.", "My boss is a Dane.", False),
        ("My cat is called Otto.", "My van is a blue Renault, and I love it.", False),
    ],
)
def test_an_edit_also_supersedes_a_sentence_that_only_corrected_the_fact(tmp_path, stated, later, is_settled):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    scanned(root, stated)
    scanned(root, later)
    listed = memtool("facts", home=tmp_path, cwd=root).stdout.splitlines()
    assert len(listed) == 2
    edited = memtool("facts", "edit", listed[0].split("\t")[0], "Now it is new", home=tmp_path, cwd=root)
    left = memtool("facts", home=tmp_path, cwd=root).stdout
    is_left = without_opening(later) in left
    assert ("it is superseded, too" in edited.stderr) == is_settled == (not is_left)
    memtool("undo", home=tmp_path, cwd=root)
    assert memtool("facts", home=tmp_path, cwd=root).stdout.splitlines() == listed


@pytest.mark.parametrize(
    ("stated", "later", "new", "is_settled"),
    [
        ("I paid 40 euro for the oak desk in Ennis.", "No, I paid 60 euro for the oak desk.", "", True),
        ("My Greek lesson is on Mondays at six.", "No wait, the lesson moved to Fridays.", "", True),
        ("My sister Maeve works in Galway.", "No, my sister works in Sligo.", "", True),
        ("Mein Hund Rex schläft im Keller.", "Nein, mein Hund schläft im Flur.", "", True),
        (
            "I paid 40 euro for the oak desk in Ennis.",
            "No, I paid 60 euro for the oak desk and the dealer was rude.",
            "I paid 60 euro for the oak desk in Ennis",
            False,
        ),
        (
            "My Greek lesson is on Mondays at six.",
            "No wait, the lesson moved to Fridays because the teacher has twins.",
            "My Greek lesson is on Fridays at six",
            False,
        ),
        ("My sister Maeve works in Galway.", "No, my brother works in Sligo.", "", False),
    ],
)
def test_an_edit_supersedes_a_correction_of_which_the_new_text_says_all(
    tmp_path, stated, later, new, is_settled
):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    scanned(root, stated)
    scanned(root, later)
    listed = memtool("facts", home=tmp_path, cwd=root).stdout.splitlines()
    assert len(listed) == 2
    changes = {"40": "60", "Mondays": "Fridays", "Galway": "Sligo", "Keller": "Flur"}
    text = new or " ".join(changes.get(word, word) for word in stated.strip(".").split())
    memtool("facts", "edit", listed[0].split("\t")[0], text, home=tmp_path, cwd=root)
    left = memtool("facts", home=tmp_path, cwd=root).stdout.splitlines()
    assert len(left) == (1 if is_settled else 2)


@pytest.mark.parametrize(
    ("known", "news"),
    [
        ("My shift starts at ten", "They moved my shift, the new start is at eleven"),
        ("I charge 60 an hour", "I've put my rate up to 65 an hour"),
        ("My gym membership costs 30 pounds a month", "The gym has put the membership up to 35 pounds"),
        ("Choir rehearsal is on Wednesdays", "Choir rehearsal is on Thursdays these days"),
        ("My cat is called Smudge", "We renamed the cat Pickle"),
        ("Book club meets at Anna's", "From next month book club meets at Lena's"),
        ("My boss is Martin", "Martin has been replaced by Sofia"),
        ("I work on the billing team", "I've transferred to the search team"),
        ("My car insurance costs 400 a year", "My car insurance rose to 460"),
        ("My sister lives in Lyon", "My sister relocated to Nantes"),
        ("I'm on 10 units of insulin at night", "They've bumped me up to 14 units"),
        ("The library book is due on the 3rd", "I renewed the book, so it's due on the 24th"),
        ("Dr. Patel is my GP", "Dr. Patel has retired, they gave me Dr. Lindqvist"),
        ("My boss is Karen.", "Karen left the company; Miguel is my boss now"),
        ("We have a Netflix subscription", "We cancelled Netflix and got Disney+ instead"),
        ("I go to the gym on Mondays and Wednesdays.", "I've switched my gym days to Tuesdays and Fridays"),
        ("I don't drink coffee.", "Ha, I've become a coffee person: two cups every morning"),
        ("Grandma turns 80 in June", "Mom says Grandma is turning 81, not 80"),
        ("Mein Zahnarzttermin ist am Montag um 9 Uhr", "Der Zahnarzt hat den Termin auf Dienstag verschoben"),
        ("Ich arbeite bei Siemens.", "Seit Anfang des Monats bin ich bei Bosch"),
        ("Las clases de piano son los martes", "Las clases de piano pasan a los jueves"),
        ("La boda es el 3 de mayo", "Hemos retrasado la boda al 7 de junio"),
        ("J'ai rendez-vous chez le médecin mardi à 14h", "Le médecin a décalé à mercredi 15h"),
        ("Le loyer est de 750 euros", "Le loyer passe à 780 euros à partir de janvier"),
    ],
)
def test_news_of_another_value_names_the_fact_that_it_may_make_wrong(tmp_path, known, news):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    assert not scanned(root, known)
    said = scanned(root, news)
    assert "if it corrects m-" in said
    assert repr(known) in said


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("My shift starts at ten", "We moved the sofa to the window"),
        ("I charge 60 an hour", "My plumber put his rate up to 80 an hour"),
        ("I take 50 mg of sertraline", "My mum's metoprolol went up to 100 mg"),
        ("Choir rehearsal is on Wednesdays", "I pushed the bike home from choir on Thursday"),
        ("My son is 8", "My son went to bed at 9"),
        ("My desk is in room 12", "I dropped my keys in room 15"),
        ("My brother pays 400 for rent", "My rent went up to 450"),
        ("My sister drives a Golf", "I swapped the Golf for a Skoda"),
        ("Book club meets at Anna's on Mondays", "Anna moved to Lisbon."),
        ("My mother lives in Graz.", "My mother went to Vienna for the weekend."),
        ("My sister is Karen", "Karen left the company last week"),
        ("I'm on the Spotify family plan", "I cancelled Netflix"),
        ("I don't drink coffee.", "My husband has become a coffee person"),
        ("My phone is a Pixel 8", "I dropped my phone in the sink"),
        ("Mein Zahnarzttermin ist am Montag um 9 Uhr", "Der Friseur hat den Termin auf Dienstag verschoben"),
        ("Le loyer est de 750 euros", "Le loyer de ma sœur passe à 780 euros"),
    ],
)
def test_news_of_something_else_names_no_fact(tmp_path, known, other):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    scanned(root, known)
    assert not scanned(root, other)


@pytest.mark.parametrize(
    "fragment",
    ["I loved it", "They're a handful", "They're brown", "I use an app", "I go often.", "It's 6 tenors"],
)
def test_a_sentence_that_says_nothing_alone_is_no_fact(tmp_path, fragment):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    result = memtool("scan", "-m", fragment, home=root.parent, cwd=root)
    assert "nothing was recorded" in result.stderr


@pytest.mark.parametrize("sentence", ["They are diabetic.", "They're both type 1 diabetics."])
def test_a_sentence_without_a_subject_that_is_about_health_is_a_fact(tmp_path, sentence):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    memtool("scan", "-m", sentence, home=tmp_path, cwd=root)
    assert sentence.rstrip(".") in (root / "memory/semantic/facts.md").read_text()


def test_a_year_of_one_of_two_events_is_not_replaced(root):
    fact = "I retired from the navy in 2010 and from teaching in March."
    scanned(root, fact)
    scanned(root, "Actually, I retired in 2012.")
    facts = (root / "memory/semantic/facts.md").read_text()
    assert fact.rstrip(".") in facts
    assert "navy in 2012" not in facts


def test_a_number_without_a_sentence_names_the_fact_that_it_may_correct(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    scanned(root, "We have 8 tenors")
    result = memtool("scan", "-m", "It's 6 tenors.", home=root.parent, cwd=root)
    assert "if it corrects m-" in result.stderr
    assert "'We have 8 tenors'" in result.stderr


def test_a_rule_that_lets_something_be_left_out_names_the_rule_that_demands_it(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    scanned(root, "Always answer me in bullet points.")
    said = scanned(root, "You can drop the bullet points, normal paragraphs are fine.")
    assert "'Always answer me in bullet points.'" in said
    assert "rules archive r-" in said


def test_news_beside_another_statement_that_superseded_something_names_its_fact(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    scanned(root, "I live in Leeds.")
    scanned(root, "Dr. Patel is my GP")
    said = scanned(root, "I live in York now. Dr. Patel has retired, they gave me Dr. Lindqvist.")
    assert "'I live in Leeds.' was superseded" in said
    assert "'Dr. Patel is my GP'" in said


def test_news_names_a_handwritten_line_that_it_may_make_wrong(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "- Half marathon in Leeds on 23 May 2027.\n"}
    said = scanned(make(tmp_path / "w", files), "The half marathon in Leeds has been moved to 30 May 2027")
    assert "'Half marathon in Leeds on 23 May 2027.'" in said
    assert 'facts edit MEMORY.md:1 "TEXT"' in said


@pytest.mark.parametrize(
    ("facts", "message", "expected"),
    [
        (
            (
                "I work as a pharmacist, mostly on the oncology ward.",
                "I usually go for a swim at Blackrock before work.",
            ),
            "I don't work on the oncology ward any more.",
            "pharmacist",
        ),
        (
            ("I share a flat with two people, Wes and Anjali.",),
            "Actually I no longer live with Wes, he moved out; I live with Anjali and Priya.",
            "I share a flat",
        ),
    ],
)
def test_what_follows_a_clause_about_the_user_counts_for_what_has_ended(root, facts, message, expected):
    for fact in facts:
        scanned(root, fact)
    said = scanned(root, message)
    assert "if it corrects" in said
    assert expected in said
    assert "Blackrock" not in said


def test_what_is_said_of_somebody_else_beside_the_user_is_not_what_has_ended(root):
    scanned(root, "I live in Lyon, and my sister works at Renault.")
    assert "Lyon" not in scanned(root, "I no longer work at Renault.")


def test_a_value_that_only_facts_about_something_else_have_is_said_to_be_in_none_about_the_same(root):
    scanned(root, "I work from Monday to Thursday.")
    said = scanned(root, "I moved the team lunch from Monday to Tuesday.")
    assert "no stored fact about the same thing contains 'Monday'" in said


def test_no_text_is_composed_that_lacks_a_day_of_the_correction(root):
    scanned(root, "My dose is 20 mg of sertraline.")
    said = scanned(root, "On Friday the doctor cut my dose from 20 mg to 10 mg.")
    assert '"TEXT"' in said
    assert scanned(root, "My night shift is from Tuesday to Saturday.") == ""
    assert "Friday to Saturday" not in scanned(root, "Our night shift runs from Tuesday to Friday.")
