import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { Json } from '../../../libs/testing/index.js';

const SUITE = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

/** What the suite has found. */
export interface Report {
  /** Ids of the checks that passed, each behind its scenario. */
  passed: string[];
  /** What each check says that failed, by its scenario and id. */
  failures: Map<string, string>;
  /** The same for those that were left out by the suite itself. */
  skipped: Map<string, string>;
}

/**
 * Runs the official suite, and reads its report.
 *
 * @param onLine told of each line that the suite prints, for scenarios that wait for somebody to act
 */
export async function runSuite(args: readonly string[], onLine?: (line: string) => void): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-conformance-'));
  try {
    await new Promise<void>((done) => {
      const given = [SUITE, ...args, '-o', directory];
      // It fails where any check does, whether that applies or not: what counts is read from its report.
      const suite = execFile(process.execPath, given, { maxBuffer: 64_000_000 }, () => done());
      if (onLine) eachLine(suite.stdout!, onLine);
    });
    return await reportIn(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function eachLine(output: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  output.on('data', (chunk: string | Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    lines.forEach(onLine);
  });
}

async function reportIn(directory: string): Promise<Report> {
  const report: Report = { passed: [], failures: new Map(), skipped: new Map() };
  const scenarios = await readdir(directory);
  expect(scenarios.length, 'scenarios with a report').toBeGreaterThan(0);
  for (const scenario of scenarios.sort()) {
    const name = scenario.replace(/^server-/, '').replace(/-20\d\d-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(await readFile(join(directory, scenario, 'checks.json'), 'utf8')) as Json[];
    for (const { id, status, errorMessage } of checks) {
      const check = `${name}: ${id}`;
      if (status === 'SUCCESS') report.passed.push(check);
      if (status === 'SKIPPED') report.skipped.set(check, String(errorMessage));
      if (status === 'FAILURE' || status === 'WARNING') report.failures.set(check, String(errorMessage));
    }
  }
  return report;
}
