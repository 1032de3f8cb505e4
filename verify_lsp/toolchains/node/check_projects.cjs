// Type-checks several TypeScript configurations without writing anything, printing as `tsc --pretty false` does.
//
//   node check_projects.cjs api   <typescript.js> <seen.json> <tsconfig>...
//   node check_projects.cjs spawn <compiler>      <folder>    <tsconfig>...
//
// `api` reads referenced projects from their sources, as editors do, where `tsc` would want them built.
"use strict";

const [mode, compiler, target, ...configs] = process.argv.slice(2);

function checkWithApi() {
  const ts = require(compiler);
  const seen = new Set();
  const told = new Set();
  const formatHost = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => "\n",
  };
  const report = (diagnostics) => {
    for (const diagnostic of diagnostics) {
      told.add(ts.formatDiagnostic(diagnostic, formatHost));
    }
  };
  for (const config of configs) {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]) };
    const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, host);
    if (!parsed) continue;
    const compilerHost = ts.createCompilerHost(parsed.options);
    compilerHost.useSourceOfProjectReferenceRedirect = () => true;
    const program = ts.createProgram({
      rootNames: parsed.fileNames,
      options: parsed.options,
      projectReferences: parsed.projectReferences,
      host: compilerHost,
      configFileParsingDiagnostics: ts.getConfigFileParsingDiagnostics(parsed),
    });
    // A referenced project's files are judged by that project's own options, in its own turn.
    const foreign = (file) => Boolean(program.isSourceOfProjectReferenceRedirect?.(file.fileName));
    report(program.getConfigFileParsingDiagnostics());
    report(program.getOptionsDiagnostics());
    report(program.getGlobalDiagnostics());
    for (const file of program.getSourceFiles()) {
      if (foreign(file)) continue;
      seen.add(file.fileName);
      report(program.getSyntacticDiagnostics(file));
      report(program.getSemanticDiagnostics(file));
    }
  }
  process.stdout.write([...told].join(""));
  require("node:fs").writeFileSync(target, JSON.stringify({ fileNames: [...seen] }));
  return told.size > 0 ? 2 : 0;
}

function checkWithCompiler() {
  const { spawnSync } = require("node:child_process");
  let worst = 0;
  configs.forEach((config, index) => {
    const info = `${target}/${index}.tsbuildinfo`;
    const options = ["-p", config, "--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", info];
    const { status } = spawnSync(compiler, options, { stdio: "inherit" });
    worst = Math.max(worst, status ?? 70);
  });
  return worst;
}

process.exitCode = mode === "api" ? checkWithApi() : checkWithCompiler();
