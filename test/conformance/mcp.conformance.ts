import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { baseUrl, newWorkspace } from '../support/gatehouse.js';
import { authorizingProxy, type Proxy } from './support/authorizing-proxy.js';

const SUITE = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const NODE_20 = './test/conformance/support/node20.mjs';
const TIMEOUT_MS = 280_000;

let proxy: Proxy;
beforeAll(async () => {
  const workspace = await newWorkspace();
  proxy = await authorizingProxy(baseUrl(), await workspace.owner.agent());
});
afterAll(() => proxy.close());

/** `docs/conformance.md` says why each of the expected failures does not apply. */
describe.each(['2025-11-25', '2026-07-28'])('the official suite for servers of %s', (revision) => {
  it(
    'finds nothing but what does not apply',
    async () => {
      const expected = `test/conformance/expected-${revision}.yml`;
      const options = ['--url', proxy.url, '--requirements', revision, '--expected-failures', expected];
      const { code, text } = await run('server', ...options);
      expect(code, text).toBe(0);
    },
    TIMEOUT_MS,
  );
});

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-conformance-'));
  try {
    return await new Promise((done) => {
      const given = ['--import', NODE_20, SUITE, ...args, '-o', directory];
      execFile(process.execPath, given, { maxBuffer: 64_000_000 }, (error, stdout, stderr) => {
        done({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr });
      });
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
