import { readFile } from 'node:fs/promises';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, createClient, firstRun, type GatehouseProcess } from '../../libs/testing/index.js';
import { type Ended, runAdmin } from '../support/admin.js';
import { ExtensionFolder } from '../support/extensions.js';
import { startGatehouse } from '../support/gatehouse.js';

const GREETING = `
  import { Controller, Get, Module, NotFoundException, Param } from '@nestjs/common';
  import { Access, Extension, InWorkspace, NotFound } from '@gatehouse/extension';

  export default function greeting({ wordOfWelcome }) {
    @Controller('v1/greeting')
    class GreetingController {
      /** Greet the workspace */
      @Get()
      @Access({ scope: 'greeting:read', role: 'member' })
      greet(@InWorkspace() caller) {
        return { text: wordOfWelcome + ', ' + caller.workspace.name };
      }

      /** Fail in Nest's words, or in ours */
      @Get('failures/:kind')
      @Access({ role: 'guest' })
      fail(@Param('kind') kind) {
        throw kind === 'nest' ? new NotFoundException() : new NotFound('greeting');
      }
    }

    @Extension({ scopes: ['greeting'] })
    @Module({ controllers: [GreetingController] })
    class GreetingModule {
      static version = '1.2.3';
    }
    return GreetingModule;
  }`;

const SLACK = `
  import { Injectable, Module } from '@nestjs/common';
  import { Loop } from '@gatehouse/extension';

  @Injectable()
  class Hello {
    @Loop({ every: 60_000 })
    async pass() { console.log('slack was here'); }
  }

  @Module({ providers: [Hello] })
  export default class SlackModule {}`;

describe('a service with extensions', () => {
  let folder: ExtensionFolder;
  let gatehouse: GatehouseProcess;
  let api: Client;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await ExtensionFolder.make();
    const greeting = await folder.add('greeting', GREETING);
    const slack = await folder.install('@acme/gatehouse-slack', '2.0.1', SLACK);
    env = { GATEHOUSE_EXTENSIONS: `${greeting}, ${slack}`, EXTENSION_GREETING_WORD_OF_WELCOME: 'Hello' };
    gatehouse = await startGatehouse({ workingDirectory: folder.path, env });
    const { personalAccessToken: token, workspace } = await firstRun(gatehouse);
    api = createClient({ baseUrl: gatehouse.baseUrl, token, workspace });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await folder?.remove();
  });

  it('names them with their versions', async () => {
    const { body } = await api.get('/health/ready');
    const extensions = [
      { name: 'greeting', version: '1.2.3' },
      { name: 'slack', version: '2.0.1' },
    ];
    expect(body).toMatchObject({ status: 'ready', extensions });
    const { stdout, code } = await runAdmin(['extensions'], env, '', folder.path);
    expect(stdout).toBe('greeting 1.2.3 (./greeting.mjs)\nslack 2.0.1 (@acme/gatehouse-slack)\n');
    expect(code).toBe(0);
  });

  it('makes a module of its settings, and has its loops pass', async () => {
    const key = await api.post('/v1/workspace/api-keys', { name: 'greeter' });
    const byKey = createClient({ baseUrl: gatehouse.baseUrl, token: key.body?.key });
    const session = await signedIn(gatehouse);
    const response = await session.get('/v1/greeting');
    expect(response.body).toEqual({ text: expect.stringMatching(/^Hello, ./) });
    expect((await byKey.get('/v1/greeting')).status).toBe(key.status === 201 ? 200 : 401);
    await expect.poll(gatehouse.output).toContain('slack was here');
  });

  it('shares its packages with them, so that an error is the same class on both sides', async () => {
    const ours = await api.get('/v1/greeting/failures/ours');
    expect(ours.status).toBe(404);
    expect(ours.body.error).toMatchObject({ code: 'not_found', message: 'There is no such greeting.' });
    const nest = await api.get('/v1/greeting/failures/nest');
    expect(nest.status).toBe(404);
    expect(nest.body.error.code).toBe('not_found');
  });

  it('treats their routes as its own: access, limits, OpenAPI', async () => {
    expect((await createClient({ baseUrl: gatehouse.baseUrl }).get('/v1/greeting')).status).toBe(401);
    // The token is from a start without the extension, which gave it every scope of then.
    const refused = await api.get('/v1/greeting');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('greeting:read');
    expect(refused.headers.get('ratelimit')).toBeTruthy();
    const { body: document } = await api.get('/v1/openapi.json');
    expect(document.paths['/v1/greeting'].get).toMatchObject({
      operationId: 'greeting.greet',
      tags: ['Greeting'],
      'x-access': { role: 'member', scope: 'greeting:read' },
    });
    const { scopes } = document.components.schemas.PersonalTokenInput.properties;
    expect(scopes.items.enum).toContain('greeting:write');
  });
});

async function signedIn(gatehouse: GatehouseProcess): Promise<Client> {
  const { email, password, workspace } = await firstRun(gatehouse);
  const { baseUrl } = gatehouse;
  const login = await createClient({ baseUrl }).post('/v1/auth/login', { email, password });
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  return createClient({ baseUrl, cookie, workspace });
}

/** What cannot be loaded: the same words stop a start. */
describe('an extension that cannot be loaded', () => {
  let folder: ExtensionFolder;

  beforeAll(async () => {
    folder = await ExtensionFolder.make();
  });

  afterAll(() => folder.remove());

  const refusal = async (...references: string[]): Promise<string> => {
    const env = { GATEHOUSE_EXTENSIONS: references.join(',') };
    const { code, stderr }: Ended = await runAdmin(['extensions'], env, '', folder.path);
    expect(code).toBe(1);
    return stderr;
  };
  it.each([
    [
      'a file that is not there',
      './nowhere.mjs',
      /The extension \.\/nowhere\.mjs cannot be used: there is no file \//,
    ],
    [
      'a package that is not installed',
      '@acme/missing',
      /@acme\/missing cannot be used: no package of that name/,
    ],
  ])('%s', async (_, reference, words) => {
    expect(await refusal(reference)).toMatch(words);
  });

  it.each([
    [
      'throws',
      `throw new Error('no license');`,
      /it throws when it is imported: no license\n\s+at .*throws\.mjs:/,
    ],
    ['no default export', `export const acme = 1;`, /its default export is no Nest module/],
    ['a function that returns none', `export default () => ({});`, /its function returned no Nest module/],
    [
      'a function that throws',
      `export default ({ url }) => { if (!url) throw new Error('set EXTENSION_X_URL'); };`,
      /it throws when it is given its settings: set EXTENSION_X_URL/,
    ],
    [
      'a private part of the program',
      `import '@gatehouse/extension/private';`,
      /it throws when it is imported/,
    ],
  ])('%s', async (name, source, words) => {
    expect(await refusal(await folder.add(name.replaceAll(' ', '-'), source))).toMatch(words);
  });

  it('is called after its file, with or without `.extension`', async () => {
    const named = await folder.add('greeting.extension', GREETING);
    const { code, stdout } = await runAdmin(['extensions'], { GATEHOUSE_EXTENSIONS: named }, '', folder.path);
    expect([code, stdout]).toEqual([0, 'greeting 1.2.3 (./greeting.extension.mjs)\n']);
  });

  it('a prefix of ids that is taken', async () => {
    const source = `import { defineId } from '@gatehouse/extension'; export default defineId('run');`;
    expect(await refusal(await folder.add('ids', source))).toMatch(
      /Ids that begin with "run_" are something else's/,
    );
  });

  it('stops the start', async () => {
    await expect(
      startGatehouse({ workingDirectory: folder.path, env: { GATEHOUSE_EXTENSIONS: './nowhere.mjs' } }),
    ).rejects.toThrow('The extension ./nowhere.mjs cannot be used: there is no file');
  });
});

/** An entity whose migration was never written. */
const NOTES = `
  import { Module } from '@nestjs/common';
  import { TypeOrmModule } from '@nestjs/typeorm';
  import { Column, Entity, PrimaryColumn } from 'typeorm';
  import { CREATED, Extension, ID } from '@gatehouse/extension';

  class MakeNotes1760000000000 {
    async up(runner) { await runner.query('CREATE TABLE notes (id text COLLATE "C" PRIMARY KEY)'); }
    async down(runner) { await runner.query('DROP TABLE notes'); }
  }

  @Entity('notes')
  class Note {
    @PrimaryColumn(ID) id;
    @Column('text', { default: 'a \`word\`' }) text;
  }

  @Entity('notes_seen')
  class Seen {
    @PrimaryColumn(ID) id;
    @Column(CREATED) createdAt;
  }

  @Extension({ name: 'notes', migrations: [MakeNotes1760000000000] })
  @Module({ imports: [TypeOrmModule.forFeature([Note, Seen])] })
  export default class NotesExtension {}`;

describe('`extensions diff`', () => {
  it('prints the migration that the tables lack, changes nothing, and there is no way back from it', async () => {
    const folder = await ExtensionFolder.make();
    const gatehouse = await startGatehouse();
    try {
      await folder.add('notes.extension', NOTES);
      // From elsewhere: the setting says where it is.
      const env = {
        GATEHOUSE_EXTENSIONS_DIR: folder.path,
        GATEHOUSE_EXTENSIONS: './notes.extension.mjs',
        DATABASE_URL: gatehouse.databaseUrl,
      };
      const { code, stdout, stderr } = await runAdmin(['extensions', 'diff', 'notes'], env);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^export class ChangeNotes\d+ \{$/m);
      const migration = stdout.replace(/^export class \w+/m, 'class ChangeNotes1760000000001');
      await folder.add(
        'notes.extension',
        `${migration}\n${NOTES.replace('[MakeNotes1760000000000]', '[MakeNotes1760000000000, ChangeNotes1760000000001]')}`,
      );
      const again = await runAdmin(['extensions', 'diff', 'notes'], env);
      expect([again.code, again.stdout]).toEqual([
        0,
        '// The tables have all that the entities of notes have.\n',
      ]);
      const client = new pg.Client({ connectionString: gatehouse.databaseUrl });
      await client.connect();
      const { rows } = await client.query(`SELECT to_regclass('notes') AS "table"`);
      await client.end();
      expect(rows).toEqual([{ table: null }]);
      await gatehouse.stop();
      await (await startGatehouse({ env })).stop();
      // And the version of before is refused on what this one has made.
      await folder.add('notes.extension', NOTES);
      await expect(startGatehouse({ env })).rejects.toThrow(
        'The extension ./notes.extension.mjs cannot be used: the database has had its migration ChangeNotes1760000000001, which this version does not have. Put back the newer version',
      );
    } finally {
      await gatehouse.stop();
      await folder.remove();
    }
  });
});

/** The examples as an operator has them: compiled, in a folder without packages. */
describe('the examples in a real service', () => {
  let folder: ExtensionFolder;
  let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await ExtensionFolder.make();
    const compiled = (name: string) =>
      readFile(`examples/${name}/${name}.extension.ts`, 'utf8').then((text) => folder.add(name, text));
    env = {
      GATEHOUSE_EXTENSIONS: `${await compiled('tickets')},${await compiled('deploy-action')}`,
      EXTENSION_DEPLOY_ACTION_SERVICES: 'api',
    };
    gatehouse = await startGatehouse({ workingDirectory: folder.path, env });
  });

  afterAll(async () => {
    await gatehouse?.kill();
    await folder?.remove();
  });

  it('work', async () => {
    const api = await signedIn(gatehouse);
    expect((await api.post('/v1/tickets', { title: 'Loaded' })).status).toBe(201);
    const { paths, components } = (await api.get('/v1/openapi.json')).body;
    expect(paths['/v1/tickets'].get.responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/TicketPage',
    });
    expect(components.schemas.TicketPage.properties.items).toMatchObject({
      items: { $ref: expect.stringMatching(/\/Ticket(Dto)?$/) },
    });
    const { body } = await api.get('/v1/workspace/approval-actions');
    expect(body.items.map(({ id }: { id: string }) => id)).toContain('deploy_action.key');
    expect((await api.get('/docs/audit')).text).toContain('deploy_action.key_made');
    const types = await api.get('/v1/workspace/event-types');
    expect(types.body.items.map(({ type }: { type: string }) => type)).toContain('tickets.overdue');
  });

  it('go with their tables once the service is stopped, and not before', async () => {
    const admin = (...args: string[]): Promise<Ended> =>
      runAdmin(['extensions', ...args], { ...env, DATABASE_URL: gatehouse.databaseUrl }, '', folder.path);
    const early = await admin('remove', 'tickets');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('This takes a stopped instance')]);
    await gatehouse.stop();
    const unknown = await admin('remove', 'nothing');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('has no extension "nothing"'),
    ]);
    const { code, stdout, stderr } = await admin('remove', 'tickets');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('1 migration of tickets is undone.');
    const client = new pg.Client({ connectionString: gatehouse.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT to_regclass('tickets') AS "table", (SELECT count(*)::int FROM extension_migrations) AS recorded`,
    );
    await client.end();
    expect(rows).toEqual([{ table: null, recorded: 0 }]);
  });
});
