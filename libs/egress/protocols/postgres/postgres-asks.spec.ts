import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import type { Refusal } from '../../refusal.js';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, SERVERS, startPostgres } from '../../test/postgres-server.js';
import { RawPostgres, say } from '../../test/raw-postgres.js';
import { int32, message } from './messages.js';

const NO: Refusal = {
  status: 403,
  code: 'request_not_approved',
  reason: 'no',
  message: 'A person denied it.',
};

for (const { name, programs, tags } of SERVERS) {
  describe(`a session of ${name} of which a person is asked`, { tags }, () => {
    let server: PostgresServer;
    let gate: PostgresGate;
    let client: pg.Client;
    let asked: [command: string, target: string, shown: string][] = [];
    let verdict: Refusal | null = null;
    /** Resolved: the person has made up their mind. */
    let decision: Promise<void> = Promise.resolve();

    beforeAll(async () => {
      server = await startPostgres(new CertificateAuthority(), programs);
      await server.admin.query(
        `CREATE ROLE service SUPERUSER LOGIN PASSWORD '${PASSWORD}'; CREATE TABLE kept (n int);
         CREATE FUNCTION writes() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO kept VALUES (99) RETURNING n';
         CREATE FUNCTION runs(text) RETURNS void LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; END'`,
      );
    });
    beforeEach(async () => {
      [asked, verdict, decision] = [[], null, Promise.resolve()];
      gate = await PostgresGate.open(server.port, { asks: true });
      gate.decide = async ({ method, target, shown }) => {
        asked.push([method, target, shown.toString()]);
        await decision;
        return verdict;
      };
      await server.admin.query('TRUNCATE kept');
      client = await gate.client();
    });
    afterEach(() => gate.close());
    afterAll(() => server.close());

    const kept = async (): Promise<number[]> =>
      (await server.admin.query<{ n: number }>('SELECT n FROM kept ORDER BY n')).rows.map(({ n }) => n);

    it('reads without asking, and is kept from writing by the server', async () => {
      expect((await client.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }]);
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '25006' });
      expect([asked, await kept()]).toEqual([[], []]);
    });

    it('waits with what writes until somebody has said yes, and with all that comes behind it', async () => {
      let decide: () => void = () => undefined;
      decision = new Promise((resolve) => (decide = resolve));
      const done: string[] = [];
      const raw = await RawPostgres.open(await gate.raw());
      raw.send(say.query('INSERT INTO kept VALUES (1)'), say.query('SELECT count(*) FROM kept'));
      await expect.poll(() => asked.length).toBe(1);
      // A round trip of another connection: what was sent on would have arrived.
      await client.query('SELECT 1');
      expect([done, await kept()]).toEqual([[], []]);
      decide();
      const got = (await raw.until('Z', 2)).filter(({ type }) => type !== 'S');
      expect(got.map(({ type }) => type).join('')).toBe('CZTDCZ');
      expect(got[3]!.body.toString('latin1').at(-1)).toBe('1');
      expect(asked).toEqual([['INSERT', '/postgres', 'INSERT INTO kept VALUES (1)']]);
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '25006' });
    });

    it('shows parameters, and tells the script why it was denied', async () => {
      verdict = NO;
      const told = client.query('INSERT INTO kept SELECT $1::int WHERE $2::text IS NULL', [7, null]);
      await expect(told).rejects.toMatchObject({ code: '42501', message: 'A person denied it.' });
      expect(asked[0]![2]).toBe(
        'INSERT INTO kept SELECT $1::int WHERE $2::text IS NULL\n\n$1 = "7"\n$2 = NULL',
      );
      verdict = null;
      await client.query('INSERT INTO kept SELECT $1::int', [8]);
      expect([await kept(), (await client.query('SELECT 2 AS two')).rows]).toEqual([[8], [{ two: 2 }]]);
    });

    it('asks again about each use of a prepared statement', async () => {
      const insert = (n: number) =>
        client.query({ name: 'ins', text: 'INSERT INTO kept VALUES ($1)', values: [n] });
      await insert(1);
      await insert(2);
      verdict = NO;
      await expect(insert(3)).rejects.toMatchObject({ code: '42501' });
      expect([asked.map(([, , shown]) => shown.split('\n').at(-1)), await kept()]).toEqual([
        ['$1 = "1"', '$1 = "2"', '$1 = "3"'],
        [1, 2],
      ]);
    });

    it('runs what was shown, whatever the server has by that name', async () => {
      const raw = await RawPostgres.open(await gate.raw());
      raw.send(say.parse('INSERT INTO kept VALUES (5)', 'n'), say.sync);
      await raw.until('Z');
      raw.send(say.query(`SELECT runs('DEALLOCATE n'), runs('PREPARE n AS SELECT writes()')`));
      await raw.until('Z');
      expect(asked).toEqual([]);
      raw.send(say.bind('n'), say.execute(), say.sync);
      await raw.until('Z');
      expect([asked.map(([, , shown]) => shown), await kept()]).toEqual([
        ['INSERT INTO kept VALUES (5)'],
        [5],
      ]);
    });

    it('asks about each statement of a transaction that writes', async () => {
      await client.query('BEGIN');
      await client.query('INSERT INTO kept VALUES (1)');
      await client.query('SELECT writes()');
      verdict = NO;
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '42501' });
      await client.query('ROLLBACK');
      expect([asked.map(([command]) => command), await kept()]).toEqual([['INSERT', 'SELECT', 'SELECT'], []]);
      verdict = null;
      await client.query('BEGIN');
      await client.query('INSERT INTO kept VALUES (2)');
      await client.query('COMMIT');
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '25006' });
      expect(await kept()).toEqual([2]);
    });

    it('lets a transaction write in which statements were only prepared, and its modes set', async () => {
      const raw = await RawPostgres.open(await gate.raw());
      const group = async (...messages: Buffer[]): Promise<string> =>
        (await raw.send(...messages).until('Z')).map(({ type }) => type).join('');
      await group(say.query('BEGIN ISOLATION LEVEL REPEATABLE READ'));
      await group(say.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE'));
      expect(await group(say.parse('INSERT INTO kept SELECT 5', 'n'), say.sync)).toBe('1Z');
      expect(await group(say.bind('n'), say.execute(), say.sync)).toBe('2CZ');
      const level = (await raw.send(say.query('SHOW transaction_isolation')).until('Z')).find(
        ({ type }) => type === 'D',
      );
      expect(level!.body.toString()).toContain('serializable');
      await group(say.query('COMMIT'));
      expect([asked.map(([, , shown]) => shown), await kept()]).toEqual([
        ['INSERT INTO kept SELECT 5', 'SHOW transaction_isolation'],
        [5],
      ]);
      await group(say.query('BEGIN'));
      await group(say.parse('SELECT writes()', 'r'), say.sync);
      expect(await group(say.bind('r'), say.execute(), say.sync)).toContain('E');
      await group(say.query('ROLLBACK'));
      // Once something has run, it is too late.
      await group(say.query('BEGIN'));
      await group(say.run('SELECT 1'), say.sync);
      expect(await group(say.bind('n'), say.execute(), say.sync)).toBe('EZ');
      expect([asked.length, await kept()]).toEqual([2, [5]]);
    });

    it('asks about what was prepared in the same group, and ends that before', async () => {
      const raw = await RawPostgres.open(await gate.raw());
      const typesOf = async (...messages: Buffer[]): Promise<string> =>
        (await raw.send(...messages).until('Z'))
          .map(({ type }) => type)
          .filter((type) => type !== 'S')
          .join('');
      const insert = (n: number): Buffer[] => [
        ...[say.parse(`INSERT INTO kept SELECT ${n}`, `n${n}`), say.describe(`n${n}`), say.flush],
        ...[say.bind(`n${n}`), say.execute(), say.sync],
      ];
      expect(await typesOf(...insert(1))).toBe('1tn2CZ');
      await typesOf(say.query('BEGIN'));
      expect(await typesOf(...insert(2))).toBe('1tn2CZ');
      expect(await typesOf(...insert(3))).toBe('1tn2CZ');
      await typesOf(say.query('COMMIT'));
      expect([asked.length, await kept()]).toEqual([3, [1, 2, 3]]);
      // What has failed before would have kept it from running.
      const got = await raw.send(say.parse('SELECT missing', 'm'), say.flush, ...insert(4)).until('Z');
      expect(got.filter(({ type }) => type === 'Z')).toEqual([]);
      expect(await kept()).toEqual([1, 2, 3]);
    });

    it('does not let a transaction write that has read', async () => {
      await client.query('BEGIN');
      await client.query('SELECT n FROM kept');
      await expect(client.query('INSERT INTO kept VALUES (1)')).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('directly behind BEGIN'),
      });
      await client.query('ROLLBACK');
      expect([asked, await kept()]).toEqual([[], []]);
    });

    it.each([
      ['a setting', 'SET default_transaction_read_only = off'],
      ['one of a function', `SELECT set_config('default_transaction_read_only', 'off', false)`],
      ['one behind a statement', 'INSERT INTO kept VALUES (1); SET default_transaction_read_only = off'],
    ])('is read-only again after %s that was approved', async (_, sql) => {
      await client.query(sql);
      expect(asked).toHaveLength(1);
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '25006' });
    });

    it('keeps a transaction that an approved statement has left open', async () => {
      await client.query('INSERT INTO kept VALUES (1); BEGIN');
      verdict = NO;
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '42501' });
      await client.query('ROLLBACK AND CHAIN');
      await expect(client.query('SELECT writes()')).rejects.toMatchObject({ code: '42501' });
      await client.query('ROLLBACK');
      // It was part of that transaction.
      expect(await kept()).toEqual([]);
    });

    it('refuses what it cannot show, or cannot keep apart', async () => {
      const refused = async (...messages: Buffer[]): Promise<string> => {
        const raw = await RawPostgres.open(await gate.raw());
        const got = await raw.send(...messages).until('Z');
        raw.socket.destroy();
        return got.find(({ type }) => type === 'E')?.body.toString() ?? 'nothing was refused';
      };
      const insert = 'INSERT INTO kept VALUES (1)';
      expect(await refused(say.query('COPY kept FROM STDIN'))).toContain('could not be shown its rows');
      expect(await refused(say.query(`PREPARE x AS ${insert}`))).toContain('only for a SELECT');
      expect(await refused(say.parse(insert), say.bind(), say.sync)).toContain('cannot ask a person');
      expect(await refused(say.parse(insert), say.bind('', 'p'), say.execute('q'), say.sync)).toContain(
        'cannot ask a person',
      );
      expect(await refused(say.run('SELECT 1'), say.run(insert), say.sync)).toContain(
        'directly behind BEGIN',
      );
      expect(asked).toEqual([]);
      // Behind one that was approved, nothing runs that nobody has seen.
      const read = [say.parse('SELECT writes()', 'r'), say.sync];
      const raw = await RawPostgres.open(await gate.raw());
      await raw.send(...read).until('Z');
      const got = await raw.send(say.run(insert), say.bind('r'), say.execute(), say.sync).until('Z');
      expect(got.find(({ type }) => type === 'E')!.body.toString()).toContain('cannot be shown this one');
      expect(asked).toHaveLength(1);
      expect(await kept()).toEqual([]);
    });

    it('sends nothing after the script has hung up', async () => {
      let gone: AbortSignal | undefined;
      let decide: () => void = () => undefined;
      decision = new Promise((resolve) => (decide = resolve));
      const { decide: before } = gate;
      gate.decide = (statement, signal) => {
        gone = signal;
        return before(statement, signal);
      };
      const raw = await RawPostgres.open(await gate.raw());
      // What follows waits, and is no reason not to notice.
      raw.send(say.run('INSERT INTO kept VALUES (1)'), say.sync);
      await expect.poll(() => asked.length).toBe(1);
      raw.socket.destroy();
      await expect.poll(() => gone!.aborted).toBe(true);
      decide();
      await client.query('SELECT 1');
      expect(await kept()).toEqual([]);
    });

    it('shows bytes as bytes', async () => {
      const bind = message(
        0x42,
        Buffer.from('\0\0'),
        Buffer.from([0, 1, 0, 1, 0, 1]),
        int32(4),
        int32(258),
        Buffer.alloc(2),
      );
      const raw = await RawPostgres.open(await gate.raw());
      await raw.send(say.parse('INSERT INTO kept VALUES ($1)'), bind, say.execute(), say.sync).until('Z');
      expect([asked[0]![2].split('\n').at(-1), await kept()]).toEqual(['$1 = \\x00000102 (4 bytes)', [258]]);
    });
  });
}
