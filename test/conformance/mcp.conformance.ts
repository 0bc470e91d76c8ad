import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { connectApp } from '../security/support/matrix/agent-grants.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';
import { NOT_APPLICABLE } from './not-applicable.js';
import { authorizingProxy, type Proxy } from './support/authorizing-proxy.js';

const SUITE = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const NODE_20 = './test/conformance/support/node20.mjs';
const TIMEOUT_MS = 280_000;

let proxy: Proxy;
beforeAll(async () => {
  const workspace = await newWorkspace();
  const grant = { person: workspace.owner, workspace: workspace.slug };
  proxy = await authorizingProxy(baseUrl(), await connectApp(grant));
});
afterAll(() => proxy.close());

/** What fails must be exactly what cannot apply: a new failure and a reason that is gone both turn this red. */
describe.each(Object.entries(NOT_APPLICABLE))('the official suite for servers of %s', (revision, reasons) => {
  it(
    'finds nothing but what does not apply',
    async () => {
      const failures = await run('server', '--url', proxy.url, '--requirements', revision);
      const expected = [...reasons.fixtures, ...reasons.features];
      expect(failures.size, 'the suite has run').toBeGreaterThan(10);
      expect(new Map([...failures].filter(([check]) => !expected.includes(check)))).toEqual(new Map());
      expect(expected.filter((check) => !failures.has(check))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('the official suite for authorization servers', () => {
  it('finds the metadata as it should be', async () => {
    const scenario = 'authorization-server-metadata-endpoint';
    const failures = await run('authorization', '--url', baseUrl(), '--scenario', scenario);
    expect(failures).toEqual(new Map());
  }, 60_000);
});

/** What each check that failed says, by its scenario and id. */
async function run(...args: string[]): Promise<Map<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-conformance-'));
  try {
    await new Promise<void>((done) => {
      const given = ['--import', NODE_20, SUITE, ...args, '-o', directory];
      // It fails where any check does, whether that applies or not: what counts is read from its report.
      execFile(process.execPath, given, { maxBuffer: 64_000_000 }, () => done());
    });
    return await failuresIn(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function failuresIn(directory: string): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  const scenarios = await readdir(directory);
  expect(scenarios.length, 'scenarios with a report').toBeGreaterThan(0);
  for (const scenario of scenarios.sort()) {
    const name = scenario.replace(/^server-/, '').replace(/-20\d\d-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(await readFile(join(directory, scenario, 'checks.json'), 'utf8')) as Json[];
    for (const { id, status, errorMessage } of checks) {
      if (status === 'FAILURE' || status === 'WARNING') failures.set(`${name}: ${id}`, String(errorMessage));
    }
  }
  return failures;
}
