"""When a sentence that sounds like a claim is none: the guards, each with what it guards against."""

import re
from typing import Literal, get_args

from verify_lsp.judgement.sayings.said import DeedClaim, Said

Guard = Literal["question", "honest", "negated", "intended", "conditional", "past", "reported", "hedged"]

_PAST_FAILURE = re.compile(
    r"\b(?:fix|resolv|clean|remov|address|correct|clear|silenc)\w*\s+(?:(?!(?:but|and)\b)[\w'<>:-]+\s+){0,6}?(?:errors?|warnings?|issues?|problems?|violations?)\b"
    r"|\bpassed(?:,\s*\d+\s+(?:skipped|deselected|xfailed|xpassed|warnings?|todo|pending))+|"
    r"\bfix(?:ed|es|ing)\s+(?:(?!(?:but|and|,)\b)[\w'<>:-]+\s+){0,5}?(?:fail\w*|broken|flaky|timed? ?outs?)(?:\s+(?:tests?|specs?|cases?|checks?|builds?|assertions?))?"
    r"|\b(?:previously|once|originally|formerly)[- ](?:fail\w+|broken|flaky)"
    r"|\b(?:was|were|had been|been)\s+(?:previously\s+)?(?:failing|broken|flaky)"
    r"|\bused to fail\b|\bfail(?:ed|ing|s)? (?:before|previously|earlier|on main|on master|without (?:the|this|my) (?:fix|change|patch))\b"
    r"|\b(?:the|that|this|those|both|all)\s+(?:\w+\s+)?failing tests?(?=\s+(?:now|all|both)?\s*pass)"
)
"""Failures that are over: naming them admits nothing about now."""

_HONEST = re.compile(
    r"\bfail\w*|\b(?:broken|flaky|timed? out|red|regressed)\b|<bad>|\b(?:errors?|warnings?|issues?|problems?) (?:remain|left|persist|still)"
    r"|\b[1-9]\d*\s+(?:\w+\s+){0,2}?(?:errors?|warnings?|issues?|problems?|violations?)\b"
    r"|\b(?:all|every\w*)\s+(?:(?!pass|succe|green|are|is|ran|run|work|compil)\w+\s+){0,4}?but\s+"
    r"(?:one|two|three|four|five|six|a (?:few|couple)|some|\d+|the (?:last|first|slow\w*|integration))\b"
    r"|\b(?:except|excluding|with the exception of|apart from|other than|aside from|but not|not (?:yet )?(?:run|verified|tested|checked|executed|covered))\b"
    r"|\b(?:unable|not able|impossible|no way) to\b|\bcannot (?:be )?(?:run|verif|test|check|confirm|execut|install|build)\w*"
    r"|(?:\bcould|\bcan|\bdid|\bdo|\bdoes|\bwas|\bwere|\bhave|\bhas|\bhad|\bam|\bis|\bare|\bwould)(?:n't| not)\s+(?:\w+\s+){0,2}?"
    r"(?:run|ran|verif\w*|check\w*|test(?:ed|ing)?|execut\w*|confirm\w*|validat\w*|reproduc\w*|install\w*|build|built|compil\w*|able|possible|available|pass\w*)\b"
    r"|\bwithout (?:running|testing|verifying|executing|checking|having run)\b|\bstill (?:fail|break|error|open|need|has|have|shows?)\w*"
    r"|\bskipp(?:ed|ing) (?:the )?(?:tests?|lint\w*|type\w*|build|checks?)\b|\b(?:tests?|lint|checks?|build) (?:were|was|are|is) (?:skipped|not)\b"
    r"|\bunverified\b|\buntested\b|\bunchecked\b"
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|none|neither|nor|nothing|cannot|hardly|barely|rarely|without|instead of|rather than|lacks?|lacking)\b|n't\b"
    r"|\b(?:most|some|many|several|few|half|almost|nearly|mostly|partly|partially|only|not all)\b(?=[^.;]*$)"
)
_INTENDED = re.compile(
    r"\b(?:will|shall|going to|gonna|i'll|we'll|you'll|let me|let's|need(?:s|ed)? to|want(?:s|ed)? to|plan(?:s|ned|ning)? to|intend\w* to"
    r"|tr(?:y|ies|ying|ied) to|aim(?:s|ing)? to|must|has to|have to|had to|required? to|supposed to|able to|can(?!not| (?:confirm|tell|say|report|see))|cannot|could|would"
    r"|make sure|making sure|ensure|ensures|ensuring|guarantee\w*|so that|in order to|until|till|next|please|you can|you should|you may|todo"
    r"|goal|purpose|requires?|requirement|criteri(?:on|a)|wait(?:ing)? for|want|wants|wish|needs?(?!\s*$)|asked|ask|to (?:verify|check|confirm|see|validate"
    r"|test|make|keep|get|have|let|prove|show|help|be|run|ensure)|how to|for the|aimed|target|before (?:merging|you|we|i|pushing|committing|opening)"
    r"|expect(?:s|ed|ing)?|await\w*|remember|don't forget|follow[- ]?up)\b(?=[^.;]*$)"
)
_CAUSED = re.compile(r"\b(?:makes?|making|made|lets?|letting|helps?|helped|causes?)\s+$")
_LABELLED = re.compile(
    r"\b(?:goal|aim|expect\w*|target|requirement|criteri\w+|plan|todo|wanted|desired|task|problem|before|previously|original|example"
    r"|acceptance|motivation|context)\b[^:]{0,40}:"
)
_IMPERATIVE = re.compile(
    r"^(?:then |now |first |finally |also |and |just )?(?:run|verify|check|ensure|confirm|execute|try|make|rerun|re-run|test(?= (?:that|whether|if|it|the|this|by))|see|validate|keep|watch|wait)\b"
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|assuming|provided|providing|in case|as long as|once|suppose|supposing|otherwise|lest)\b"
)
_CONDITION_STARTS = re.compile(
    r"(?:^|\b(?:that|and|but|or|so)\s+|[,;:(]\s*)(?:if|unless|whether|assuming|provided|once|when(?!\s+(?:i|we)\s+(?:ran|re-?ran|tested))|whenever|until|in case|as long as|suppose)\b"
)
_WHEN = re.compile(r"\b(?:when|whenever|while|where)\b(?!\s+(?:i|we)\s+(?:ran|run|re-?ran|tested))")
_PAST = re.compile(
    r"\b(?:previously|earlier|originally|initially|used to|at first|at (?:the|that) (?:time|commit|point|revision)|in that (?:run|commit|version)|yesterday|last (?:week|run|time|month|commit)|back then|formerly"
    r"|before (?:my|the|this|these|that|your|any|i|we|it|making|adding|applying)\b|prior to|had (?:\w+\s+)?(?:passed|been)|(?:was|were) (?:already |all |still )*(?:passing|green|clean)"
    r"|on (?:the )?(?:main|master|develop|trunk|upstream|base|old|release|other|previous|original)\b|(?:in|on|by) ci\b|upstream|baseline"
    r"|without (?:my|the|this|these) (?:change|fix|patch)|(?:in|of|for) (?:the |your |an? )?(?:other|upstream|original|previous|different|sister|old|separate) (?:repo\w*|branch|project|version|codebase|run|checkout|package|commit|pr))\b"
    r"|\bbefore[,:]|\bbaseline\b"
)
_REPORTED = re.compile(
    r"\b(?:you|users?|issue|ticket|readme|docs?|documentation|guide|comments?|message|reviewers?|review|description|instructions?|task|prompt|spec"
    r"|specification|requirements?|ci|bot|codex|claude|copilot|cursor|agent|subagent|author|maintainers?|they|he|she|colleague|plan|pr|title|changelog|stub|mock|banner|badge)"
    r"\s+(?:\w+\s+){0,2}?(?:says?|said|saying|claims?|claimed|claiming|states?|stated|mentions?|mentioned|asks?|asked|wants?|wanted|requires?|required"
    r"|reports?|reported|expects?|expected|suggests?|suggested|tells?|told|notes?|noted|shows?|showed|prints?|thinks?|thought|promis\w+|announc\w+)\b"
    r"|\b(?:checks?|verif(?:y|ies)|asserts?|ensures?|validates?|tests?|confirms?|shows?|prints?|returns?|reports?|means?|impl(?:y|ies)"
    r"|indicates?|detects?|sees?|knows?|explains?|decides?|tells?|describes?)\s+(?:that|whether|how|if|when)\b|\b(?:says?|said|wrote|writes|written|claims?|claimed|reported|stated|told|mentioned|noted|argued|believed|assumed)\s+(?:\w+\s+)?that\b|\baccording to\b|\ballegedly\b|\bclaim(?:s|ed)?(?: is)? that\b|\bthe claim\b"
)
_HEDGED = re.compile(
    r"\b(?:should|ought to|may|might|probably|likely|presumably|hopefully|perhaps|maybe|possibly|supposedly|apparently|seemingly|theoretically"
    r"|in theory|in principle|ideally|i (?:think|believe|assume|suspect|guess|hope|imagine|reckon)|we (?:think|believe|assume|hope)"
    r"|seems?|seemed|appears?|appeared|looks? like|looks|as far as (?:i|we)|afaik|afaict|iirc|to my knowledge|(?:fairly|pretty|quite|reasonably|rather) (?:sure|confident|certain)"
    r"|i'm (?:confident|sure|certain)|i am (?:confident|sure|certain)|confident that|no reason to|more or less|roughly|essentially|basically|in my opinion)\b"
)
_HEDGED_AFTER = re.compile(
    r"^[^.;]{0,40}?(?:\b(?:i (?:think|believe|assume|suspect|guess|hope)|probably|presumably|hopefully|as far as (?:i|we)|afaik|in theory|in principle|theoretically|most likely)\b)"
)
_NEGATED_AFTER = re.compile(
    r"^\s*(?:,\s*)?(?:not|no longer|nowhere|hardly|never|only (?:if|when|after|with|on)|yet\?)\b"
)

_DID = re.compile(
    r"(?:only|created|added|wrote|generated|introduced|implemented|installed|pulled|updated|modified|edited|changed|refactored|rewrote|adjusted"
    r"|extended|simplified|patched|moved|put|extracted|inserted|registered|documented|fixed|fixes|resolved|resolves|solved|solves|removed|deleted"
    r"|dropped|replaced|renamed|migrated|converted|committed|pushed|manually|verified|tested|checked|confirmed|left)\b"
)
_BY_AGENT = re.compile(
    r"(?:^|[,:;.()\u2013\u2014-]\s*|>\s*|\b(?:i|we|i've|we've|have|and|also|then|just|now|next|finally|first|second|third|instead|therefore|thus|so"
    r"|here|this|change|changes|patch|commit|pr|only|to|\w+ly)\s+)$"
)
_CLAUSE = re.compile(
    r";|\s[-\u2013\u2014]{1,2}\s|\u2014|,\s+(?:and|so|but|which|then|yet|while|plus)\b|:\s|\.\s|\((?=[^()]*\))|\)"
)


def guard_of(marked: str, said: Said, *, about_checks: bool) -> Guard | None:
    """Return what keeps a claim found in a sentence from being one.

    "hedged" makes it a hedged claim; any other guard makes it none.

    Args:
        marked: The sentence in lower case, with marks, and with what denies something bad already neutralised.
        said: The claim found in it.
        about_checks: True when it is about what checks showed, so that admitting a failure beside it takes it back.
    """
    if marked.rstrip(" \"')").endswith("?"):
        return "question"
    told = _PAST_FAILURE.sub(lambda found: "#" * len(found[0]), marked)
    if about_checks and _HONEST.search(told):
        return "honest"
    clause_start, clause_end = _clause(told, said.start, said.end)
    before, after = told[clause_start : said.said_at], told[said.end : clause_end]
    is_deed = said.kind in get_args(DeedClaim)
    guards: tuple[tuple[Guard, object], ...] = (
        ("intended", _CAUSED.search(told[: said.start])),
        ("intended", _LABELLED.search(told[: said.start])),
        ("reported", is_deed and _is_of_another(told, said)),
        ("negated", _NEGATED.search(told[clause_start : said.start]) or _NEGATED_AFTER.search(after)),
        ("intended", _INTENDED.search(before) or _IMPERATIVE.search(told)),
        ("conditional", _is_conditional(told[: said.said_at], before, "" if is_deed else after)),
        ("reported", _REPORTED.search(told[: said.said_at])),
        ("past", _PAST.search(before) or _PAST.search(after[:60])),
        ("hedged", _HEDGED.search(before) or _HEDGED_AFTER.search(told[said.end :])),
    )
    return next((guard for guard, holds in guards if holds), None)


def _is_of_another(told: str, said: Said) -> bool:
    """Say whether a verb of doing has a subject that is not the agent: "the user added", "the removed flag"."""
    return _DID.match(told, said.start) is not None and _BY_AGENT.search(told[: said.start]) is None


def _clause(marked: str, start: int, end: int) -> tuple[int, int]:
    breaks = [found.span() for found in _CLAUSE.finditer(marked)]
    begin = max((stop for _, stop in breaks if stop <= start), default=0)
    finish = min((first for first, _ in breaks if first >= end), default=len(marked))
    return begin, finish


def _is_conditional(all_before: str, before: str, after: str) -> bool:
    """An "if" that opens the sentence or its own clause reaches over commas; one in mid-clause stays there."""
    if _CONDITION_STARTS.search(all_before):
        return True
    here = f"{before} | {after}"
    return _CONDITION.search(here) is not None or _WHEN.search(here) is not None
