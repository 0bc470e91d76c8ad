import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, SERVERS, startPostgres } from '../../test/postgres-server.js';
import type { PostgresOptions } from './postgres-options.js';

for (const { name, programs, tags } of SERVERS) {
  describe(`settings of ${name} that the gate holds`, { tags }, () => {
    let server: PostgresServer;
    let gate: PostgresGate;

    const open = async (options: Partial<PostgresOptions>): Promise<PostgresGate> =>
      (gate = await PostgresGate.open(server.port, options));

    beforeAll(async () => {
      server = await startPostgres(new CertificateAuthority(), programs);
      await server.admin.query(`
        CREATE ROLE service LOGIN PASSWORD '${PASSWORD}';
        CREATE ROLE reader;
        GRANT reader TO service;
        CREATE FUNCTION switch_off() RETURNS text LANGUAGE sql
          AS 'SELECT set_config(''statement_timeout'', ''0'', false)'`);
    });
    afterEach(() => gate.close());
    afterAll(() => server.close());

    it('holds a time-out where nothing else is judged', async () => {
      await open({ statementTimeoutMs: 5_000 });
      const client = await gate.client();
      const shown = async (): Promise<unknown> =>
        (await client.query('SHOW statement_timeout')).rows[0].statement_timeout;
      for (const statement of [
        ...["UPDATE pg_settings SET setting = '0' WHERE name = 'statement_timeout'"],
        ...["update pg_catalog . Pg_Settings AS s SET setting = '0' WHERE s.name = 'statement_timeout'"],
        ...[`UPDATE ONLY "pg_catalog"."pg_settings" SET setting = '0' WHERE name = 'statement_timeout'`],
        ...["WITH a AS (UPDATE pg_settings SET setting = '0' WHERE name = 'role' RETURNING 1) TABLE a"],
        ...["PREPARE p AS UPDATE pg_settings SET setting = '0' WHERE name = 'statement_timeout'"],
        ...["EXPLAIN ANALYZE UPDATE pg_settings SET setting = '0' WHERE name = 'statement_timeout'"],
        ...['CREATE TEMP VIEW v AS SELECT * FROM pg_settings', 'MERGE INTO pg_settings USING x ON true'],
        ...["CREATE RULE r AS ON INSERT TO kept DO UPDATE pg_settings SET setting = '0'"],
        ...["DO $$ BEGIN PERFORM set_config('statement_timeout', '0', false); END $$"],
        ...["CREATE FUNCTION f() RETURNS int LANGUAGE sql SET statement_timeout = 0 AS 'SELECT 1'"],
      ])
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
      expect((await client.query('SELECT count(*) > 9 AS many FROM pg_settings')).rows).toEqual([
        { many: true },
      ]);
      await client.query('SELECT switch_off()');
      expect(await shown()).toBe('5s');
      await client.query("SET statement_timeout = '2s'");
      expect(await shown()).toBe('2s');
      await client.query('SET search_path = nowhere; SET intervalstyle = iso_8601');
      await client.query('BEGIN; SELECT public.switch_off(); COMMIT');
      expect(await shown()).toBe('5s');
      await client.query('RESET ALL');
    });

    it('lets nothing be made that names functions in its own way', async () => {
      await open({ role: 'reader' });
      const client = await gate.client();
      const state = 'sfunc = %, stype = text, initcond = role';
      for (const statement of [
        ...['set_config', "'set_config'", '"set_config"', "'pg_catalog.set_config'"].flatMap((name) => [
          `CREATE AGGREGATE pg_temp.x(text, bool) (${state.replace('%', name)})`,
          `CREATE OR REPLACE AGGREGATE x(text, bool) (${state.replace('%', name)})`,
          `CREATE OPERATOR pg_temp.@@@ (FUNCTION = ${name}, LEFTARG = text, RIGHTARG = text)`,
          `CREATE TYPE pg_temp.r AS RANGE (SUBTYPE = text, SUBTYPE_DIFF = ${name})`,
          `CREATE TYPE pg_temp.r (INPUT = ${name}, OUTPUT = ${name})`,
          `create schema s create aggregate x(text) (sfunc = ${name}, stype = text)`,
        ]),
        'CREATE CAST (text AS int) WITH FUNCTION writes(text)',
        'CREATE OPERATOR CLASS c FOR TYPE text USING btree AS FUNCTION 1 writes(text, text)',
        "CREATE CONVERSION c FOR 'UTF8' TO 'LATIN1' FROM writes",
        'ALTER OPERATOR @@@ (text, text) SET (RESTRICT = writes)',
        'ALTER AGGREGATE x(text) RENAME TO y',
        'ALTER EXTENSION e UPDATE',
      ])
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
      await client.query(`
        CREATE TEMP TABLE t (a int, b text);
        CREATE UNIQUE INDEX ON t (a);
        ALTER TABLE t ADD COLUMN c date DEFAULT now();
        CREATE OR REPLACE TEMP VIEW v AS SELECT a FROM t;
        CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok');
        CREATE TYPE pg_temp.pair AS (one int, other text);
        ALTER TYPE pg_temp.mood ADD VALUE 'happy';
        CREATE DOMAIN pg_temp.small AS int CHECK (VALUE < 10);
        CREATE TEMP SEQUENCE s`);
    });

    it('starts with no longer a time-out than is set', async () => {
      await open({ statementTimeoutMs: 5_000 });
      for (const time of ['0.5', '0', '500us', '5001', '5000.6', '6s'])
        await expect(gate.client({ options: `-c statement_timeout=${time}` }), time).rejects.toThrow(
          '5000 ms',
        );
      const client = await gate.client({ options: '-c statement_timeout=2s' });
      expect((await client.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '2s' }]);
    });

    it('holds a role and a time-out that the client cannot leave', async () => {
      await open({ role: 'reader', statementTimeoutMs: 200 });
      const client = await gate.client();
      const name = async (): Promise<unknown> =>
        (await client.query('SELECT current_user AS name')).rows[0].name;
      expect(await name()).toBe('reader');
      for (const statement of [
        ...['SET ROLE service', 'SET LOCAL ROLE NONE', 'RESET ROLE', 'SET "role" TO service', 'DISCARD ALL'],
        ...[
          'SET SESSION AUTHORIZATION DEFAULT',
          "SELECT set_config('role', 'service', false)",
          'SET role = service',
        ],
        ...[
          "SELECT set_config(U&'r\\006fle', 'none', false)",
          "SELECT set_config(U&'rol'\n'e', 'none', false)",
        ],
        ...["SELECT set_config(U&'r!006fle' UESCAPE '!', 'none', false)"],
        ...["SELECT set_config(u&'statement\\005ftimeout', '0', false)", "SET statement_timeout = U&'0'"],
        ...[
          "SELECT pg_catalog.\"set_config\"('ro' || 'le', 'none', false)",
          'DO $$ BEGIN SET ROLE NONE; END $$',
        ],
        ...["SELECT query_to_xml('SELECT set_config(''role'', ''none'', false)', true, true, '')"],
        ...[
          'SET statement_timeout = 0',
          'SET statement_timeout = 0.5',
          "SET LOCAL statement_timeout = '500us'",
          "SET statement_timeout = '200.7'",
          "SET statement_timeout TO '1h'",
          "SELECT set_config('statement_timeout', '0', true)",
        ],
      ]) {
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
        expect(await name()).toBe('reader');
      }
      await client.query('RESET ALL');
      expect(await name()).toBe('reader');
      await client.query('SET statement_timeout = 100');
      await expect(client.query('SELECT pg_sleep(60)')).rejects.toThrow('statement timeout');
      expect(gate.refused.length).toBeGreaterThan(10);
    });
  });
}
