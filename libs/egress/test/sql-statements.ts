/** Each tries to write, to leave the read-only session, or to do what a read-only transaction does not keep from. */
export const ATTACKS = [
  ...['INSERT INTO kept VALUES (1)', 'UPDATE kept SET n = 1', 'DELETE FROM kept', 'TRUNCATE kept'],
  ...['MERGE INTO kept USING other ON false WHEN NOT MATCHED THEN INSERT VALUES (1)', 'DROP TABLE kept'],
  ...[
    'CREATE TABLE made (n int)',
    'CREATE TEMP TABLE made (n int)',
    'CREATE TABLE made AS SELECT 1',
    'LOCK kept',
    'LOCK kept IN ROW SHARE MODE',
  ],
  ...[
    'SELECT 1 AS n INTO made',
    'SELECT 1 INTO TEMP made',
    'SELECT * FROM kept FOR UPDATE',
    'NOTIFY channel',
  ],
  ...[
    'SELECT * FROM kept FOR NO KEY UPDATE',
    'ALTER TABLE kept ADD m int',
    'VACUUM',
    'ANALYZE',
    'CHECKPOINT',
  ],
  ...["COMMENT ON TABLE kept IS 'x'", 'GRANT SELECT ON kept TO PUBLIC', 'REINDEX TABLE kept', 'CLUSTER kept'],
  'REFRESH MATERIALIZED VIEW viewed',
  // Settings
  ...['SET default_transaction_read_only = off', 'SET "default_transaction_read_only" TO off'],
  ...['SET LOCAL transaction_read_only = off', 'SET SESSION transaction_read_only TO false'],
  ...[
    'SET U&"d\\0065fault_transaction_read_only" = off',
    'SET TRANSACTION READ WRITE',
    'RESET transaction_read_only',
  ],
  ...['SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE', 'RESET default_transaction_read_only'],
  ...[
    'BEGIN READ WRITE',
    'START TRANSACTION READ WRITE',
    'BEGIN ISOLATION LEVEL SERIALIZABLE, READ/**/WRITE',
  ],
  ...[
    'SET standard_conforming_strings = off',
    'SET client_encoding = SJIS',
    "SET NAMES 'GBK'",
    'SET ROLE NONE',
  ],
  ...[
    'SET session_replication_role = replica',
    "SET application_name.x = '1'",
    'ALTER ROLE service SET a.b = 1',
  ],
  'SET SESSION AUTHORIZATION DEFAULT',
  // set_config by whatever name
  ...["SELECT set_config('default_transaction_read_only', 'off', false)"],
  ...["SELECT pg_catalog.set_config('default_transaction_read_only', 'off', false)"],
  ...["SELECT PG_CATALOG . Set_Config ('default_transaction_read_only', 'off', false)"],
  ...['SELECT "pg_catalog"."set_config"(\'transaction_read_only\', \'off\', false)'],
  ...["SELECT U&\"set\\005fconfig\"('transaction_read_only', 'off', false)"],
  ...["SELECT U&\"set!005fconfig\" UESCAPE '!' ('transaction_read_only', 'off', false)"],
  ...["SELECT set_config/* */(/* ' */'transaction_read_only', 'off', false)"],
  ...["SELECT set_config(E'\\x64efault_transaction_read_only', 'off', false)"],
  ...["SELECT set_config(U&'\\0064efault_transaction_read_only', 'off', false)"],
  ...["SELECT set_config(U&'!0064efault_transaction_read_only' UESCAPE '!', 'off', false)"],
  ...[
    "SELECT set_config('search_path' || '', 'off', false)",
    "SELECT set_config('search_'\n'path', 'x', false)",
  ],
  ...[
    "SELECT set_config(setting_name => 'default_transaction_read_only', new_value => 'off', is_local => false)",
  ],
  ...["SELECT * FROM set_config('transaction_read_only', 'off', true)"],
  ...["WITH a AS (SELECT set_config('transaction_read_only', 'off', true)) SELECT * FROM a"],
  // Several at once
  ...[
    'SELECT 1; INSERT INTO kept VALUES (1)',
    'COMMIT; SELECT 1',
    'BEGIN; COMMIT; INSERT INTO kept VALUES (1)',
  ],
  ...[
    'SELECT 1;;;DELETE FROM kept',
    "SELECT ';'; UPDATE kept SET n = 2",
    'ROLLBACK; BEGIN READ WRITE; SELECT 1',
  ],
  ...[
    'DISCARD ALL; INSERT INTO kept VALUES (1)',
    'RESET ALL; SELECT evil_off()',
    'COMMIT; SELECT evil_write()',
  ],
  // Hidden
  ...[
    'WITH w AS (INSERT INTO kept VALUES (1) RETURNING n) SELECT * FROM w',
    'WITH w AS (SELECT 1) DELETE FROM kept',
  ],
  ...[
    'WITH w AS MATERIALIZED (UPDATE kept SET n = 1 RETURNING n) TABLE w',
    'WITH w AS (SELECT 1) INSERT INTO kept TABLE w',
  ],
  ...[
    'WITH w AS (DELETE FROM ONLY kept RETURNING n) SELECT 1',
    'EXPLAIN ANALYZE INSERT INTO kept VALUES (1)',
  ],
  ...['EXPLAIN (ANALYZE, BUFFERS) DELETE FROM kept', 'EXPLAIN ANALYZE CREATE TABLE made AS SELECT 1'],
  ...[
    'EXPLAIN ANALYZE WITH w AS (INSERT INTO kept VALUES (1) RETURNING 1) TABLE w',
    'PREPARE p AS DELETE FROM kept',
  ],
  ...['PREPARE p(int) AS INSERT INTO kept VALUES ($1)', "PREPARE TRANSACTION 'x'", "COMMIT PREPARED 'x'"],
  ...[
    '/* SELECT */ INSERT INTO kept VALUES (1)',
    '/* /* */ SELECT */ INSERT INTO kept VALUES (1)',
    '(INSERT INTO kept VALUES (1))',
  ],
  ...[
    '--\nINSERT INTO kept VALUES (1)',
    "SELECT E'\\'' ; INSERT INTO kept VALUES (1) --'",
    'SELECT $a$ $a$; DELETE FROM kept --$a$',
  ],
  ...[
    "SELECT 'a\\'; DELETE FROM kept; --'",
    "SELECT $$'$$; DELETE FROM kept; --'",
    'SELECT 1 "a"; DELETE FROM kept --"',
  ],
  ...[
    "SELECT E'a'\n'\\'; DELETE FROM kept --'",
    'DECLARE c CURSOR FOR DELETE FROM kept',
    'CREATE RULE r AS ON SELECT TO kept DO INSTEAD NOTHING',
  ],
  // Code, files, large objects, functions that do more
  ...[
    "DO 'BEGIN INSERT INTO kept VALUES (1); END'",
    'DO LANGUAGE plpgsql $$ BEGIN COMMIT; END $$',
    'CALL evil_call()',
  ],
  ...["CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", 'CREATE EXTENSION dblink', "LOAD 'x'"],
  ...[
    'COPY kept FROM STDIN',
    "COPY kept FROM '/etc/passwd'",
    "COPY kept FROM PROGRAM 'id'",
    "COPY kept TO '/tmp/x'",
  ],
  ...[
    "COPY (SELECT 1) TO PROGRAM 'id'",
    'COPY (INSERT INTO kept VALUES (1) RETURNING n) TO STDOUT',
    'COPY kept (n) FROM STDIN',
  ],
  ...[
    'SELECT lo_create(7)',
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/x')",
  ],
  ...[
    'SELECT lo_unlink(1)',
    'SELECT "lowrite"(0, \'x\')',
    'SELECT lo_open(1, 131072)',
    "SELECT nextval('counted')",
  ],
  ...["SELECT setval('counted', 9)", "SELECT pg_notify('channel', 'x')", 'SELECT pg_terminate_backend(1)'],
  ...[
    'SELECT pg_advisory_lock(1)',
    'SELECT pg_try_advisory_xact_lock(1)',
    "SELECT pg_read_file('/etc/passwd')",
  ],
  ...["SELECT pg_logical_emit_message(false, 'a', 'b')", 'SELECT pg_switch_wal()', 'SELECT pg_reload_conf()'],
  ...[
    "SELECT * FROM http(('GET', 'http://x', NULL, NULL, NULL)::http_request)",
    "SELECT http_get('http://x')",
  ],
  ...["SELECT pg_background_launch('DELETE FROM kept')", 'SELECT "pg_background_launch_v2" (\'SELECT 1\')'],
  ...["SELECT query_to_xml('SELECT set_config(''a.b'', ''c'', false)', true, true, '')"],
  ...[
    "SELECT * FROM ts_stat('SELECT to_tsvector(evil_off()::text)')",
    "SELECT dblink_exec('x', 'DELETE FROM kept')",
  ],
];

/** What a connection that only reads lets pass. */
export const READS = [
  ...[
    'SELECT * FROM kept',
    'TABLE kept',
    'VALUES (1), (2)',
    '(SELECT 1) UNION (SELECT 2)',
    'SHOW server_version',
  ],
  ...['WITH RECURSIVE a(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT * FROM a'],
  ...[
    'EXPLAIN SELECT 1',
    'EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1',
    'EXPLAIN ANALYZE VERBOSE (SELECT 1)',
    ';;',
  ],
  ...[
    "SELECT 'it''s', E'\\n', $$;DROP$$, 'INSERT INTO x' AS \"into\", substring('abc' FOR 2)",
    'SELECT k.n AS update FROM kept k',
  ],
  ...[
    "SELECT 'a' LIKE '\\' ESCAPE '\\'",
    "SELECT '{\"a\": 1}'::jsonb -> 'a', ARRAY[1,2][1], 1::text, -1.5e3, 0x1f",
  ],
  ...[
    'BEGIN',
    'SAVEPOINT a',
    'ROLLBACK TO a',
    'COMMIT',
    'BEGIN READ ONLY',
    'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE',
    'END',
  ],
  ...[
    'BEGIN; DECLARE c CURSOR FOR SELECT 1',
    'FETCH ALL FROM c',
    'CLOSE c',
    'ROLLBACK',
    'LISTEN channel',
    'UNLISTEN *',
  ],
  ...[
    'PREPARE p(int) AS SELECT $1',
    'EXECUTE p(1)',
    'DEALLOCATE p',
    'BEGIN; SELECT 1; COMMIT',
    'SELECT 1; SELECT 2',
    'BEGIN; LOCK TABLE kept IN ACCESS SHARE MODE',
    'ROLLBACK',
    'SET standard_conforming_strings = on',
  ],
  ...[
    'SET search_path = public',
    "SET LOCAL statement_timeout = '5s'",
    "SET TIME ZONE 'UTC'",
    "SET NAMES 'UTF8'",
    'RESET search_path',
  ],
  ...[
    "SELECT set_config('search_path', 'public', false)",
    'SET client_encoding TO UTF8',
    'DISCARD ALL',
    'RESET ALL',
  ],
  ...[
    'SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL;',
    'SELECT count(*) FROM pg_stat_activity',
  ],
  ...[
    'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
    'COPY kept TO STDOUT',
    'COPY (SELECT 1) TO STDOUT (FORMAT csv)',
  ],
];
