import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ClientPrograms } from '../../test/client-programs.js';
import { isInstalled, PYTHON, pythonPackage } from '../../test/python-package.js';
import { PostgresGate } from '../../test/postgres-fixture.js';
import type { PostgresOptions } from './postgres-options.js';

const run = promisify(execFile);

const PSYCOPG_3 = `
import psycopg
with psycopg.connect("") as conn:
    with conn.transaction():
        print(conn.execute("SELECT %s::int + 1", [41]).fetchone()[0])
    with conn.cursor("named") as cursor:
        print(sum(row[0] for row in cursor.execute("SELECT generate_series(1, 1000)")))
    with conn.cursor().copy("COPY (SELECT generate_series(1, 3)) TO STDOUT") as copy:
        print(len(b"".join(bytes(part) for part in copy)))
    with conn.pipeline():
        cursors = [conn.execute("SELECT %s::int", [n], prepare=True) for n in range(20)]
        print(sum(cursor.fetchone()[0] for cursor in cursors))
    conn.commit()
    print(type(psycopg.errors.lookup("57014")).__name__)
    if not READ_ONLY:
        conn.execute("CREATE TEMP TABLE t (n int)")
        with conn.cursor().copy("COPY t FROM STDIN") as copy:
            for n in range(5000): copy.write_row([n])
        print(conn.execute("SELECT count(*) FROM t").fetchone()[0])
    else:
        try: conn.execute("CREATE TEMP TABLE t (n int)")
        except psycopg.errors.ReadOnlySqlTransaction as error: print(error.diag.message_primary)
`;
const PSYCOPG_2 = `
import psycopg2
conn = psycopg2.connect("")
with conn, conn.cursor() as cursor:
    cursor.execute("SELECT %s + 1", [41]); print(cursor.fetchone()[0])
conn.set_session(readonly=True)
with conn, conn.cursor("named") as cursor:
    cursor.execute("SELECT generate_series(1, 1000)"); print(sum(row[0] for row in cursor))
conn.cancel()
`;
const ASYNCPG = `
import asyncio, asyncpg
async def main():
    pool = await asyncpg.create_pool(min_size=2, max_size=4)
    async with pool.acquire() as conn:
        print(await conn.fetchval("SELECT $1::int + 1", 41))
        async with conn.transaction():
            print(sum([row[0] async for row in conn.cursor("SELECT generate_series(1, 1000)")]))
    async with pool.acquire() as conn:
        try: await conn.fetchval("SELECT pg_sleep(60)", timeout=0.2)
        except asyncio.TimeoutError: print("cancelled")
        print(await conn.fetchval("SELECT 1"))
    await pool.close()
    conn = await asyncpg.connect(statement_cache_size=0)
    print(await conn.fetchval("SELECT $1::int + 2", 40))
    await conn.close()
asyncio.run(main())
`;

describe('clients that know nothing of the gate', { tags: 'slow' }, () => {
  const programs = ClientPrograms.forEach();

  describe.each([
    ['a whole session', {}],
    ['one that only reads', { readOnly: true, statementTimeoutMs: 60_000 }],
  ] as [string, Partial<PostgresOptions>][])('%s', (_name, options) => {
    const isReadOnly = 'readOnly' in options;
    const inPython = async (requirement: string, code: string): Promise<string> => {
      const folder = await pythonPackage(requirement);
      const program = `READ_ONLY = ${isReadOnly ? 'True' : 'False'}\n${code}`;
      return programs.run(PYTHON, ['-c', program], options, { env: { PYTHONPATH: folder } });
    };

    it('psycopg 3', async () => {
      const said = (await inPython('psycopg[binary]==3.3.9', PSYCOPG_3)).split('\n');
      expect(said.slice(0, 4)).toEqual(['42', '500500', '6', '190']);
      expect(said[5]).toBe(
        isReadOnly ? 'CREATE does not pass the gate: this connection only reads.' : '5000',
      );
    });

    it('psycopg 2', async () => {
      expect(await inPython('psycopg2-binary==2.9.13', PSYCOPG_2)).toBe('42\n500500\n');
    });

    it('asyncpg', async () => {
      expect(await inPython('asyncpg==0.32.0', ASYNCPG)).toBe('42\n500500\ncancelled\n1\n42\n');
    });

    it.runIf(isInstalled('psql'))('psql', async () => {
      const commands = ['\\conninfo', '\\dt', '\\d kept', 'SELECT 41 + 1 AS answer', '\\copy kept TO STDOUT'];
      const said = await programs.run(
        'psql',
        ['-X', ...commands.flatMap((command) => ['-c', command])],
        options,
      );
      expect(said).toContain('42');
      expect(said).toContain('Table "public.kept"');
      expect(programs.gate.refused).toEqual([]);
      await programs.gate.close();
      const wrote = programs.run(
        'psql',
        ['-X', '-v', 'ON_ERROR_STOP=1', '-c', 'INSERT INTO kept VALUES (1)'],
        options,
      );
      if (isReadOnly) await expect(wrote).rejects.toThrow('this connection only reads');
      else expect(await wrote).toBe('INSERT 0 1\n');
    });
  });

  it.runIf(isInstalled('psql'))('psql over TLS, as strictly as it can', async () => {
    const gate = (programs.gate = await PostgresGate.open(programs.server.port));
    const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
    const folder = await mkdtemp('/tmp/gate-clients-');
    await writeFile(`${folder}/ca.pem`, gate.certificate);
    const address = `host=db.test hostaddr=127.0.0.1 port=${gate.port} user=x dbname=postgres sslmode=verify-full sslrootcert=${folder}/ca.pem`;
    const { stdout } = await run('psql', ['-X', address, '-c', '\\conninfo']);
    expect(stdout).toContain('SSL connection (protocol: TLSv1.3');
    await rm(folder, { recursive: true });
  });
});
