import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, SERVERS, startPostgres } from '../../test/postgres-server.js';
import { codesOf, type Got, RawPostgres, say } from '../../test/raw-postgres.js';

const INSERT = 'INSERT INTO kept VALUES (1)';
const FIRST = 'directly behind BEGIN';

for (const { name, programs, tags } of SERVERS) {
  describe(`a client of ${name} that would get around a person`, { tags }, () => {
    let server: PostgresServer;
    let gate: PostgresGate;
    let raw: RawPostgres;
    let asked: string[] = [];
    let gone: AbortSignal | undefined;
    /** Resolved: the person has said yes. */
    let decision: Promise<void> = Promise.resolve();

    beforeAll(async () => {
      server = await startPostgres(new CertificateAuthority(), programs);
      await server.admin.query(
        `CREATE ROLE service SUPERUSER LOGIN PASSWORD '${PASSWORD}'; CREATE TABLE kept (n int);
         CREATE FUNCTION does() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      );
    });
    beforeEach(async () => {
      [asked, decision, gone] = [[], Promise.resolve(), undefined];
      gate = await PostgresGate.open(server.port, { asks: true });
      gate.decide = async ({ shown }, signal) => {
        asked.push(shown.toString());
        gone = signal;
        await decision;
        return null;
      };
      await server.admin.query('TRUNCATE kept');
      raw = await RawPostgres.open(await gate.raw());
    });
    afterEach(async () => {
      raw.socket.destroy();
      await gate.close();
    });
    afterAll(() => server.close());

    const kept = async (): Promise<number> => (await server.admin.query('SELECT n FROM kept')).rows.length;
    const said = (...messages: Buffer[]): Promise<Got[]> => raw.send(...messages).until('Z');
    const errorOf = (got: Got[]): string => got.find(({ type }) => type === 'E')?.body.toString() ?? 'none';

    it('shows by what a statement is read, which is never taken for the same again', async () => {
      const sums = new Set<string>();
      const shown = async (on: RawPostgres, ...first: Buffer[]): Promise<string | undefined> => {
        gate.decide = ({ shown: text, sha256 }) => {
          asked.push(text.toString());
          if (text.toString().endsWith(INSERT)) sums.add(sha256);
          return Promise.resolve(null);
        };
        for (const one of first) await on.send(one).until('Z');
        await on.send(say.query(INSERT)).until('Z');
        return asked.at(-1);
      };
      const open = async (parameters = {}): Promise<RawPostgres> =>
        RawPostgres.open(await gate.raw(), parameters);
      expect(await shown(raw)).toBe(INSERT);
      expect(await shown(await open({ DateStyle: 'ISO', client_encoding: 'UTF8' }))).toBe(INSERT);
      expect(sums.size).toBe(1);
      for (const [at, first] of [
        say.query('SET search_path = other, public'),
        say.query("SELECT 1; SELECT pg_catalog.set_config('DateStyle', 'SQL, DMY', false)"),
        Buffer.concat([say.parse("SET TIME ZONE 'Asia/Tokyo'", 'later'), say.sync]),
        say.query('RESET ALL'),
        say.query('BEGIN; SET LOCAL search_path = other; COMMIT'),
        say.query("SET client_encoding = 'LATIN1'"),
        say.query("UPDATE pg_settings SET setting = 'other' WHERE name = 'search_path'"),
      ].entries()) {
        expect(await shown(await open(), first), `${at}`).toMatch(/^-- In this session: .+\nINSERT/);
        expect(sums.size).toBe(at + 2);
      }
      expect(await shown(await open({ options: '-c search_path=other' }))).toBe(
        `-- In this session: search_path = other\n${INSERT}`,
      );
      for (const sql of ['SET application_name = a', 'SET enable_seqscan = off', 'SET TRANSACTION READ ONLY'])
        expect(await shown(await open(), say.query(sql)), sql).toBe(INSERT);
    });

    it('sets nothing unseen by which a statement is read', async () => {
      for (const sql of [
        "SELECT set_config('search_path', current_user, false)",
        "SELECT set_config('search_path', 'a' || 'b', false)",
        "SELECT set_config('timezone', $1, false)",
      ])
        expect(errorOf(await said(say.parse(sql), say.sync)), sql).toContain('in plain quotes');
      for (let at = 0; at < 80; at++)
        await said(say.query(`SET search_path = schema_${at}_${'x'.repeat(40)}`));
      expect(errorOf(await said(say.query(INSERT)))).toContain('more settings');
      expect(asked).toEqual([]);
    });

    it('runs nothing by EXECUTE that was prepared unseen', async () => {
      await said(say.parse(INSERT, 'tidy'), say.sync);
      const whole = [
        `${INSERT}; EXECUTE tidy`,
        'EXPLAIN ANALYZE EXECUTE tidy',
        'EXPLAIN (ANALYZE) CREATE TABLE other AS EXECUTE tidy',
        'CREATE TABLE other AS EXECUTE tidy',
        'SELECT 1; EXECUTE tidy',
        'EXECUTE tidy',
      ];
      for (const sql of whole) {
        expect(errorOf(await said(say.query(sql)))).toContain('EXECUTE does not pass');
        expect(errorOf(await said(say.run(sql), say.sync))).toContain('EXECUTE does not pass');
      }
      expect([asked, await kept()]).toEqual([[], 0]);
      await said(say.query('BEGIN'));
      await said(say.query(INSERT));
      expect(errorOf(await said(say.query('EXECUTE tidy')))).toContain('EXECUTE does not pass');
      await said(say.query('ROLLBACK'));
      expect(codesOf(await said(say.query('GRANT EXECUTE ON FUNCTION does() TO service')))).toEqual([]);
      expect(asked).toEqual([INSERT, 'GRANT EXECUTE ON FUNCTION does() TO service']);
    });

    it.each([
      ['a Parse that the server refuses', [say.parse('SELECT 1', 'set')], [say.parse('SELECT 1', 'put')]],
      [
        'a Parse or Close that the server skips',
        [say.parse('SELEC', 'bad'), say.parse('SELECT 1', 'set')],
        [say.parse('SELEC', 'bad'), say.close('put')],
      ],
    ])('does not have a statement forgotten by %s', async (_, first, second) => {
      await said(say.parse('SET TRANSACTION READ WRITE', 'set'), say.sync);
      await said(say.parse(INSERT, 'put'), say.sync);
      expect(codesOf(await said(...first, say.sync))).toHaveLength(1);
      expect(codesOf(await said(...second, say.sync))).toHaveLength(1);
      await said(say.query('BEGIN'));
      await said(say.bind('set'), say.execute(), say.sync);
      await said(say.bind('put'), say.execute(), say.sync);
      await said(say.query('COMMIT'));
      expect([asked, await kept()]).toEqual([['SET TRANSACTION READ WRITE', INSERT], 1]);
    });

    it('is asked about again when it runs the last statement without a name again', async () => {
      await said(say.run(INSERT), say.sync);
      await said(say.bind(), say.execute(), say.sync);
      expect([asked, await kept()]).toEqual([[INSERT, INSERT], 2]);
    });

    it('prepares as many as it likes, if it closes them', async () => {
      for (let round = 0; round < 70; round++) {
        const got = await said(say.run(INSERT, `s${round}`), say.close(`s${round}`), say.sync);
        expect(codesOf(got)).toEqual([]);
      }
      for (let round = 0; round < 64; round++) await said(say.parse(INSERT, `k${round}`), say.sync);
      expect(errorOf(await said(say.run(INSERT, 'more'), say.sync))).toContain('at most 64');
      await said(say.close('k0'), say.sync);
      expect(codesOf(await said(say.run(INSERT, 'more'), say.sync))).toEqual([]);
      expect([asked.length, await kept()]).toEqual([71, 71]);
    });

    it('is cut when it sends more than can be kept behind a statement that waits', async () => {
      let decide: () => void = () => undefined;
      decision = new Promise((resolve) => (decide = resolve));
      raw.send(say.run(INSERT), say.sync);
      await expect.poll(() => asked).toEqual([INSERT]);
      raw.send(say.query(`SELECT '${'x'.repeat(70_000)}'`));
      const got = await raw.until('E');
      expect([codesOf(got), errorOf(got)]).toEqual([['08P01'], expect.stringContaining('64 KiB')]);
      await expect.poll(() => gone!.aborted).toBe(true);
      decide();
      await decision;
      expect(await kept()).toBe(0);
    });

    it('is seen to hang up while a statement waits that came behind another', async () => {
      decision = new Promise(() => undefined);
      raw.send(say.query('SELECT 1'), say.run(INSERT), say.sync);
      await expect.poll(() => asked).toEqual([INSERT]);
      raw.socket.end(say.query('SELECT 2'));
      await expect.poll(() => gone!.aborted).toBe(true);
    });

    it.each([
      ['behind BEGIN', [say.run('BEGIN'), say.run('SELECT 1'), say.sync]],
      ['before BEGIN', [say.run('SELECT 1'), say.run('BEGIN'), say.sync]],
      [
        'prepared within',
        [say.parse('BEGIN'), say.parse('SELECT 1', 's'), say.bind(), say.execute(), say.sync],
      ],
      ['prepared behind', [say.run('BEGIN'), say.parse('SELECT 1', 's'), say.sync]],
      ['a Query behind BEGIN', [say.run('BEGIN'), say.query('SELECT 1')]],
    ])('nobody is asked for, where something has run in the same group: %s', async (_, group) => {
      expect(codesOf(await said(...group))).toEqual([]);
      expect(errorOf(await said(say.query(INSERT)))).toContain(FIRST);
      expect(codesOf(await said(say.query('ROLLBACK')))).toEqual([]);
      await said(say.run('BEGIN'), say.sync);
      expect(codesOf(await said(say.query(INSERT)))).toEqual([]);
      expect(asked).toEqual([INSERT]);
    });

    it('asks about nothing that cannot be shown whole', async () => {
      const long = `${INSERT} /* ${'x'.repeat(65_536)} */`;
      const inLatin1 = Buffer.from(say.query(`${INSERT} -- e`));
      inLatin1[inLatin1.length - 2] = 0xe9;
      for (const messages of [[say.query(long)], [say.run(long), say.sync], [inLatin1]])
        expect(errorOf(await said(...messages))).toContain('could not be shown all of this statement');
      expect([asked, await kept()]).toEqual([[], 0]);
    });
  });
}
