import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { runAdmin, runStart } from '../support/admin.js';
import { newDatabase, sharedMasterKey, startGatehouse } from '../support/gatehouse.js';

const KEY = Buffer.alloc(32, 5).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 6).toString('base64');
/** Opens this machine to scripts, so one wall is missing. */
const OPENED = { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8' };
const node = process.env['GATEHOUSE_NODE'];
const NODE: Record<string, string> = node ? { GATEHOUSE_NODE: node } : {};

interface Signed {
  report: {
    version: string;
    walls: { name: string; state: string; found: string | null; cure: string | null }[];
    sums: Record<string, number>;
  };
  publicKey: string | null;
  signature: string | null;
}

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-prove-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const prove = (words: string[], env: Record<string, string> = {}) =>
  runAdmin(['prove', ...words], { GATEHOUSE_DATA: join(directory, 'data'), ...NODE, ...env });

describe('admin prove', { tags: 'slow', timeout: 240_000 }, () => {
  it('says of every wall here that it is held, or what is missing, and signs that', async () => {
    const file = join(directory, 'report.json');
    const env = { GATEHOUSE_MASTER_KEY: KEY };
    const { code, stdout, stderr } = await prove(['--json', '--output', file], env);
    expect(stderr).toBe('');
    const signed = JSON.parse(stdout) as Signed;
    const { walls, sums } = signed.report;
    expect(walls.filter(({ state }) => state === 'not-held')).toEqual([]);
    expect(code).toBe(0);
    expect(sums).toEqual({
      held: walls.filter(({ state }) => state === 'held').length,
      'not-held': 0,
      'cannot-be-here': walls.filter(({ cure }) => cure !== null).length,
    });
    expect(walls.length).toBeGreaterThan(25);
    expect(stdout).not.toContain(KEY);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(signed);

    const own = await prove(['--verify', file], env);
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining('this installation has signed it')]);
    const rotated = await prove(['--verify', file], { GATEHOUSE_MASTER_KEY: OTHER_KEY });
    expect([rotated.code, rotated.stdout]).toEqual([
      1,
      expect.stringContaining('had another master key then'),
    ]);
    await writeFile(file, JSON.stringify(signed).replace('"held"', '"not-held"'));
    const changed = await prove(['--verify', file, '--json'], env);
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.stdout)).toEqual({ verdict: 'changed', publicKey: null });
  });

  it('says which wall does not hold, what was reached, and what to change', async () => {
    const { code, stdout, stderr } = await prove([], OPENED);
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.split('\n');
    const at = lines.findIndex((line) => line.startsWith('not held'));
    expect(lines[at]).toMatch(/^not held {8}private-addresses: a request to 127\.0\.0\.1 has left$/);
    expect(lines[at + 1]).toMatch(/^ {16}Take .*GATEHOUSE_OUTBOUND_ALLOW/);
    expect(lines.filter((line) => line.startsWith('not held'))).toHaveLength(1);
    expect(lines.at(-2)).toMatch(/^\d+ held, 1 not held, \d+ cannot be here$/);
  });
});

describe('its report', () => {
  it('is signed by a key that there has to be', async () => {
    const file = join(directory, 'unsigned.json');
    const { code, stderr } = await prove(['--output', file]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^There is no master key yet in \S+ to sign/)]);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['no JSON', '[]', '{"report":{},"publicKey":"","signature":""}'])('is not %s', async (text) => {
    const file = join(directory, 'odd.json');
    await writeFile(file, text);
    const { code, stdout } = await prove(['--verify', file], { GATEHOUSE_MASTER_KEY: KEY });
    expect([code, stdout]).toEqual([1, expect.stringContaining('no report as it was signed')]);
  });
});

describe('GATEHOUSE_REQUIRE_PROOF', { tags: 'slow', timeout: 240_000 }, () => {
  it('lets a worker start whose walls hold, and shows them', async () => {
    const DATABASE_URL = await newDatabase();
    const before = Math.floor(Date.now() / 1000);
    const gatehouse = await startGatehouse({ env: { DATABASE_URL, GATEHOUSE_REQUIRE_PROOF: 'warn' } });
    try {
      const metrics = await (await fetch(`${gatehouse.baseUrl}/metrics`)).text();
      const walls = [...metrics.matchAll(/^gatehouse_wall_held\{wall="([a-z-]+)"\} ([01])$/gm)];
      expect(walls.map(([, name]) => name)).toEqual(
        expect.arrayContaining(['network', 'secrets', 'namespaces']),
      );
      const missing = walls.filter(([, , held]) => held === '0').map(([, name]) => name);
      expect(gatehouse.output().includes('Walls around scripts are missing')).toBe(missing.length > 0);
      for (const name of missing) expect(gatehouse.output()).toContain(`${name} (cannot be here)`);
      const at = Number(/^gatehouse_proof_timestamp_seconds (\S+)$/m.exec(metrics)?.[1]);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(Date.now() / 1000);
    } finally {
      await gatehouse.stop();
    }
  });

  it('stops the start of a worker where one does not, and says which', async () => {
    const { code, stderr } = await runStart({
      GATEHOUSE_DATA: join(directory, 'refused'),
      DATABASE_URL: inject('databaseUrl'),
      GATEHOUSE_MASTER_KEY: await sharedMasterKey(),
      GATEHOUSE_ROLE: 'worker',
      GATEHOUSE_REQUIRE_PROOF: 'on',
      ...NODE,
      ...OPENED,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^This worker does not start, for GATEHOUSE_REQUIRE_PROOF is on/);
    expect(stderr).toContain('private-addresses (not held): a request to 127.0.0.1 has left');
    expect(stderr).not.toContain('    at ');
  });

  it('does without no wall that could be there, and without none that there is not', async () => {
    const env = {
      GATEHOUSE_DATA: join(directory, 'refused'),
      DATABASE_URL: inject('databaseUrl'),
      GATEHOUSE_MASTER_KEY: await sharedMasterKey(),
      GATEHOUSE_ROLE: 'worker',
      GATEHOUSE_REQUIRE_PROOF: 'on',
      ...NODE,
      ...OPENED,
    };
    const held = await runStart({ ...env, GATEHOUSE_PROOF_WITHOUT: 'own-users,private-addresses' });
    expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('private-addresses (not held)')]);
    const odd = await runStart({ ...env, GATEHOUSE_PROOF_WITHOUT: 'walls' });
    expect([odd.code, odd.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^GATEHOUSE_PROOF_WITHOUT names walls that there are not: walls\. There are other-processes, /,
      ),
    ]);
  });
});
