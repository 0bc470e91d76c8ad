import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

import { format } from 'prettier';

import { runNode } from './node.mjs';
import { Obstacle, root } from './project.mjs';

/**
 * A page of what tests try, by their titles.
 * @param {string[]} paths files or folders of tests
 * @param {string} introduction what stands above the tables, in Markdown
 */
export async function tableOfTests(paths, introduction) {
  return format(introduction + sections(await listTests(paths)).join('\n'), { parser: 'markdown' });
}

/** @returns {Promise<{ name: string, file: string }[]>} tests, which are read and not run */
async function listTests(paths) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tests-'));
  try {
    const report = join(directory, 'tests.json');
    const { code, output } = await runNode(
      join('node_modules', 'vitest', 'vitest.mjs'),
      ['list', '--static-parse', '--project=e2e', '--project=unit', `--json=${report}`, ...paths],
      // Nothing is run here, so nothing is skipped either where a test's programs are missing.
      { quiet: true, env: { ...process.env, GATEHOUSE_FORBID_SKIPS: '', GATEHOUSE_TEST_EVERYTHING: '1' } },
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
    const title = basename(file)
      .replace(/\.\w+\.ts$/, '')
      .replaceAll('-', ' ');
    return [
      `\n## ${title[0].toUpperCase()}${title.slice(1)}\n`,
      `\`${path}\`\n`,
      '| what | the test |',
      '| --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
}

function row(name) {
  const steps = name.split(' > ');
  const cells = [steps.slice(0, -1).join(', '), steps.at(-1)];
  return `| ${cells.map((cell) => cell.replace(/%[sijdo]|\$\w+|\$\{\w+\}/g, '…').replaceAll('|', '\\|')).join(' | ')} |`;
}
