"""Several processes that mutants are tried in, as the run of the tests sees them."""

import pytest

from tests.harness.injected_programs import RUNNER, printed_by

PROGRAM = (
    RUNNER
    + """
from verify_lsp_crew import TESTS, Crew
from verify_lsp_template import Template
visit = places.fork(TESTS, Tests().prepare, 2)
if visit is not None:
    be_tried(Tests(), Switches(), visit)
crew = Crew(2, places.idle, time.monotonic() + 60)
crew.note(1.0)
answers = {}

def job(name, *orders, mutant=1):
    for tests in orders:
        answer = yield {
            "place": TESTS, "beside": True, "mutant": mutant, "canary": False, "tests": tests, "usual_s": USUAL_S,
            "limit_s": 50, "cpu_s": 50,
        }
        answers.setdefault(name, []).append(answer and answer["ended"])

def kill():
    "End the process that has forked the one which holds; that one goes on, and has nobody to tell."
    os.kill(int(os.read(said, 20)), signal.SIGKILL)
    os.write(release, b".")

USUAL_S = 0.01

sent = []
send = Template.send
def noting(template, order):
    sent.append(order["tests"])
    return send(template, order)
Template.send = noting
"""
)


def told(tmp_path, act):
    return printed_by(tmp_path, PROGRAM + act + "\nplaces.close()\nprint(json.dumps(answers))\n")


def test_while_the_tests_run_one_process_is_given_the_next_orders_before_it_has_done_the_first(tmp_path):
    act = """
for name, tests in (("held", [8]), ("failing", [5]), ("passing", [1])):
    crew.add(job(name, tests, [2]))
    crew.look()
assert len(places.idle[TESTS]) == 1, "the other one is left alone"
os.write(release, b".")
while len(answers) < 3:
    crew.look()
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {
        "held": ["passed", "passed"],
        "failing": ["failed", "passed"],
        "passing": ["passed", "passed"],
    }


def test_what_waits_behind_one_that_loses_its_process_is_done_by_another(tmp_path):
    act = """
for name, tests in (("lost", [8]), ("failing", [5]), ("passing", [1])):
    crew.add(job(name, tests))
    crew.look()
kill()
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {"lost": [None], "failing": ["failed"], "passing": ["passed"]}


def test_where_no_process_is_left_nothing_is_waited_for(tmp_path):
    act = """
for name in ("first", "second"):
    crew.add(job(name, [8]))
    crew.look()
    kill()
    while name not in answers:
        crew.look()
crew.add(job("third", [1], [2]))
crew.look()
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {"first": [None], "second": [None], "third": [None, None]}


def test_what_must_run_alone_is_not_begun_when_the_time_is_over(tmp_path):
    act = """
crew = Crew(2, places.idle, time.monotonic() - 1)
crew.solitary.add(1)
crew.add(job("alone", [1], [2]))
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {"alone": [None, None]}


@pytest.mark.parametrize("seconds", ["0.2", "float('inf')"])
def test_what_takes_long_is_not_put_behind_anything(tmp_path, seconds):
    act = f"""
crew.add(job("held", [8]))
crew.look()
USUAL_S = {seconds}
crew.add(job("long", [1]))
crew.look()
assert not crew.has_room, "more tests may be known of what is taken on later"
os.write(release, b".")
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {"held": ["passed"], "long": ["passed"]}


def test_while_all_tests_are_quick_an_order_waits_until_more_is_known_of_it(tmp_path):
    act = """
crew = Crew(2, places.idle, time.monotonic() + 60)
crew.note(0.001)
for name, tests in (("held", [8]), ("later", [1])):
    crew.add(job(name, tests))
    crew.look()
assert sent == [[8]]
os.write(release, b".")
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {"held": ["passed"], "later": ["passed"]}


def test_what_two_ask_for_without_a_mutant_is_run_once_and_told_to_both(tmp_path):
    act = """
crew.add(job("one", [8, 5], mutant=None))
crew.look()
for name, mutant in (("another", None), ("mutated", 1), ("third", None)):
    crew.add(job(name, [8, 5], mutant=mutant))
os.write(release, b"..")
crew.finish(0.0)
assert sent == [[8, 5], [8, 5]]
"""
    assert told(tmp_path, act) == {
        "one": ["failed"],
        "another": ["failed"],
        "third": ["failed"],
        "mutated": ["failed"],
    }


def test_when_the_tests_have_ended_the_longest_begins_first(tmp_path):
    act = """
for seconds, test in ((0.1, 1), (0.3, 2), (0.2, 3)):
    USUAL_S = seconds
    crew.add(job(str(test), [test]))
crew.finish(0.0)
assert sent == [[2], [3], [1]]
"""
    assert told(tmp_path, act) == {"1": ["passed"], "2": ["passed"], "3": ["passed"]}


def test_while_others_make_their_reports_no_more_than_a_fair_share_is_handed_out(tmp_path):
    act = """
for number in range(8):
    crew.add(job(str(number), [number % 5]))
crew.go_on()
assert len(sent) == 4, "half of them, for one of two processors"
crew.finish(0.0)
"""
    assert told(tmp_path, act) == {str(number): ["passed"] for number in range(8)}
