import { describe, expect, it } from 'vitest';
import { commandOf, PlanJudge } from './plan-judge.js';
import type { PostgresOptions } from './postgres-options.js';

const DECLARED: PostgresOptions = {
  credentials: null,
  database: null,
  sslmode: 'disable',
  ca: null,
  role: null,
  readOnly: false,
  statementTimeoutMs: null,
  maxConnections: 1,
};

function judged(
  sql: string,
  options: Partial<PostgresOptions> = {},
): { told: string[]; refusal: string | null } {
  const told: string[] = [];
  const judge = new PlanJudge({ ...DECLARED, ...options }, (text) => void told.push(text.toString()));
  const { refusal } = judge.judge(Buffer.from(sql));
  return { told, refusal: refusal?.message ?? null };
}

describe('the judge of a plan', () => {
  it.each(['SELECT 1', 'BEGIN; SELECT * FROM orders; COMMIT', 'SET search_path = a', 'SHOW all'])(
    'lets %s pass',
    (sql) => {
      expect(judged(sql)).toEqual({ told: [], refusal: null });
    },
  );

  it.each([
    'DELETE FROM orders',
    'WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a',
    'COPY a FROM STDIN',
  ])('refuses %s, and tells of it', (sql) => {
    const planned = { told: [sql], refusal: expect.stringContaining('This run is only planned') as string };
    expect(judged(sql)).toEqual(planned);
    expect(judged(sql, { role: 'app' })).toEqual(planned);
  });

  it('does not tell of what the host would refuse in any run', () => {
    const refusal = expect.stringContaining('only reads') as string;
    expect(judged('DELETE FROM orders', { readOnly: true })).toEqual({ told: [], refusal });
    expect(judged('SET ROLE other', { role: 'app' }).told).toEqual([]);
  });

  it.each([
    ['insert into a values (1)', 'INSERT'],
    ['  -- why\n/* and\n how */ ( Delete from a', 'DELETE'],
    ['', 'SQL'],
    ['"quoted"', 'SQL'],
  ])('names the command of %j: %s', (sql, command) => {
    expect(commandOf(sql)).toBe(command);
  });
});
