import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Refusal } from '../../refusal.js';
import { ClientPrograms } from '../../test/client-programs.js';
import type { PostgresGate } from '../../test/postgres-fixture.js';
import { prismaClient } from '../../test/prisma-client.js';
import { isInstalled, PYTHON, pythonPackage } from '../../test/python-package.js';

/** Of apt's `libpostgresql-jdbc-java`; what is run with it is compiled, for which it takes a JDK. */
const JDBC = '/usr/share/java/postgresql.jar';
const PATIENCE_MS = 600_000;
const DENIED: Refusal = {
  status: 403,
  code: 'request_not_approved',
  reason: 'no',
  message: 'Denied: not today.',
};

const PSYCOPG_3 = `
import psycopg
insert = "INSERT INTO kept VALUES (%s)"
with psycopg.connect("") as conn:
    # From the sixth on it is prepared first.
    for n in range(1, 9):
        with conn.transaction(): conn.execute(insert, [n])
    try: conn.execute(insert + " -- denied", [100])
    except psycopg.errors.InsufficientPrivilege as error: print(error.diag.message_primary)
    conn.rollback()
    print(conn.execute("SELECT sum(n)::int FROM kept").fetchone()[0])
`;
const PSYCOPG_2 = `
import psycopg2
insert = "INSERT INTO kept VALUES (%s)"
conn = psycopg2.connect("")
with conn, conn.cursor() as cursor:
    cursor.execute(insert, [1])
    cursor.executemany(insert, [[2], [3]])
try:
    with conn, conn.cursor() as cursor: cursor.execute(insert + " -- denied", [100])
except psycopg2.errors.InsufficientPrivilege as error: print(error.diag.message_primary)
with conn, conn.cursor() as cursor:
    cursor.execute("SELECT sum(n)::int FROM kept"); print(cursor.fetchone()[0])
`;
const ASYNCPG = `
import asyncio, asyncpg
insert = "INSERT INTO kept VALUES ($1)"
async def main():
    pool = await asyncpg.create_pool(min_size=1, max_size=1)
    async with pool.acquire() as conn:
        await conn.execute(insert, 1)
        async with conn.transaction(isolation="serializable"):
            await conn.execute(insert, 2)
            await conn.execute(insert, 3)
        try: await conn.execute(insert + " -- denied", 100)
        except asyncpg.InsufficientPrivilegeError as error: print(error)
    async with pool.acquire() as conn: print(await conn.fetchval("SELECT sum(n)::int FROM kept"))
    await pool.close()
asyncio.run(main())
`;
const PRISMA = `
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 2 }) });
const said = [];
await prisma.order.create({ data: { id: 2, title: 'second', lines: { create: [{ id: 3 }, { id: 4 }] } } });
await prisma.$transaction((tx) => tx.order.update({ where: { id: 1 }, data: { title: 'firm' } }), { isolationLevel: 'Serializable' });
await prisma.order.create({ data: { id: 3, title: 'denied' } })
  .catch((error) => said.push(/Denied: not today/.test(error.message + JSON.stringify(error.meta ?? '')) ? 'denied' : error.message));
said.push(await prisma.order.findMany({ orderBy: { id: 'asc' }, include: { lines: { select: { id: true }, orderBy: { id: 'asc' } } } }));
await prisma.$disconnect();
console.log(JSON.stringify(said));
`;
const IN_JAVA = `
import java.sql.*;

class Client {
  public static void main(String[] args) throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + System.getenv("PGPORT") + "/postgres" + args[0];
    try (Connection conn = DriverManager.getConnection(url, "box", "box")) {
      conn.setAutoCommit(args[0].isEmpty());
      try (PreparedStatement insert = conn.prepareStatement("INSERT INTO kept VALUES (?)")) {
        // From the sixth on it has a name.
        for (int n = 1; n < 9; n++) {
          insert.setInt(1, n);
          insert.executeUpdate();
          if (!conn.getAutoCommit()) conn.commit();
        }
      }
      try (Statement denied = conn.createStatement()) {
        denied.executeUpdate("INSERT INTO kept VALUES (100) -- denied");
      } catch (SQLException e) { System.out.println(e.getSQLState() + " " + e.getMessage()); }
      if (!conn.getAutoCommit()) conn.rollback();
      try (Statement sum = conn.createStatement(); ResultSet rows = sum.executeQuery("SELECT sum(n) FROM kept")) {
        rows.next();
        System.out.println(rows.getInt(1));
      }
    }
  }
}
`;

describe(
  'clients that know nothing of the gate, whose statements wait for a person',
  { tags: 'slow', timeout: PATIENCE_MS },
  () => {
    const programs = ClientPrograms.forEach();
    let asked: string[] = [];
    beforeEach(async () => {
      asked = [];
      await programs.server.admin.query('TRUNCATE kept');
    });

    const decide: PostgresGate['decide'] = ({ method, shown }) => {
      asked.push(method);
      return Promise.resolve(shown.includes('denied') ? DENIED : null);
    };
    const inPython = async (requirement: string, code: string): Promise<string> => {
      const env = { PYTHONPATH: await pythonPackage(requirement) };
      return programs.run(PYTHON, ['-c', code], { asks: true }, { env, decide });
    };

    it.each([
      ['psycopg 3', 'psycopg[binary]==3.3.9', PSYCOPG_3, 36, 9],
      ['psycopg 2', 'psycopg2-binary==2.9.13', PSYCOPG_2, 6, 4],
      ['asyncpg', 'asyncpg==0.32.0', ASYNCPG, 6, 4],
    ])('%s', async (_, requirement, code, sum, questions) => {
      expect(await inPython(requirement, code)).toBe(`Denied: not today.\n${sum}\n`);
      expect(asked).toEqual(Array(questions).fill('INSERT'));
    });

    it('Prisma', async () => {
      await programs.server.admin.query(`CREATE TABLE orders (id int PRIMARY KEY, title text NOT NULL);
        CREATE TABLE lines (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders);
        INSERT INTO orders VALUES (1, 'first'); GRANT ALL ON orders, lines TO service`);
      const folder = await prismaClient();
      const code = join(folder, 'asked.ts');
      await writeFile(code, PRISMA);
      const args = ['--disable-warning=ExperimentalWarning', code];
      const said = await programs.run(process.execPath, args, { asks: true }, { cwd: folder, decide });
      expect(JSON.parse(said)).toEqual([
        'denied',
        [
          { id: 1, title: 'firm', lines: [] },
          { id: 2, title: 'second', lines: [{ id: 3 }, { id: 4 }] },
        ],
      ]);
      expect(asked.filter((method) => method !== 'SELECT')).toEqual(['INSERT', 'INSERT', 'UPDATE', 'INSERT']);
    });

    it.runIf(isInstalled('javac') && existsSync(JDBC)).each([
      ['with auto-commit', ''],
      ['with transactions', '?preferQueryMode=simple'],
    ])('JDBC %s', async (_, settings) => {
      const folder = await mkdtemp(join(tmpdir(), 'gate-jdbc-'));
      try {
        const code = join(folder, 'Client.java');
        await writeFile(code, IN_JAVA);
        const said = await programs.run('java', ['-cp', JDBC, code, settings], { asks: true }, { decide });
        expect(said).toMatch(/^42501 ERROR: Denied: not today\.[^]*\n36\n$/);
        expect(asked).toEqual(Array(9).fill('INSERT'));
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  },
);
