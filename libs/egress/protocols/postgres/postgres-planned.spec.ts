import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, SERVERS, startPostgres } from '../../test/postgres-server.js';

for (const { name, programs, tags } of SERVERS) {
  describe(`a session of ${name} in a plan`, { tags }, () => {
    let server: PostgresServer;
    let gate: PostgresGate;

    beforeAll(async () => {
      server = await startPostgres(new CertificateAuthority(), programs);
      await server.admin.query(
        `CREATE ROLE service SUPERUSER LOGIN PASSWORD '${PASSWORD}'; CREATE TABLE kept (n int); INSERT INTO kept VALUES (42)`,
      );
    });
    beforeEach(async () => {
      gate = await PostgresGate.open(server.port, {}, { readsOnly: true });
    });
    afterEach(async () => {
      await gate.close();
      expect((await server.admin.query('SELECT n FROM kept')).rows).toEqual([{ n: 42 }]);
    });
    afterAll(() => server.close());

    it('reads, and lists what it would write, with parameters or not', async () => {
      const client = await gate.client();
      expect((await client.query('SELECT n FROM kept')).rows).toEqual([{ n: 42 }]);
      for (const sql of ['INSERT INTO kept VALUES (1)', 'UPDATE kept SET n = $1']) {
        const told = client.query(sql, sql.includes('$') ? [2] : undefined);
        await expect(told).rejects.toMatchObject({
          code: '25006',
          message: expect.stringContaining('only planned'),
        });
      }
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await client.end();
      const database = gate.withheld[0]![1];
      expect(database).not.toBe('');
      expect(gate.withheld).toEqual([
        ['INSERT', database, 'INSERT INTO kept VALUES (1)'],
        ['UPDATE', database, 'UPDATE kept SET n = $1'],
      ]);
    });

    it('does not write in a transaction that says that it may', async () => {
      const client = await gate.client();
      await client.query('BEGIN READ WRITE').catch(() => undefined);
      await client.query('DELETE FROM kept').catch(() => undefined);
      await client.query('COMMIT').catch(() => undefined);
      await client.end();
      expect(gate.withheld.map(([command]) => command)).toContain('DELETE');
    });
  });
}
