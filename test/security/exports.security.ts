import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { copyRun } from '../support/copied-rows.js';
import { exported, worldWithRun } from '../support/exports.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { run } from '../support/scripts.js';

describe('an export', () => {
  it('words that a spreadsheet would take for formulas: they are text', async () => {
    const { workspace, script, slug, token } = await worldWithRun('print(1)');
    const app = client({ cookie: workspace.owner.cookie, workspace: slug });
    const { body: key } = await app.post('/v1/workspace/api-keys', {
      name: '=HYPERLINK("https://x.example", 1)',
    });
    const { body } = await run(client({ token: key.key as string }), script);
    const { body: other } = await app.post('/v1/workspace/api-keys', { name: ';=cmd|calc' });
    await run(client({ token: other.key as string }), script);
    const response = await exported('/v1/runs/export?format=csv', token, slug);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [columns, newest, record] = (await response.text()).split('\r\n') as [string, string, string];
    expect(newest).toContain(`,"';=cmd|calc",`);
    expect(columns).toMatch(/^"id","script\.slug","version","environment","status","phase","error",/);
    expect(record).toContain(
      `"${body.id as string}","${script.slug}","1","production","succeeded","finished",,`,
    );
    expect(record).toContain(`,"'=HYPERLINK(""https://x.example"", 1)",`);
    const cells = record.replaceAll(/"(?:[^"]|"")*"/g, '').split(',');
    expect(cells).toHaveLength(columns.split(',').length);
  });

  it('by a guest or a stranger: it has no more than the list shows them', async () => {
    const { workspace, slug } = await worldWithRun('print(1)');
    const guest = await workspace.person('guest');
    expect(await (await exported('/v1/runs/export', guest.token, slug)).text()).toBe('');
    const stranger = await newWorkspace();
    expect((await exported('/v1/runs/export', stranger.owner.token, slug)).status).toBe(403);
  });

  it('once the key is revoked: it is cut off, and does not look whole', { tags: 'slow' }, async () => {
    const { workspace, slug, ended } = await worldWithRun(`raise SystemExit('x' * 4000)`);
    await copyRun(ended.id as string, 20_000);
    const app = client({ cookie: workspace.owner.cookie, workspace: slug });
    const key = (await app.post('/v1/workspace/api-keys', { name: 'Export' })).body;
    const response = await exported('/v1/runs/export', key.key as string, slug);
    expect(response.status).toBe(200);
    expect((await app.delete(`/v1/workspace/api-keys/${key.id as string}`)).status).toBe(204);
    const reader = response.body!.getReader();
    const readSlowly = async (): Promise<void> => {
      while (!(await reader.read()).done) await sleep(20);
    };
    await expect(readSlowly()).rejects.toThrow();
  });

  it('by readers that read nothing: of one key there are 20 at once', async () => {
    const { workspace, slug, ended } = await worldWithRun(`raise SystemExit('x' * 4000)`);
    await copyRun(ended.id as string, 20_000);
    const key = await workspace.apiKey();
    const open = await Promise.all(Array.from({ length: 20 }, () => exported('/v1/runs/export', key, slug)));
    try {
      expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
      expect((await exported('/v1/runs/export', key, slug)).status).toBe(429);
    } finally {
      await Promise.all(open.map((response) => response.body!.cancel()));
    }
    await expect
      .poll(async () => (await exported('/v1/runs/export?script=none', key, slug)).status)
      .toBe(200);
  });
});
