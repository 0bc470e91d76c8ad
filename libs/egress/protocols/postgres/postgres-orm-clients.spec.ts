import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ClientPrograms } from '../../test/client-programs.js';
import { prismaClient } from '../../test/prisma-client.js';
import { isInstalled } from '../../test/python-package.js';
import { PASSWORD } from '../../test/postgres-fixture.js';

/** Of apt's `libpostgresql-jdbc-java`; what is run with it is compiled, for which it takes a JDK. */
const JDBC = '/usr/share/java/postgresql.jar';
const READ_ONLY = { readOnly: true, statementTimeoutMs: 60_000 };
const PATIENCE_MS = 600_000;

const PRISMA = `
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';
const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 4 });
const prisma = new PrismaClient({ adapter });
const said = [];
const refused = (error) => said.push(/this connection only reads/.test(error.message + JSON.stringify(error.meta ?? '')) ? 'refused' : error.message);
said.push((await prisma.$queryRaw\`SELECT 41::int + 1 AS answer\`)[0].answer);
await prisma.order.create({ data: { id: 2, title: 'second', lines: { create: [{ id: 3 }, { id: 4 }] } } })
  .then(() => said.push('created'), refused);
const found = await prisma.order.findMany({ where: { title: { contains: 'ir' } }, include: { lines: { orderBy: { id: 'asc' } } } });
said.push(found.map(({ id, lines }) => [id, lines.map((line) => line.id)]));
const counts = await Promise.all(Array.from({ length: 20 }, (_, n) => prisma.line.count({ where: { id: { lte: n } } })));
said.push(counts.reduce((sum, count) => sum + count));
await prisma.$transaction(async (tx) => {
  await tx.order.update({ where: { id: 1 }, data: { title: 'firm' } });
  throw new Error('rolled back');
}, { isolationLevel: 'Serializable' }).catch((error) => (error.message === 'rolled back' ? said.push('rolled back') : refused(error)));
said.push(await prisma.$transaction((tx) => tx.order.findUnique({ where: { id: 1 }, select: { title: true } }), { isolationLevel: 'RepeatableRead' }));
await prisma.$disconnect();
console.log(JSON.stringify(said));
`;

const IN_JAVA = `
import java.io.*;
import java.sql.*;
import org.postgresql.PGConnection;

class Client {
  static void say(Object what) { System.out.println(what); }

  public static void main(String[] args) throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + System.getenv("PGPORT") + "/postgres" + args[0];
    try (Connection conn = DriverManager.getConnection(url, "box", "box")) {
      try (PreparedStatement sum = conn.prepareStatement("SELECT ? + 1")) {
        int last = 0;
        for (int n = 0; n < 10; n++) { sum.setInt(1, 32 + n); ResultSet rows = sum.executeQuery(); rows.next(); last = rows.getInt(1); }
        say(last);
      }
      conn.setAutoCommit(false);
      conn.setReadOnly(true);
      try (Statement few = conn.createStatement()) {
        few.setFetchSize(100);
        long total = 0;
        try (ResultSet rows = few.executeQuery("SELECT generate_series(1, 1000)")) { while (rows.next()) total += rows.getInt(1); }
        say(total);
      }
      conn.commit();
      conn.setReadOnly(false);
      StringWriter copied = new StringWriter();
      conn.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY (SELECT generate_series(1, 3)) TO STDOUT", copied);
      say(copied.toString().length());
      try (ResultSet tables = conn.getMetaData().getTables(null, "public", "kept", null)) { say(tables.next()); }
      conn.commit();
      try (Statement slow = conn.createStatement()) {
        slow.setQueryTimeout(1);
        slow.executeQuery("SELECT pg_sleep(60)");
      } catch (SQLException e) { say(e.getSQLState()); }
      conn.rollback();
      try (PreparedStatement many = conn.prepareStatement("INSERT INTO kept VALUES (?)")) {
        for (int n = 0; n < 500; n++) { many.setInt(1, n); many.addBatch(); }
        many.executeBatch();
        say("inserted");
      } catch (SQLException e) { say(e.getMessage().contains("this connection only reads") ? "refused" : e.getMessage()); }
      conn.rollback();
      try (Statement again = conn.createStatement(); ResultSet rows = again.executeQuery("SELECT count(*) FROM kept")) { rows.next(); say(rows.getInt(1)); }
    }
  }
}
`;

describe(
  'clients of larger programs, which know nothing of the gate',
  { tags: 'slow', timeout: PATIENCE_MS },
  () => {
    const programs = ClientPrograms.forEach();
    beforeAll(async () => {
      const { admin } = programs.server;
      await admin.query(`CREATE TABLE orders (id int PRIMARY KEY, title text NOT NULL);
      CREATE TABLE lines (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders);
      INSERT INTO orders VALUES (1, 'first'); INSERT INTO lines VALUES (1, 1), (2, 1);
      GRANT ALL ON orders, lines TO service`);
    });

    it.each([
      ['a whole session', {}, ['created', 'rolled back']],
      ['one that only reads', READ_ONLY, ['refused', 'refused']],
    ] as const)(
      'Prisma: %s',
      async (_, options, [created, changed]) => {
        await programs.server.admin.query('DELETE FROM lines WHERE id > 2; DELETE FROM orders WHERE id > 1');
        const folder = await prismaClient();
        const code = join(folder, `${created}.ts`);
        await writeFile(code, PRISMA);
        const said = await programs.run(
          process.execPath,
          ['--disable-warning=ExperimentalWarning', code],
          options,
          {
            cwd: folder,
          },
        );
        const counted = created === 'created' ? 19 + 18 + 17 + 16 : 19 + 18;
        expect(JSON.parse(said)).toEqual([
          ...[42, created, [[1, [1, 2]]], counted],
          ...[changed, { title: 'first' }],
        ]);
        expect(said).not.toContain(PASSWORD);
        expect(programs.gate.failed).toEqual([]);
      },
      PATIENCE_MS,
    );

    it.runIf(isInstalled('javac') && existsSync(JDBC)).each([
      ['a whole session', '', {}, 'inserted'],
      ['one that only reads', '', READ_ONLY, 'refused'],
      ['one of simple queries', '?preferQueryMode=simple', {}, 'inserted'],
      ['one of gathered inserts, over TLS', '?reWriteBatchedInserts=true&sslmode=require', {}, 'inserted'],
    ] as const)(
      'JDBC: %s',
      async (_, settings, options, inserted) => {
        const folder = await mkdtemp(join(tmpdir(), 'gate-jdbc-'));
        try {
          const code = join(folder, 'Client.java');
          await writeFile(code, IN_JAVA);
          const said = await programs.run('java', ['-cp', JDBC, code, settings], options);
          expect(said.trim().split('\n')).toEqual([
            ...['42', '500500', '6', 'true', '57014'],
            ...[inserted, '0'],
          ]);
          expect(programs.gate.failed).toEqual([]);
        } finally {
          await rm(folder, { recursive: true });
        }
      },
      PATIENCE_MS,
    );
  },
);
