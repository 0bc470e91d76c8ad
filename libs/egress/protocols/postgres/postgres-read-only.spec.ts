import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, SERVERS, startPostgres } from '../../test/postgres-server.js';
import { ATTACKS, READS } from '../../test/sql-statements.js';
import { codesOf, RawPostgres, say, typesOf } from '../../test/raw-postgres.js';

const REFUSED = /^(?:25006|42501)$/;

for (const { name, programs, tags } of SERVERS) {
  describe(`a session of ${name} that only reads`, { tags }, () => {
    let server: PostgresServer;
    let gate: PostgresGate;
    let client: pg.Client;

    beforeAll(async () => {
      server = await startPostgres(new CertificateAuthority(), programs);
      await server.admin.query(`
      CREATE ROLE service SUPERUSER LOGIN PASSWORD '${PASSWORD}';
      CREATE TABLE kept (n int);
      INSERT INTO kept VALUES (42);
      CREATE TABLE other (n int);
      CREATE SEQUENCE counted;
      CREATE MATERIALIZED VIEW viewed AS SELECT 1;
      CREATE FUNCTION evil_off() RETURNS text LANGUAGE sql VOLATILE
        AS 'SELECT set_config(''default_transaction_read_only'', ''off'', false)';
      CREATE FUNCTION evil_strings() RETURNS text LANGUAGE sql VOLATILE
        AS 'SELECT set_config(''standard_conforming_strings'', ''off'', false)';
      CREATE FUNCTION evil_write() RETURNS int LANGUAGE sql VOLATILE
        AS 'INSERT INTO kept VALUES (1) RETURNING n';
      CREATE PROCEDURE evil_call() LANGUAGE sql AS 'INSERT INTO kept VALUES (1)'`);
    });
    beforeEach(async () => {
      gate = await PostgresGate.open(server.port, { readOnly: true });
    });
    afterEach(async () => {
      await gate.close();
      expect((await server.admin.query('SELECT n FROM kept')).rows).toEqual([{ n: 42 }]);
      const { rows } = await server.admin.query(
        "SELECT relname FROM pg_class WHERE relname = 'made' UNION ALL SELECT oid::text FROM pg_largeobject_metadata",
      );
      expect(rows).toEqual([]);
    });
    afterEach(async () => void (await server.admin.query('DELETE FROM kept WHERE n <> 42')));
    afterAll(() => server.close());

    const raw = async (): Promise<RawPostgres> => RawPostgres.open(await gate.raw());

    it.each(['simple', 'extended'] as const)('refuses every way to write: %s', async (queryMode) => {
      client = await gate.client();
      for (const text of ATTACKS) {
        const told = client.query({ text, queryMode } as pg.QueryConfig).then(
          () => 'passed',
          ({ code }: { code: string }) => code,
        );
        const code = await told;
        // The extended protocol takes one statement only.
        if (!(queryMode === 'extended' && code === '42601')) expect(code, text).toMatch(REFUSED);
        await client.query('ROLLBACK');
        const { rows } = await client.query("SELECT current_setting('transaction_read_only') AS state");
        expect(rows, text).toEqual([{ state: 'on' }]);
      }
      expect(gate.refused.length).toBeGreaterThanOrEqual(ATTACKS.length);
    });

    it.each(['simple', 'extended'] as const)('lets everything pass that reads: %s', async (queryMode) => {
      client = await gate.client();
      for (const text of READS) {
        if (queryMode === 'extended' && /;.*\S|COPY|ROLLBACK TO a|SAVEPOINT/.test(text)) continue;
        if (text.startsWith('COPY')) continue;
        const refused = gate.refused.length;
        await client.query({ text, queryMode } as pg.QueryConfig).catch(() => undefined);
        expect(gate.refused.slice(refused), text).toEqual([]);
      }
      await client.query('ROLLBACK');
    });

    it.each([
      ['TRUNCATE kept', 'TRUNCATE does not pass the gate'],
      ['(DELETE FROM kept)', 'This statement does not pass the gate'],
      ['DISCARD TEMP', 'DISCARD passes the gate only as DISCARD ALL, DISCARD PLANS or DISCARD SEQUENCES'],
    ])('says why it does not pass: %s', async (sql, reason) => {
      client = await gate.client();
      const message = `${reason}: this connection only reads.`;
      await expect(client.query(sql)).rejects.toMatchObject({ message });
      expect(gate.refused).toEqual([message.replace(/^This/, 'this').replace(/\.$/, '')]);
    });

    it('copies out', async () => {
      const session = await raw();
      const got = await session.send(say.query('COPY kept TO STDOUT')).until('Z');
      expect(typesOf(got)).toBe('HdcCZ');
      expect(got[1]!.body.toString()).toBe('42\n');
    });

    it('begins each transaction anew as one that only reads, whatever a function has set', async () => {
      client = await gate.client();
      await client.query('SELECT evil_off()');
      await expect(client.query('SELECT evil_write()')).rejects.toMatchObject({ code: '25006' });
      await client.query('BEGIN; SELECT evil_off()');
      await expect(client.query('SELECT evil_write()')).rejects.toMatchObject({ code: '25006' });
      await client.query('COMMIT');
      await client.query('BEGIN');
      await expect(client.query('SELECT evil_write()')).rejects.toMatchObject({ code: '25006' });
    });

    it.each([
      ['after COMMIT', [say.run('SELECT evil_off()'), say.run('COMMIT'), say.run('SELECT evil_write()')]],
      [
        'after ROLLBACK',
        [say.run('BEGIN'), say.run('SELECT evil_off()'), say.run('ROLLBACK'), say.run('SELECT evil_write()')],
      ],
      [
        'after DISCARD ALL',
        [say.run('DISCARD ALL'), say.run('SELECT evil_off()'), say.run('SELECT evil_write()')],
      ],
      [
        'by a name for COMMIT',
        [
          say.run('SELECT evil_off()'),
          say.run('COMMIT', 'c'),
          say.parse('SELECT evil_write()', 'w'),
          say.bind('w'),
          say.execute(),
        ],
      ],
      [
        'by a portal that was bound before',
        [
          say.run('SELECT evil_off()'),
          say.parse('COMMIT', 'c'),
          say.parse('SELECT evil_write()', 'w'),
        ].concat([...[say.bind('c', 'one'), say.bind('w', 'two'), say.execute('one'), say.execute('two')]]),
      ],
      [
        'by EXECUTE of what was parsed',
        [
          say.parse('COMMIT', 'c'),
          say.run('SELECT evil_off()'),
          say.run('EXECUTE c'),
          say.run('SELECT evil_write()'),
        ],
      ],
      [
        'by strings that are read otherwise',
        [
          say.run('SELECT evil_strings()'),
          say.run("SELECT '\\', 1; --'"),
          say.run("SELECT 'a\\', evil_off() --'"),
        ],
      ],
      [
        'in a Query behind a group',
        [say.run('SELECT evil_off()'), say.run('COMMIT'), say.query('SELECT evil_write()')],
      ],
    ])('ends a pipeline without Sync %s', async (_name, messages) => {
      const session = await raw();
      const got = await session.send(...messages, say.sync).until('Z');
      expect(codesOf(got).join()).toMatch(/^(?:42501|25006)$/);
      const again = await session.send(say.sync).until('Z');
      expect(typesOf(again)).toMatch(/Z$/);
      const fine = await session.send(say.query('SELECT 1')).until('C');
      expect(typesOf(fine)).toMatch(/TDC$/);
    });

    const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
    it.each([
      [
        'a portal that the group before has bound',
        [say.parse('COMMIT', 'c'), say.bind('c', 'p'), say.sync],
        [say.execute('p')],
      ],
      ['an unnamed portal', [say.parse('COMMIT', 'c'), say.bind('c'), say.sync], [say.execute()]],
      [
        'a portal with a name that the server cuts',
        [say.parse('COMMIT', 'c'), say.bind('c', 'p'.repeat(70)), say.sync],
        [say.execute('p'.repeat(63))],
      ],
      [
        'a portal whose Bind is too long to be read',
        [say.parse('COMMIT', 'c'), say.bind('c', 'p'.repeat(1_100_000)), say.sync],
        [say.execute('p'.repeat(80))],
      ],
      [
        'a statement with a name that the server cuts',
        [say.parse('COMMIT', 'c'.repeat(63)), say.sync],
        [say.bind('c'.repeat(64)), say.execute()],
      ],
      [
        'a statement with a longer name',
        [say.parse('COMMIT', 'c'.repeat(90)), say.sync],
        [say.bind('c'.repeat(63)), say.execute()],
      ],
      [
        'a statement with the same name in another encoding',
        [say.query("SET client_encoding = 'LATIN1'"), say.parse('COMMIT', bytes('\xe9')), say.sync].concat([
          say.query("SET client_encoding = 'UTF8'"),
        ]),
        [say.bind(bytes('\xc3\xa9')), say.execute()],
      ],
      [
        'a portal with the same name in another encoding',
        [
          ...[say.query("SET client_encoding = 'LATIN1'"), say.parse('COMMIT', 'c')],
          ...[say.bind('c', bytes('\xe9')), say.sync, say.query("SET client_encoding = 'UTF8'")],
        ],
        [say.execute(bytes('\xc3\xa9'))],
      ],
    ])('lets nothing pass behind the end of a transaction by %s', async (_name, before, end) => {
      const session = await raw();
      const isGroup = (one: Buffer): boolean => one === say.sync || one[0] === 0x51;
      await session.send(say.query('BEGIN'), ...before).until('Z', before.filter(isGroup).length + 1);
      // Parsed before: where it is run, only its name is to be seen.
      await session.send(say.parse('SELECT evil_write()', 'w'), say.sync).until('Z');
      const messages = [say.parse('SELECT evil_off()', 'o'), say.bind('o', 'of'), say.execute('of'), ...end];
      const got = await session
        .send(...messages, say.bind('w', 'wr'), say.execute('wr'), say.sync)
        .until('Z');
      expect(codesOf(got)).toEqual(['42501']);
    });

    it('lets the groups of a transaction pass with portals of every kind', async () => {
      const session = await raw();
      await session.send(say.query('BEGIN'), say.parse('SELECT 1', 's'), say.sync).until('Z', 2);
      await session.send(say.bind('s', 'p'), say.bind('s'), say.sync).until('Z');
      const got = await session
        .send(say.execute('p'), say.execute(), say.bind('s', 'q'), say.execute('q'), say.sync)
        .until('Z');
      expect(codesOf(got)).toEqual([]);
      await session.send(say.run('COMMIT'), say.sync).until('Z');
      const after = await session.send(say.run('SELECT 1'), say.run('SELECT 2'), say.sync).until('Z');
      expect(codesOf(after)).toEqual([]);
    });

    it('does not forget what a name stands for where parsing another one fails', async () => {
      const session = await raw();
      await session.send(say.parse('COMMIT', 'c'), say.sync).until('Z');
      await session.send(say.parse('SELECT 1', 'c'), say.sync).until('Z');
      await session.send(say.parse('COMMIT'), say.bind('nobody'), say.parse('SELECT 1'), say.sync).until('Z');
      for (const name of ['', 'c']) {
        const messages = [say.run('SELECT evil_off()', `o${name}`), say.bind(name), say.execute()];
        const got = await session
          .send(...messages, say.run('SELECT evil_write()', `w${name}`), say.sync)
          .until('Z');
        expect(codesOf(got)).toHaveLength(1);
      }
    });

    it('keeps what a client has parsed without a name', async () => {
      const session = await raw();
      await session.send(say.parse('SELECT 41 + 1'), say.describe(), say.sync).until('Z');
      const got = await session.send(say.bind(), say.execute(), say.sync).until('Z');
      expect(typesOf(got)).toBe('2DCZ');
      const again = await session.send(say.bind(), say.execute(), say.sync).until('Z');
      expect(typesOf(again)).toBe('2DCZ');
    });

    it('refuses function calls beside SQL, and goes on', async () => {
      const session = await raw();
      const call = Buffer.concat([
        Buffer.from('F\0\0\0\x0e'),
        Buffer.from([0, 0, 2, 0xcb, 0, 0, 0, 0, 0, 0]),
      ]);
      const got = await session.send(call).until('Z');
      expect(codesOf(got)).toEqual(['42501']);
      expect(typesOf(await session.send(say.query('SELECT 1')).until('Z'))).toMatch(/TDCZ$/);
    });

    it('cuts a session whose strings are read otherwise', async () => {
      client = await gate.client();
      await client.query('BEGIN');
      await client.query('SELECT evil_strings()').catch(() => undefined);
      await expect(client.query('SELECT 1')).rejects.toThrow();
      expect(gate.refused).toEqual(['standard_conforming_strings of the session was changed']);
    });

    it('keeps pipelines in step where a statement of them is refused', async () => {
      const session = await raw();
      session.send(
        ...[say.run('SELECT 1'), say.sync, say.run('DELETE FROM kept'), say.run('SELECT 2'), say.sync],
        ...[say.run('SELECT 3'), say.sync, say.query('DELETE FROM kept'), say.query('SELECT 4')],
      );
      const got = await session.until('Z', 5);
      expect(codesOf(got)).toEqual(['25006', '25006']);
      expect(typesOf(got).replaceAll('S', '')).toBe('12DCZEZ12DCZEZTDCZ');
    });

    it('takes no statement of more than a megabyte, and rows of any size', async () => {
      client = await gate.client();
      const long = `SELECT '${'x'.repeat(2_000_000)}'`;
      await expect(client.query(long)).rejects.toMatchObject({ code: '54000' });
      await expect(client.query(long, [])).rejects.toMatchObject({ code: '54000' });
      const { rows } = await client.query('SELECT length($1) AS length', ['y'.repeat(3_000_000)]);
      expect(rows).toEqual([{ length: 3_000_000 }]);
    });
  });
}
