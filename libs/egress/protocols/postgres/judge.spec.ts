import { describe, expect, it } from 'vitest';
import { Judge } from './judge.js';
import { timeOf } from './settings.js';

const MEBIBYTE = 1_048_576;
const filled = (before: string, piece: string, after = ''): string =>
  before + piece.repeat((MEBIBYTE - before.length - after.length) / piece.length) + after;

/** Each ends soon, whatever reads it: what takes the square of its length would take hours. */
describe('a mebibyte of hostile SQL', () => {
  const judge = new Judge({ readOnly: true, role: 'reader', statementTimeoutMs: 1_000 });
  const judged = (sql: string): void => void judge.judge(Buffer.from(sql, 'latin1'));

  it.each([...['summarize', 'dblink', 'pg_log_', '_to_xml', 'a', '_', '\xe3']])(
    'in one name of %j',
    (piece) => {
      for (const before of ['', 'brin_', 'lo_', 'pg_']) judged(filled(`SELECT "${before}`, piece, '\n"(1)'));
      judged(filled('SELECT brin_summarize', piece, '(1)'));
    },
  );

  it.each([...[' ', '1', '1.', 'ms', 's ', '_', 'enable_', '\\', "''"]])(
    'in the value or the name of a setting, of %j',
    (piece) => {
      for (const name of ['statement_timeout', 'client_encoding', 'transaction_read_only'])
        judged(filled(`SELECT set_config('${name}', '1`, piece, "!', false)"));
      judged(filled("SET statement_timeout = '1", piece, "!'"));
      judged(filled('SET "enable_', piece, '!" = 1'));
      expect(timeOf(filled('1', piece, '!'))).toBeNull();
    },
  );

  it.each([
    ...['/*', '*/', '/**/', '--', '--\n', '$', '$a$', '$a', '$$', "'", "''", "E'", "\\'", '"', '""', 'U&'],
    ...['(', ')', '()', '[', ';', ',', '.', '..', '1', '1.', '1e', '1e+', '0x', '1,', '$1', '$1,', '_', 'a '],
    ...['a(', 'a,', 'explain ', 'with ', 'declare ', 'for ', 'copy ', 'to ', 'set ', 'reset ', 'set_config('],
    ...[
      'update ',
      'in access share mode ',
      'lock ',
      'commit;',
      'begin;',
      'create or ',
      'alter ',
      'prepare a(',
    ],
    ...[
      'U&"',
      "U&'a' ",
      "E'a' ",
      "'a'\n",
      'pg_settings ',
      'dblink(',
      ' \n\t',
      '\xe3',
      '\xe3\\',
      '/',
      '- ',
      '$t1$ ',
    ],
  ])('of %j, behind words and alone', (piece) => {
    for (const before of ['', 'SELECT ', 'COPY ', 'ALTER ROLE ']) judged(filled(before, piece));
  });
});
