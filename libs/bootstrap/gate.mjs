import { runProgram } from './child.mjs';
import { changedFiles, commitBefore } from './check/changes.mjs';
import { chooseParts } from './check/parts.mjs';
import { needsOf, ownTests, suitesOf } from './gate/suites.mjs';
import { TestFiles } from './gate/test-files.mjs';
import { runNode } from './node.mjs';
import { prepare } from './prepare.mjs';
import { root, run } from './project.mjs';
import { printFlaky, printRed, quarantinedFiles } from './tests/flaky-files.mjs';
import { runTests } from './tests/run-tests.mjs';

/** Where no base is named: what changed in the last working day is the change. */
const HOURS_OF_A_CHANGE = 12;
/** Parts that look at the program as a whole, whatever a change touches. */
const ALWAYS_CHECKED = ['types', 'circles', 'schema', 'openapi', 'client', 'extension'];
const MAX_OWN_SECONDS = 120;
const MAX_SUITES_SECONDS = 300;
const APT = ['-qq', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];

/** Steps of the gate, with what they add up to. The first one that fails ends it. */
class Gate {
  passed = 0;
  failed = 0;
  flaky = [];
  red = [];
  seconds = [];

  /** @param {() => Promise<{ passed: number, failed: number, flaky?: string[], red?: string[], skipped?: string[] }>} work */
  async step(name, work) {
    if (this.failed > 0) return;
    console.log(`\n== ${name}`);
    const began = performance.now();
    const { passed, failed, flaky = [], red = [], skipped = [] } = await work();
    this.seconds.push(`${name} ${Math.round((performance.now() - began) / 1000)} s`);
    this.passed += passed;
    this.failed += failed;
    this.flaky.push(...flaky);
    this.red.push(...(failed > 0 && red.length === 0 ? [name] : red));
    if (skipped.length > 0) console.log(`Skipped here: ${skipped.join('; ')}`);
  }

  report() {
    console.log(`\n${this.seconds.join(', ')}`);
    printFlaky(this.flaky);
    printRed(this.red);
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed === 0 ? 0 : 1;
  }
}

/** `.ci/run`: decides whether a change may be taken. See CONTRIBUTING.md for what it runs, and what it leaves to `.ci/full`. */
await run(async () => {
  process.chdir(root);
  const base = process.env.GATE_BASE || commitBefore(HOURS_OF_A_CHANGE);
  const changed = base ? changedFiles(base) : null;
  // What else changed within those hours had its own gate, which knew what it touches.
  const onlyOnce = process.env.GATE_BASE ? (changed ?? []) : [];
  const gate = new Gate();
  await gate.step('packages', () => prepare({ all: true }).then(() => ({ passed: 0, failed: 0 })));
  const files = new TestFiles();
  const own = ownTests(changed ?? [], files, MAX_OWN_SECONDS);
  if (own.length > 0) await gate.step('own tests', () => runTests({ args: own, changed: onlyOnce }));
  await gate.step('check', () => check(changed, base));
  await gate.step('npm test', () => runTests({ except: own, changed: onlyOnce }));
  await gate.step('kills', () => node('kills.mjs', '3', '--seed', '1'));
  const { chosen, cut } = suitesOf(changed ?? [], files, MAX_SUITES_SECONDS);
  if (chosen.length > 0) await gate.step('suites of the change', () => runSuites(chosen, onlyOnce));
  if (cut.length > 0 && gate.failed === 0)
    console.log(`\nCut for time, so only in test:full: ${cut.join(', ')}`);
  for (const file of quarantinedFiles()) console.log(`In quarantine, so only in test:full: ${file}`);
  gate.report();
});

function check(changed, base) {
  if (changed === null) return node('check.mjs', 'all');
  const names = new Set([...ALWAYS_CHECKED, ...chooseParts([], changed).map(({ name }) => name)]);
  return node('check.mjs', ...names, '--since', base);
}

/** One of our commands: one failure, unless it ends well. */
async function node(script, ...args) {
  const { code } = await runNode(`libs/bootstrap/${script}`, args);
  return { passed: 0, failed: code === 0 ? 0 : 1 };
}

async function runSuites(paths, changed) {
  const unmet = await missingNeeds(paths);
  const possible = paths.filter((path) => !unmet.some(({ of }) => of.test(path)));
  for (const path of paths)
    if (!possible.includes(path)) console.log(`Not run, since what it needs is missing: ${path}`);
  if (possible.length === 0) return { passed: 0, failed: 0 };
  return runTests({ args: possible, everything: true, changed });
}

/** Installs what these tests need. A mirror that is away fails no change: what could not be installed is returned. */
async function missingNeeds(paths) {
  const needs = needsOf(paths);
  const packages = needs.flatMap(({ apt = [] }) => apt);
  if (packages.length > 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runProgram('apt-get', ['update', '-qq'], { env });
    const { code } = await runProgram('apt-get', ['install', ...APT, ...packages], { env });
    if (code !== 0) return needs.filter(({ apt }) => apt);
  }
  const charts = needs.find(({ command }) => command);
  if (!charts) return [];
  const { code, output } = await runProgram(charts.command[0], charts.command.slice(1), { quiet: true });
  if (code !== 0) return [charts];
  process.env.PATH += `:${output.trim().split('\n').at(-1)}`;
  return [];
}
