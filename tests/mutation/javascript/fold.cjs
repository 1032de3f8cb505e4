// Reads texts with mutants built in as TypeScript's own parser does, decides each switch, and compares the tree
// that is left with that of the text it stands for. Input: {cases: [{path, plain, switched, mutants: {number: text}}]}
"use strict";

const ts = require(process.argv[2]);
const { cases } = JSON.parse(require("node:fs").readFileSync(process.argv[3], "utf8"));

const OURS = new Set(["__verifyLspFind", "__verifyLspOn", "__verifyLspSwitch"]);

function read(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function numberOf(node) {
  const asked = node && ts.isCallExpression(node) && ts.isIdentifier(node.expression);
  return asked && node.expression.text === "__verifyLspOn" ? Number(node.arguments[0].text) : 0;
}

function isOurs(node) {
  if (ts.isVariableStatement(node)) return OURS.has(node.declarationList.declarations[0].name.text);
  return ts.isFunctionDeclaration(node) && node.name !== undefined && OURS.has(node.name.text);
}

// `x!` is `x` when it runs, and where the sign stands between a choice and its parentheses does not matter.
function bare(node) {
  while (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) node = node.expression;
  return node;
}

function decided(node, on) {
  node = bare(node);
  if (ts.isConditionalExpression(node) && numberOf(node.condition)) {
    const mutated = bare(ts.isAsExpression(node.whenTrue) ? node.whenTrue.expression : node.whenTrue);
    return numberOf(node.condition) === on ? mutated : decided(node.whenFalse, on);
  }
  if (isChosenBlock(node)) {
    const choice = node.statements[0];
    const chosen = numberOf(choice.expression) === on ? choice.thenStatement : choice.elseStatement;
    return decided(chosen.statements[0], on);
  }
  if (ts.isIfStatement(node) && numberOf(node.expression)) {
    const chosen = numberOf(node.expression) === on ? node.thenStatement : node.elseStatement;
    return decided(chosen.statements[0], on);
  }
  return node;
}

// A whole block that can be left out: `{ if (on(3)) { {} } else { { … } } }`.
function isChosenBlock(node) {
  if (!ts.isBlock(node) || node.statements.length !== 1) return false;
  const [only] = node.statements;
  return ts.isIfStatement(only) && numberOf(only.expression) > 0 && ts.isBlock(only.elseStatement.statements[0]);
}

function shape(node, on) {
  node = decided(node, on);
  if (ts.isBinaryExpression(node) && numberOf(node.left)) {
    const turned = bare(node.right).operand;
    return shape(numberOf(node.left) === on ? turned : turned.operand, on);
  }
  const parts = [ts.SyntaxKind[node.kind], node.operator ?? "", node.text ?? ""];
  if (ts.isVariableDeclarationList(node)) parts.push(node.flags & ts.NodeFlags.BlockScoped);
  const seen = node.kind === ts.SyntaxKind.SourceFile ? [node.kind] : parts;
  ts.forEachChild(node, (child) => {
    if (!isOurs(child)) seen.push(shape(child, on));
  });
  return seen;
}

const wrong = [];
for (const { path, plain, switched, mutants } of cases) {
  const original = read(path, plain);
  if (original.parseDiagnostics.length) continue;
  const built = read(path, switched);
  if (built.parseDiagnostics.length) {
    const { start, messageText } = built.parseDiagnostics[0];
    wrong.push({ path, why: "does not parse", messageText, near: switched.slice(start - 200, start + 100) });
    continue;
  }
  const off = JSON.stringify(shape(built, 0));
  if (off !== JSON.stringify(shape(original, 0))) wrong.push({ path, why: "differs though all are off" });
  for (const [number, text] of Object.entries(mutants)) {
    const alone = read(path, text);
    if (alone.parseDiagnostics.length) {
      wrong.push({ path, number, why: "is no program", messageText: alone.parseDiagnostics[0].messageText });
    } else if (JSON.stringify(shape(alone, 0)) !== JSON.stringify(shape(built, Number(number)))) {
      wrong.push({ path, number, why: "differs when it is on" });
    }
  }
}
process.stdout.write(JSON.stringify({ read: cases.length, wrong }));
