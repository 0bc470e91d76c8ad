import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  type Client,
  createClient,
  firstRun,
  type GatehouseProcess,
  startGatehouse,
} from '../../libs/testing/index.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { changedFiles, type ChangedCopy, copyWithHowTos } from '../support/how-to.js';

const MINUTE_MS = 60_000;

/** Every page of docs/how-to, carried out: what each of them adds, and that all of it is in order. */
describe('the how-tos', () => {
  let copy: ChangedCopy;
  let gatehouse: GatehouseProcess;
  let api: Client;
  let database: pg.Pool;
  const name = `how_to_${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    const url = new URL(inject('databaseUrl'));
    const main = new pg.Pool({ connectionString: url.href, max: 1 });
    await main.query(`CREATE DATABASE ${name}`);
    await main.end();
    url.pathname = name;
    database = new pg.Pool({ connectionString: url.href, max: 2 });
    copy = await copyWithHowTos();
    // It builds the program, and writes the client.
    expect(await copy.npm('run', 'fix')).toMatchObject({ code: 0 });
    gatehouse = await startGatehouse({
      program: copy.main,
      env: { DATABASE_URL: url.href, GATEHOUSE_NOTE_DAYS: '7' },
    });
    const { personalAccessToken: token, workspace } = await firstRun(gatehouse);
    api = createClient({ baseUrl: gatehouse.baseUrl, token, workspace });
  }, 10 * MINUTE_MS);

  afterAll(async () => {
    await gatehouse?.stop();
    await copy?.remove();
    await database?.end();
    const main = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 });
    await main.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await main.end();
  });

  const leave = async (text: string): Promise<string> => {
    const { status, body } = await api.post('/v1/notes', { text });
    expect(status).toBe(201);
    return body.id as string;
  };

  it('1: makes a table that is what the entity says', async () => {
    const url = new URL(inject('databaseUrl'));
    url.pathname = name;
    const { dataSourceOptions } = await import(
      pathToFileURL(join(dirname(copy.main), 'core', 'database', 'data-source.js')).href
    );
    const source = await new DataSource(
      await dataSourceOptions(new ConnectionOptions(url.href, 2)),
    ).initialize();
    try {
      expect(source.entityMetadatas.map(({ tableName }) => tableName)).toContain('notes');
      expect((await source.driver.createSchemaBuilder().log()).upQueries).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('2: has a route that is checked, listed and described', async () => {
    const id = await leave('The exports are late today.');
    expect((await api.post('/v1/notes', { text: '' })).status).toBe(400);
    const { body } = await api.get('/v1/notes?limit=1');
    expect(body.items).toMatchObject([{ id, text: 'The exports are late today.' }]);
    const { body: document } = await api.get('/v1/openapi.json');
    expect(document.paths['/v1/notes'].post.summary).toBe('Leave a note');
  });

  it('3: writes an event of a type that is described', async () => {
    const id = await leave('An event');
    const { body } = await api.get('/v1/workspace/event-types');
    expect(JSON.stringify(body)).toContain('"note.created"');
    const { rows } = await database.query(
      `SELECT data FROM events WHERE type = 'note.created' AND data ->> 'id' = $1`,
      [id],
    );
    expect(rows).toEqual([{ data: { id, text: 'An event' } }]);
  });

  it('4: has an action that somebody approves', async () => {
    const id = await leave('To be deleted');
    const asked = await api.post('/v1/workspace/approval-requests', {
      action: 'note.delete',
      input: { id },
      reason: 'It is over.',
    });
    expect(asked.body).toMatchObject({ status: 'pending', summary: 'Delete the note "To be deleted".' });
  });

  it('5: reads a setting, which .env.example explains', async () => {
    expect((await changedFiles()).get('.env.example')).toContain('GATEHOUSE_NOTE_DAYS=30');
    await expect(
      startGatehouse({ program: copy.main, env: { GATEHOUSE_NOTE_DAYS: 'many' } }),
    ).rejects.toThrow('GATEHOUSE_NOTE_DAYS');
  });

  it('6: forgets what is too old', async () => {
    const [old, young] = [await leave('Old'), await leave('Young')];
    await database.query(`UPDATE notes SET created_at = now() - interval '8 days' WHERE id = $1`, [old]);
    await expect
      .poll(async () => (await database.query('SELECT id FROM notes')).rows.map(({ id }) => id), {
        timeout: 110_000,
        interval: 500,
      })
      .not.toContain(old);
    expect((await api.get('/v1/notes')).text).toContain(young);
  });

  it(
    'leaves nothing for the check to find',
    async () => {
      expect(await copy.npm('run', 'check')).toMatchObject({
        code: 0,
        output: expect.stringContaining('In order'),
      });
    },
    20 * MINUTE_MS,
  );

  it(
    'passes the tests, its own and those that go through everything there is',
    async () => {
      const tests = ['src/migrations', 'src/core/docs', 'test/e2e/notes', 'test/security/matrix'];
      expect(await copy.npm('test', '--', ...tests)).toMatchObject({ code: 0 });
    },
    20 * MINUTE_MS,
  );
});
