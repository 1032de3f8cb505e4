"""Every packaged rule finds what it is for, and nothing in its legitimate twin: asked of the real semgrep, once."""

import subprocess
from pathlib import Path

import pytest

from verify_lsp.model.command import RESULTS, CommandResult
from verify_lsp.security.semgrep.answer import read_answer
from verify_lsp.security.semgrep.ask import packaged_rules, semgrep_command

SEMGREP = Path(__file__).parents[2] / "tools" / "semgrep" / "semgrep"

PYTHON = """
import os, pickle, subprocess
import flask, jinja2, requests
import lxml.etree
from flask import Flask, redirect, render_template_string, request, url_for
app = Flask(__name__)

@app.get("/")
def view(db):
    name = request.args["name"]
    {0}
"""
JAVASCRIPT = """
const fs = require('fs');
const path = require('path');
const {{ exec, execFile }} = require('child_process');
const app = require('express')();
app.get('/', async (req, res) => {{
  const name = req.query.name;
  {0}
}});
"""
GO = """
package main

import (
	"database/sql"
	"html/template"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

var db *sql.DB

func view(w http.ResponseWriter, r *http.Request) {{
	name := r.FormValue("name")
	{0}
}}
"""

SAMPLES = {
    "flow-py-sql": (PYTHON, 'db.execute("select " + name)', 'db.execute("select ?", (name,))'),
    "flow-py-shell": (PYTHON, 'os.system("ls " + name)', 'subprocess.run(["ls", name])'),
    "flow-py-code": (PYTHON, "eval(name)", "eval(str(len(name)))"),
    "flow-py-path": (PYTHON, 'open("/data/" + name)', 'open("/data/" + os.path.basename(name))'),
    "flow-py-template": (PYTHON, "render_template_string(name)", 'render_template_string("{{ n }}", n=name)'),
    "flow-py-redirect": (PYTHON, "return redirect(name)", 'return redirect(url_for("page", n=name))'),
    "flow-py-fetch": (PYTHON, "requests.get(name)", 'requests.get("https://example.org", params={"n": name})'),
    "flow-py-object": (PYTHON, "pickle.loads(request.get_data())", 'pickle.load(open("own.bin", "rb"))'),
    "flow-py-xml": (PYTHON, "lxml.etree.fromstring(request.get_data())", "lxml.etree.fromstring('<own/>')"),
    "flow-js-sql": (JAVASCRIPT, "await db.query('select ' + name);", "await db.query('select $1', [name]);"),
    "flow-js-shell": (JAVASCRIPT, "exec('ls ' + name);", "execFile('ls', [name]);"),
    "flow-js-code": (JAVASCRIPT, "eval(name);", "eval('1 + ' + Number(name));"),
    "flow-js-path": (JAVASCRIPT, "fs.readFileSync('/d/' + name);", "fs.readFileSync('/d/' + path.basename(name));"),
    "flow-js-redirect": (JAVASCRIPT, "res.redirect(name);", "res.redirect('/own');"),
    "flow-js-fetch": (JAVASCRIPT, "await fetch(name);", "await fetch('https://example.org', { body: name });"),
    "flow-go-sql": (GO, 'db.Query("select " + name)', 'db.Query("select ?", name)'),
    "flow-go-shell": (GO, 'exec.Command("sh", "-c", "ls "+name)', 'exec.Command("ls", name)'),
    "flow-go-path": (GO, 'os.ReadFile("/d/" + name)', 'os.ReadFile("/d/" + filepath.Base(name))'),
    "flow-go-redirect": (GO, "http.Redirect(w, r, name, 302)", 'http.Redirect(w, r, "/own", 302)'),
    "flow-go-fetch": (GO, "http.Get(name)", 'http.Get("https://example.org")'),
    "flow-go-template": (GO, 'template.New("x").Parse(name)', 'template.New("x").Parse("{{.}}")'),
}
EXTENSIONS = {PYTHON: ".py", JAVASCRIPT: ".js", GO: ".go"}


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """One run of semgrep over a file for each sample and each twin."""
    place, results = tmp_path_factory.mktemp("place"), tmp_path_factory.mktemp("results")
    for rule, (frame, bad, good) in SAMPLES.items():
        (place / f"{rule}-bad{EXTENSIONS[frame]}").write_text(frame.format(bad))
        (place / f"{rule}-good{EXTENSIONS[frame]}").write_text(frame.format(good))
    (place / ".semgrepignore").write_text("*\n")
    names = sorted(path.name for path in place.iterdir() if path.name != ".semgrepignore")
    command = semgrep_command(str(SEMGREP), names, 120)
    for name, text in command.support.items():
        (results / name).write_text(text)
    argv = [word.replace(RESULTS, str(results)) for word in command.argv]
    env = {name: value.replace(RESULTS, str(results)) for name, value in command.env.items()}
    done = subprocess.run(
        argv, cwd=place, env={"PATH": "/usr/bin:/bin", **env}, capture_output=True, text=True, check=False
    )
    answer = read_answer(CommandResult(done.returncode, done.stdout, done.stderr))
    assert not isinstance(answer, str), (answer, done.stderr)
    assert answer.gaps == ()
    assert answer.scanned == set(names)
    return answer


def test_every_packaged_rule_has_a_sample():
    assert {rule["id"] for rule in packaged_rules()} == set(SAMPLES)


@pytest.mark.parametrize("rule", SAMPLES)
def test_a_rule_finds_its_sample_and_nothing_in_the_twin(answered, rule):
    extension = EXTENSIONS[SAMPLES[rule][0]]
    bad = [problem for problem in answered.problems if problem.path == f"{rule}-bad{extension}"]
    good = [problem.rule for problem in answered.problems if problem.path == f"{rule}-good{extension}"]
    assert rule in {problem.rule for problem in bad}
    assert all(problem.message and problem.suggestion and problem.cwe for problem in bad)
    text = SAMPLES[rule][0].format(SAMPLES[rule][1]).split("\n")
    line = next(number for number, each in enumerate(text, start=1) if SAMPLES[rule][1] in each)
    assert {problem.line for problem in bad} == {line}
    # exec.Command with the request's text as an argument is fine, as the programme is fixed.
    assert good == []


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (CommandResult(None, missing=True), "cannot be started"),
        (CommandResult(None, timed_out=True), "took longer"),
        (CommandResult(2, "not json"), "without an answer"),
        (CommandResult(2, '{"results": [], "errors": [], "paths": {"scanned": []}}'), "without results"),
        (CommandResult(0, '{"results": [{}], "errors": [], "paths": {"scanned": []}}'), "in a form that is not known"),
    ],
)
def test_an_answer_that_is_not_whole_is_no_answer(result, said):
    answer = read_answer(result)
    assert isinstance(answer, str)
    assert said in answer
