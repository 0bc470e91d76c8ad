import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { changedFiles } from './check/changes.mjs';
import { PART_NAMES, chooseParts } from './check/parts.mjs';
import { ensureNode, runNode } from './node.mjs';
import { ensurePackages } from './packages.mjs';
import { checkPlatform, Obstacle, root, run } from './project.mjs';

/** As many parts side by side. */
const LANES = 2;
const OPTIONS = { fix: { type: 'boolean' }, since: { type: 'string' } };
const BUILD = { name: 'build', check: () => [[join('libs', 'bootstrap', 'prepare.mjs')]] };

/**
 * `npm run check -- [all] [PART …] [--since COMMIT]`: the parts that are named, or that a change concerns, each to its end: one run
 * shows everything. Without `all`, they look at what differs from `main`, or from COMMIT. `npm run fix` has the same words, and
 * mends.
 */
await run(async () => {
  process.chdir(root);
  checkPlatform();
  const { values, positionals: words } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const mends = values.fix === true;
  const names = words.filter((word) => word !== 'all');
  const unknown = names.find((name) => !PART_NAMES.includes(name));
  if (unknown) throw new Obstacle(`There is no part ${unknown}. Say all, or: ${PART_NAMES.join(', ')}.`);
  const changed = words.includes('all') ? null : changedFiles(values.since);
  const parts = chooseParts(names, changed);
  if (parts.length === 0) return console.log('Nothing was changed. Everything: npm run check -- all');
  await Promise.all([ensurePackages({ all: true }), ensureNode()]);
  const failed = await (mends ? fix(parts) : check(parts));
  if (failed.length > 0) process.exitCode = 1;
  console.log(`\n${resultOf(parts, failed, { mends, changed })}`);
});

function resultOf(parts, failed, { mends, changed }) {
  if (failed.length > 0) return `Not in order: ${[...new Set(failed)].join(', ')}`;
  if (mends) return 'Mended what a command can; `npm run check` says what is left.';
  const of = changed ? `, of what was changed (${changed.length} files)` : '';
  return `In order: ${parts.map(({ name }) => name).join(', ')}${of}`;
}

/** @returns {Promise<string[]>} the parts that are not in order */
async function check(parts) {
  const built = parts.filter((part) => part.built);
  const others = parts.filter((part) => !part.built);
  const failed = await inLanes(built.length > 0 ? [...others, BUILD] : others);
  return failed.includes(BUILD.name) ? failed : [...failed, ...(await inLanes(built))];
}

/** Each command says at once how it went. */
async function inLanes(parts) {
  const waiting = parts.flatMap((part) => part.check(part.files).map((command) => ({ part, command })));
  const failed = [];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!(await passes(next))) failed.push(next.part.name);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return failed;
}

async function passes({ part, command: [script, ...args] }) {
  const began = performance.now();
  const { code, output } = await runNode(script, args, { quiet: true });
  const title = part.titleOf?.(args) ?? part.name;
  const seconds = Math.round((performance.now() - began) / 1000);
  if (code === 0) console.log(`ok      ${title}, ${seconds} s`);
  else {
    const hint = part.fix ? `\n\`npm run fix -- ${part.name}\` mends what can be mended by a command.` : '';
    console.log(`NOT OK  ${title}, ${seconds} s\n${output.trim()}${hint}`);
  }
  return code === 0;
}

/** @returns {Promise<string[]>} the parts of which something is left for a person */
async function fix(parts) {
  const failed = [];
  for (const { name, files, fix: commandsFor } of parts) {
    for (const [script, ...args] of commandsFor?.(files) ?? []) {
      console.log(`${name} …`);
      const { code } = await runNode(script, args);
      if (code !== 0) failed.push(name);
    }
  }
  return failed;
}
