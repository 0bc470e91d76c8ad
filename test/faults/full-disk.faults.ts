import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  createClient,
  firstRun,
  type GatehouseProcess,
  startGatehouse,
} from '../../libs/testing/index.js';
import { newDatabase } from '../support/gatehouse.js';
import { newVersion, python, run, type TestScript } from '../support/scripts.js';
import { SmallDisk } from '../support/small-disk.js';

const RESERVE_MB = 64;
/** A server that ended is tried again after at most half a minute. */
const PATIENCE = { timeout: 60_000, interval: 250 };
const FULL =
  /^The disk of GATEHOUSE_(DATA|FILES) is full but for \d+ MB, .* New uploads and runs are refused/;

/** Only root may mount a disk that can be filled. */
const isRoot = process.getuid!() === 0;
describe.skipIf(!isRoot).each(['of the embedded database', 'of the files'])(
  'a disk %s that is full',
  { timeout: 180_000 },
  (which) => {
    const isDatabases = which === 'of the embedded database';
    let disk: SmallDisk;
    let gatehouse: GatehouseProcess;
    let api: Client;
    let script: TestScript;

    const get = (path: string): Promise<Answer> => createClient({ baseUrl: gatehouse.baseUrl }).get(path);
    const ready = async (): Promise<number> => (await get('/health/ready')).status;
    const upload = (): Promise<Answer> =>
      api.post('/v1/files?name=a.txt', Buffer.alloc(1_000_000, 'a'), { 'content-type': 'text/plain' });
    const problem = async (): Promise<string> => (await get('/health/ready')).body.error?.message ?? '';
    const diskSays = async (): Promise<string> => (await get('/health/ready')).body.checks?.disk ?? '';

    beforeAll(async () => {
      disk = await SmallDisk.mount(isDatabases ? 768 : 256);
      const env: Record<string, string> = {
        GATEHOUSE_DISK_RESERVE_MB: String(RESERVE_MB),
        GATEHOUSE_RATE_LIMIT: '0',
        ...(!isDatabases && {
          DATABASE_URL: await newDatabase(),
          GATEHOUSE_FILES: `file:${join(disk.path, 'files')}`,
        }),
      };
      gatehouse = await startGatehouse({
        env,
        ...(isDatabases && { dataDirectory: join(disk.path, 'data') }),
      });
      const { personalAccessToken, workspace } = await firstRun(gatehouse);
      api = createClient({ baseUrl: gatehouse.baseUrl, token: personalAccessToken!, workspace: workspace! });
      script = await python(api, 'print("ran")');
    });
    afterAll(async () => {
      await gatehouse?.stop();
      await disk?.unmount();
    });

    it('refuses what would fill it before it is full, and nothing else', async () => {
      const { body: before } = await run(api, script);
      expect(before).toMatchObject({ status: 'succeeded' });
      await disk.fillUpTo(RESERVE_MB / 2);
      await expect.poll(diskSays, PATIENCE).toMatch(FULL);
      const refused = [
        await upload(),
        await run(api, script),
        await api.post(`/v1/runs/${before.id}/rerun`, {}),
        await api.post(`/v1/scripts/${script.slug}/versions`, { archive: '' }),
      ];
      for (const { status, body, headers } of refused) {
        expect([status, body.error.code]).toEqual([503, 'unavailable']);
        expect(body.error.message).toMatch(FULL);
        expect(body.error.message).not.toContain(disk.path);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await api.get(`/v1/runs/${before.id}`)).body).toMatchObject({
        status: 'succeeded',
        output: 'ran',
      });
      expect((await api.post('/v1/workspace/environments', { name: `room-${Date.now()}` })).status).toBe(201);
      const place = isDatabases ? 'database' : 'files';
      expect((await get('/metrics')).text).toContain(`gatehouse_disk_low{place="${place}"} 1`);
      expect(gatehouse.output()).toContain('is full but for');
    });

    it('is survived when nothing more fits at all, and is over when there is room again', async () => {
      await disk.fillUpTo(0);
      if (isDatabases) await growUntilItFails(gatehouse);
      // An embedded server that ended may be back for a moment, until it has to write.
      await expect
        .poll(problem, PATIENCE)
        .toMatch(isDatabases ? /database: / : /storage: No space is left in the file store/);
      expect((await get('/health/live')).status).toBe(200);
      expect([(await upload()).status, (await run(api, script)).status]).toEqual([503, 503]);
      const { status } = await api.post('/v1/workspace/environments', { name: `full-${Date.now()}` });
      expect(isDatabases ? [201, 503] : [201]).toContain(status);
      expect(gatehouse.process.exitCode).toBeNull();

      await disk.empty();
      await expect.poll(ready, PATIENCE).toBe(200);
      await expect.poll(diskSays, PATIENCE).toBe('ok');
      expect((await upload()).status).toBe(201);
      await newVersion(api, script.slug, { 'main.py': 'print("ran")' });
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded', output: 'ran' });
      expect(gatehouse.output()).toMatch(/The disk of GATEHOUSE_(DATA|FILES) has room again/);
    });
  },
);

/** Writes to the database from beside until it cannot, as its own growth would: its log of changes is what needs room. */
async function growUntilItFails({ dataDirectory }: GatehouseProcess): Promise<void> {
  const { url } = JSON.parse(await readFile(join(dataDirectory, 'postgres.json'), 'utf8')) as { url: string };
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const failure = await (async () => {
    for (;;) await client.query('SELECT pg_logical_emit_message(false, $1, repeat($1, 1000000))', ['x']);
  })().catch((error: unknown) => error as Error);
  await client.end().catch(() => undefined);
  expect(String(failure)).toMatch(/No space left|terminat|ECONNRESET|EPIPE/);
}
