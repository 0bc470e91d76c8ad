import { readFileSync, rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

import { format } from 'prettier';

import { runNode } from './node.mjs';
import { Obstacle, root, run } from './project.mjs';

const PAGE = join(root, 'docs', 'attacks.md');
const INTRODUCTION = `# What is tried against Gatehouse

Every row is a test that attacks a running service, with real boxes, a real database and real TLS, and passes because the attack
fails. \`…\` stands for what a test goes through one by one. [SECURITY.md](../SECURITY.md) says what is promised, and to whom.

\`npm run attacks\` writes this page from the tests' titles; \`npm run check\` fails where it is out of date.
`;

/** `npm run attacks`: writes docs/attacks.md; with `--check` it only says whether the page is up to date. */
await run(async () => {
  process.chdir(root);
  const page = await format(INTRODUCTION + sections(await listTests()).join('\n'), { parser: 'markdown' });
  if (!process.argv.includes('--check')) return writeFileSync(PAGE, page);
  if (readFileSync(PAGE, 'utf8') !== page) {
    throw new Obstacle('docs/attacks.md is not what the tests say: write it again with `npm run attacks`.');
  }
});

/** @returns {Promise<{ name: string, file: string }[]>} the tests of test/security, which are read and not run */
async function listTests() {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-attacks-'));
  try {
    const report = join(directory, 'tests.json');
    const { code, output } = await runNode(
      join('node_modules', 'vitest', 'vitest.mjs'),
      ['list', '--static-parse', '--project=e2e', `--json=${report}`, 'test/security'],
      // Nothing is run here, so nothing is skipped either where a test's programs are missing.
      { quiet: true, env: { ...process.env, GATEHOUSE_FORBID_SKIPS: '' } },
    );
    if (code !== 0) throw new Obstacle(`The tests could not be listed:\n${output}`);
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function sections(tests) {
  const files = [...new Set(tests.map(({ file }) => file))].sort();
  return files.map((file) => {
    const path = relative(root, file);
    const rows = tests.filter((test) => test.file === file).map(({ name }) => row(name));
    const title = basename(file, '.security.ts').replaceAll('-', ' ');
    return [
      `\n## ${title[0].toUpperCase()}${title.slice(1)}\n`,
      `[${path}](../${path})\n`,
      '| what is attacked | the test |',
      '| --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
}

function row(name) {
  const steps = name.split(' > ');
  const cells = [steps.slice(0, -1).join(', '), steps.at(-1)];
  return `| ${cells.map((cell) => cell.replace(/%[sjdo]|\$\w+/g, '…').replaceAll('|', '\\|')).join(' | ')} |`;
}
