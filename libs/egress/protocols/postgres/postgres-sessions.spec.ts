import { once } from 'node:events';
import type net from 'node:net';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { Dialer } from '../../dialer.js';
import { HOST, PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, SERVERS, startPostgres } from '../../test/postgres-server.js';
import { RawPostgres, say, typesOf } from '../../test/raw-postgres.js';
import type { PostgresOptions } from './postgres-options.js';
import type { PostgresParts } from './postgres-protocol.js';

for (const { name, programs, tags } of SERVERS) {
  describe(`${name} through the gate`, { tags }, () => {
    const authority = new CertificateAuthority({ name: 'Outside authority' });
    let server: PostgresServer;
    let gate: PostgresGate;

    const open = async (
      options: Partial<PostgresOptions> = {},
      parts: Partial<PostgresParts> = {},
    ): Promise<PostgresGate> => (gate = await PostgresGate.open(server.port, options, parts));

    beforeAll(async () => {
      server = await startPostgres(authority, programs);
      await server.admin.query(`
      CREATE ROLE service LOGIN PASSWORD '${PASSWORD}';
      CREATE ROLE over_tls LOGIN PASSWORD '${PASSWORD}';
      CREATE ROLE in_clear LOGIN PASSWORD '${PASSWORD}';
      CREATE ROLE own LOGIN PASSWORD 'own-password';
      CREATE ROLE reader;
      GRANT reader TO service;
      GRANT CREATE, USAGE ON SCHEMA public TO service;
      SET password_encryption = 'md5';
      CREATE ROLE old_md5 LOGIN PASSWORD '${PASSWORD}'`);
      await server.admin.query('CREATE DATABASE second');
    });
    afterEach(() => gate.close());
    afterAll(() => server.close());

    it('signs in with what the box does not know, and relays the session', async () => {
      await open();
      const client = await gate.client();
      const { rows } = await client.query('SELECT current_user AS name, $1::int + 1 AS sum', [41]);
      expect(rows).toEqual([{ name: 'service', sum: 42 }]);
      expect(gate.secretsUsed).toBe(1);
      expect([...gate.refused, ...gate.failed]).toEqual([]);
    });

    it('ends TLS of the box under the authority that it trusts', async () => {
      await open();
      const client = await gate.client({ ssl: { ca: gate.certificate, servername: 'db.test' } });
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    it.each(['require', 'verify-ca', 'verify-full'] as const)(
      'speaks TLS outward with %s, bound to it',
      async (sslmode) => {
        await open({
          sslmode,
          ca: sslmode === 'require' ? null : authority.certificate,
          credentials: { user: 'over_tls', password: PASSWORD },
        });
        const client = await gate.client();
        const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
        expect(rows).toEqual([{ ssl: true }]);
      },
    );

    it('checks the certificate by the authorities of the host alone where it has some, whatever the mode', async () => {
      const withAuthority = (certificates: string): PostgresParts['dialer'] =>
        new Dialer({
          ca: [authority.certificate],
          hostAuthorities: [{ host: `${HOST}:${server.port}`, certificates }],
        });
      const other = new CertificateAuthority().certificate;
      for (const sslmode of ['require', 'verify-ca', 'verify-full'] as const) {
        await open({ sslmode }, { dialer: withAuthority(authority.certificate) });
        await gate.client();
        await gate.close();
        await open({ sslmode }, { dialer: withAuthority(other) });
        await expect(gate.client(), sslmode).rejects.toThrow('by the authorities of this host alone');
        await gate.close();
      }
      await open({ sslmode: 'require', ca: authority.certificate }, { dialer: withAuthority(other) });
      expect((await (await gate.client()).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    it('signs in nowhere whose certificate is not to be trusted', async () => {
      await open({ sslmode: 'verify-full' });
      await expect(gate.client()).rejects.toThrow('its certificate is not to be trusted');
      expect(gate.failed).toHaveLength(1);
      expect(gate.secretsUsed).toBe(0);
    });

    it.each([
      ['in_clear', 'password in the clear'],
      ['old_md5', 'MD5'],
    ])('refuses to hand the password out: %s', async (user, reason) => {
      await open({ credentials: { user, password: PASSWORD } });
      await expect(gate.client()).rejects.toThrow(reason);
      expect(gate.secretsUsed).toBe(0);
    });

    it('says what has gone wrong in words of its own, without the password', async () => {
      await open({ credentials: { user: 'service', password: 'wrong-password' } });
      await expect(gate.client()).rejects.toThrow(
        'could not open a session at db.test: it does not accept the user or the password',
      );
      expect(gate.failed).toEqual(['it does not accept the user or the password']);
    });

    it('lets the box sign in by itself where no secret is attached', async () => {
      await open({ credentials: null, sslmode: 'require' });
      const client = await gate.client({ user: 'own', password: 'own-password' });
      expect((await client.query('SELECT current_user AS name')).rows).toEqual([{ name: 'own' }]);
      await expect(gate.client({ user: 'own', password: 'guess' })).rejects.toThrow('does not accept');
      expect(gate.secretsUsed).toBe(0);
    });

    it('opens the database that is set, whatever the client asks for', async () => {
      await open({ database: 'second' });
      const client = await gate.client();
      expect((await client.query('SELECT current_database() AS name')).rows).toEqual([{ name: 'second' }]);
    });

    it('masks the password in errors and notices', async () => {
      await open();
      const client = await gate.client();
      const told: string[] = [];
      client.on('notice', (notice) => told.push(notice.message ?? ''));
      await expect(client.query(`SELECT '${PASSWORD}'::int`)).rejects.toThrow('integer: "***"');
      await client.query(`DO $$ BEGIN RAISE NOTICE 'it is ${PASSWORD}'; END $$`);
      expect(told).toEqual(['it is ***']);
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    it('cancels a statement of its own, and of nobody else', async () => {
      await open();
      const client = await gate.client();
      const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
      const cancel = async (pid: number, key: number): Promise<void> => {
        const request = Buffer.alloc(16);
        [16, 80_877_102, pid, key].forEach((value, at) => request.writeInt32BE(value, at * 4));
        const socket = await gate.raw();
        socket.end(request);
        await once(socket.resume(), 'close');
      };
      const backend = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number;
      expect(processID).not.toBe(backend);
      const sleeping = client.query('SELECT pg_sleep(60)');
      const ended = expect(sleeping).rejects.toThrow('canceling statement due to user request');
      const isAsleep = `SELECT 1 FROM pg_stat_activity WHERE pid = ${backend} AND wait_event = 'PgSleep'`;
      await expect.poll(async () => (await server.admin.query(isAsleep)).rowCount).toBe(1);
      await cancel(processID, secretKey ^ 1);
      await cancel(backend, secretKey);
      expect(gate.dialled).toHaveLength(1);
      await cancel(processID, secretKey);
      await ended;
    });

    it('opens no more connections than declared', async () => {
      await open({ maxConnections: 2 });
      const [first] = [await gate.client(), await gate.client()];
      await expect(gate.client()).rejects.toMatchObject({ code: '53300' });
      await first!.end();
      await expect
        .poll(() =>
          gate.client().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
    });

    it.each([
      [{ replication: 'true' }, 'Replication'],
      [{ options: '-c session_preload_libraries=x' }, 'session_preload_libraries'],
      [{ options: '-x' }, 'start-up options'],
    ] as [pg.ClientConfig, string][])('refuses to start with %o', async (config, reason) => {
      await open();
      await expect(gate.client(config)).rejects.toThrow(reason);
      expect(gate.dialled).toEqual([]);
    });

    it('passes harmless settings of the start', async () => {
      await open();
      const client = await gate.client({
        application_name: 'a b',
        options: '-c search_path=a,\\ b --work-mem=2MB',
      });
      const { rows } = await client.query(
        `SELECT current_setting('application_name') AS name, current_setting('search_path') AS path,
        current_setting('work_mem') AS memory`,
      );
      expect(rows).toEqual([{ name: 'a b', path: 'a, b', memory: '2MB' }]);
    });

    it('copies in and out, in pieces and with large rows', async () => {
      await open();
      const client = await gate.client();
      await client.query('CREATE TABLE copied (text text)');
      const rows = 2_000;
      const stream = client.query(copyStreams.from('COPY copied FROM STDIN'));
      for (let row = 0; row < rows; row++)
        if (!stream.write(`${'x'.repeat(row)}\n`)) await once(stream, 'drain');
      stream.end();
      await once(stream, 'finish');
      let bytes = 0;
      for await (const chunk of client.query(copyStreams.to('COPY copied TO STDOUT')))
        bytes += (chunk as Buffer).length;
      expect(bytes).toBe((rows * (rows - 1)) / 2 + rows);
      const large = await client.query("SELECT repeat('y', 20000000) AS text");
      expect(large.rows[0].text).toHaveLength(20_000_000);
      await client.query('DROP TABLE copied');
    });

    describe('copying in by the extended protocol on a judged connection', () => {
      const copy = say.run('COPY taken FROM STDIN');
      const rows = [say.copyData('one\n'), say.copyData('two\n'), say.copyDone];
      let session: RawPostgres;

      beforeEach(async () => {
        await open({ statementTimeoutMs: 60_000, role: 'reader' });
        await server.admin.query(`
        CREATE TABLE taken (text text);
        GRANT ALL ON taken TO reader;
        CREATE FUNCTION leave() RETURNS text LANGUAGE sql AS 'SELECT set_config(''role'', ''none'', false)'`);
        session = await RawPostgres.open(await gate.raw());
      });
      afterEach(() => server.admin.query('DROP TABLE taken; DROP FUNCTION leave'));

      it.each([
        ['at once', [], [copy, ...rows, say.sync]],
        ['as libpq does', [copy, say.sync], [...rows, say.sync]],
        ['slowly', [copy], [say.sync, say.sync, ...rows, say.sync]],
      ])('%s, stays in step', async (_name, before, after) => {
        session.send(...before);
        if (before.length > 0) await session.until('G');
        expect(typesOf(await session.send(...after).until('Z'))).toMatch(/CZ$/);
        const got = await session.send(say.run('SELECT count(*)::text FROM taken'), say.sync).until('Z');
        expect(
          got
            .find(({ type }) => type === 'D')!
            .body.toString('latin1')
            .slice(-1),
        ).toBe('2');
        expect(typesOf(await session.send(say.query('SELECT 1')).until('Z'))).toMatch(/TDCZ$/);
      });

      it('does not let the next transaction begin without its role', async () => {
        session.send(say.run('SELECT leave()'), copy, ...rows, say.sync);
        const got = await session.send(say.run('SELECT current_user::text'), say.sync).until('Z', 2);
        expect(
          got
            .filter(({ type }) => type === 'D')
            .at(-1)!
            .body.toString('latin1'),
        ).toContain('reader');
      });
    });

    it('reads no faster than the other side takes it', async () => {
      await open();
      const client = await gate.client();
      const { stream } = (client as unknown as { connection: { stream: net.Socket } }).connection;
      const rows = client.query("SELECT repeat('x', 10000) AS text FROM generate_series(1, 15000)");
      await once(stream, 'data');
      stream.pause();
      const [outward] = gate.dialled;
      let read = -1;
      await expect.poll(() => read === (read = outward!.bytesRead), { interval: 300 }).toBe(true);
      expect(read).toBeLessThan(50_000_000);
      stream.resume();
      expect((await rows).rows).toHaveLength(15_000);
    });

    it('passes notifications', async () => {
      await open();
      const client = await gate.client();
      await client.query('LISTEN channel');
      const heard = once(client, 'notification');
      await server.admin.query("NOTIFY channel, 'hello'");
      expect((await heard)[0]).toMatchObject({ payload: 'hello' });
    });
  });
}
