"""Verifies GitHub workflows: YAML, and what GitHub refuses whatever the rest says."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import yaml  # type: ignore[import-untyped]  # PyYAML brings no types

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, problem_at
from verify_lsp.verifiers.data.yaml_text.verifier import verify_yaml

_PROBLEM_LIMIT = 50
_NOT_COMPOSED = "read as YAML 1.2 alone: what GitHub asks of a workflow was not looked at"


def verify_workflow(subject: Subject) -> Verdict:
    """Verify a workflow of GitHub Actions: as YAML first, and as a workflow where that holds."""
    verdict = verify_yaml(subject)
    if verdict.skipped is not None or any(problem.severity == "high" for problem in verdict.problems):
        return verdict
    text = subject.text.removeprefix("\ufeff")
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
    except yaml.YAMLError:
        # Several documents, or what only the second look could read.
        return _unlooked(verdict)
    found = islice(_judged(text, root), _PROBLEM_LIMIT)
    return Verdict((*verdict.problems, *found))


def _unlooked(verdict: Verdict) -> Verdict:
    """Where the grammar alone could read the YAML, nothing is known of the workflow in it."""
    if any(problem.rule == "yaml.version" for problem in verdict.problems):
        return Verdict(verdict.problems, skipped=_NOT_COMPOSED)
    return verdict


def _judged(text: str, root: Any) -> Iterator[Problem]:
    if not isinstance(root, yaml.MappingNode):
        start = Span(0, 0) if root is None else _span(root)
        complaint = Complaint("workflow.empty", "A workflow is a mapping with `on` and `jobs`.", "Add them.")
        yield problem_at(text, start, complaint)
        return
    yield from _open_expressions(text, root)
    top = _members(root)
    if "<<" in top:
        return
    for key, what in (("on", "when it runs"), ("jobs", "what it does")):
        if key not in top:
            complaint = Complaint("workflow.missing", f"The workflow has no `{key}`, which says {what}.", "Add it.")
            yield problem_at(text, _key_span(root), complaint)
    jobs = top.get("jobs")
    if isinstance(jobs, yaml.MappingNode):
        for name, job in jobs.value:
            yield from _job(text, name, job)


def _job(text: str, name: Any, job: Any) -> Iterator[Problem]:
    if not isinstance(job, yaml.MappingNode):
        yield problem_at(
            text, _span(name), Complaint("workflow.job", "A job is a mapping.", "Add `runs-on` and `steps`.")
        )
        return
    keys = _members(job)
    if "<<" in keys:
        return
    if "uses" not in keys and "runs-on" not in keys:
        message = f"The job `{str(name.value)[:60]}` has neither `runs-on` nor `uses`."
        complaint = Complaint("workflow.runs-on", message, "Say where it runs: `runs-on: ubuntu-latest`.")
        yield problem_at(text, _span(name), complaint)
    steps = keys.get("steps")
    if "uses" in keys and steps is not None:
        complaint = Complaint("workflow.job", "A job that `uses` a workflow has no `steps`.", "Remove one of the two.")
        yield problem_at(text, _span(steps), complaint)
    if isinstance(steps, yaml.SequenceNode):
        for step in steps.value:
            yield from _step(text, step)


def _step(text: str, step: Any) -> Iterator[Problem]:
    if not isinstance(step, yaml.MappingNode):
        yield problem_at(
            text, _span(step), Complaint("workflow.step", "A step is a mapping.", "Write `run:` or `uses:`.")
        )
        return
    keys = _members(step)
    if "<<" in keys:
        return
    if "run" in keys and "uses" in keys:
        complaint = Complaint("workflow.step", "A step has `run` or `uses`, not both.", "Make two steps of it.")
        yield problem_at(text, _key_span(step), complaint)
    elif "run" not in keys and "uses" not in keys:
        complaint = Complaint("workflow.step", "A step needs `run` or `uses`.", "Add the one that is missing.")
        yield problem_at(text, _key_span(step), complaint)


def _open_expressions(text: str, root: Any) -> Iterator[Problem]:
    """Expressions that are never closed, wherever they stand; shared nodes are looked at once."""
    pending: list[Any] = [root]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            pending += [each for pair in reversed(node.value) for each in reversed(pair)]
        elif isinstance(node, yaml.SequenceNode):
            pending += reversed(node.value)
        elif (opened := node.value.rfind("${{")) >= 0 and "}}" not in node.value[opened:]:
            place = text.find("${{", node.start_mark.index)
            place = text.rfind("${{", place, node.end_mark.index)
            complaint = Complaint("workflow.expression", "The expression `${{` is never closed.", "Close it with `}}`.")
            yield problem_at(text, Span(place, place + 3), complaint)


def _members(mapping: Any) -> dict[str, Any]:
    return {key.value: value for key, value in mapping.value if isinstance(key, yaml.ScalarNode)}


def _key_span(mapping: Any) -> Span:
    return _span(mapping.value[0][0]) if mapping.value else _span(mapping)


def _span(node: Any) -> Span:
    start, end = node.start_mark, node.end_mark
    return Span(start.index, end.index if start.line == end.line else start.index + 1)
