"""The processes that mutants are tried in, as the one sees them that tells them what to try."""

from tests.harness.injected_programs import RUNNER, printed_by

PROGRAM = (
    RUNNER
    + """
visit = places.fork("here", Tests().prepare, 3)
if visit is not None:
    be_tried(Tests(), Switches(), visit)
templates = places.idle["here"]
{act}
"""
)
ASK = """
def order(template, tests, since=None):
    wanted = {"mutant": 1, "canary": False, "tests": tests, "limit_s": 60, "cpu_s": 60, "since": since, "spare": False}
    assert template.send(wanted)

def answered(template):
    answer = None
    while answer is None:
        answer = template.received()
    return answer.get("ended"), answer.get("at")

def asked(template, tests, since=None):
    order(template, tests, since)
    return answered(template)
"""


def told(tmp_path, act):
    return printed_by(tmp_path, PROGRAM.replace("{act}", ASK + act))


def test_each_goes_when_it_is_told_to_however_many_there_are(tmp_path):
    assert told(tmp_path, "print(json.dumps([template.close() for template in templates]))") == [True, True, True]


def test_several_answer_at_the_same_time_each_with_its_own(tmp_path):
    act = """
print(json.dumps([asked(templates[0], [1, 2]), asked(templates[1], [3, 5, 6]), asked(templates[2], [4]), asked(templates[0], [5])]))
"""
    assert told(tmp_path, act) == [["passed", 2], ["failed", 5], ["passed", 4], ["failed", 5]]


def test_one_that_is_killed_takes_none_of_the_others_with_it(tmp_path):
    act = """
order(templates[0], [8])
os.kill(int(os.read(said, 20)), signal.SIGKILL)
os.write(release, b".")
print(json.dumps([answered(templates[0]), asked(templates[1], [1]), asked(templates[2], [2])]))
"""
    assert told(tmp_path, act) == [[None, None], ["passed", 1], ["passed", 2]]


def test_orders_that_come_while_one_is_followed_are_followed_after_it(tmp_path):
    act = """
one = templates[0]
order(one, [8, 1])
order(one, [3, 5, 6])
order(one, [4])
before = one.received()
os.write(release, b".")
print(json.dumps([before, answered(one), answered(one), answered(one), one.received()]))
"""
    assert told(tmp_path, act) == [None, ["passed", 1], ["failed", 5], ["passed", 4], None]


def test_what_is_given_up_is_what_is_being_followed_alone(tmp_path):
    act = """
one = templates[0]
order(one, [8, 1])
one.give_up()
order(one, [4])
print(json.dumps([answered(one)[0], answered(one)]))
"""
    assert told(tmp_path, act) == ["timeout", ["passed", 4]]


def test_one_that_is_let_go_ends_what_it_has_begun_and_begins_nothing_more(tmp_path):
    act = """
one = templates[0]
order(one, [8, 1])
order(one, [7])
print(json.dumps([one.close(), os.path.exists(sys.argv[1] + "/outside")]))
"""
    assert told(tmp_path, act) == [True, False]


def test_what_others_could_notice_is_given_up_only_beside_others(tmp_path):
    act = """
first = asked(templates[0], [1, 7, 2], since=0)
there = os.path.exists(sys.argv[1] + "/outside")
print(json.dumps([first, there, asked(templates[0], [1, 7, 2]), os.path.exists(sys.argv[1] + "/outside")]))
"""
    assert told(tmp_path, act) == [["shared", 7], False, ["passed", 2], True]


def test_one_whose_pipes_were_taken_away_takes_no_orders_and_writes_nowhere(tmp_path):
    act = """
mine = os.open(sys.argv[1] + "/mine", os.O_RDWR | os.O_CREAT)
os.dup2(mine, templates[0]._orders)
print(json.dumps([templates[0].send({}), templates[0].received(), os.fstat(mine).st_size]))
"""
    assert told(tmp_path, act) == [False, {}, 0]
