import { scriptIsVisible } from '../../core/access/index.js';
import { named } from '../../core/database/index.js';
import type { Unit } from './run-statistic.entity.js';

interface Asked {
  workspaceId: string;
  unit: Unit;
  from: string;
  until: string;
  script: string | null;
  version: number | null;
  environment: string | null;
  /** The only one that the caller may see. */
  bound: string | null;
  role: string;
  userId: string | null;
  scriptChoice: string | null;
}

const VISIBLE = scriptIsVisible({
  alias: 's',
  roleParameter: ':role',
  userParameter: ':userId',
  choiceParameter: ':scriptChoice',
});

const quantile = (measure: string, share: number): string =>
  `min(bin) FILTER (WHERE measure = '${measure}' AND upto >= ${share} * total)`;

const version = (byVersion: boolean, column: string): string => (byVersion ? column : 'NULL::int AS version');

/**
 * SQL, since quantiles of summed bins are no rows of a table: by the beginning of a bucket (`at`), by version, and for all together
 * (neither).
 */
const statistics = (byVersion: boolean): string => `
  WITH mine AS MATERIALIZED (
    SELECT t.at, t.version, t.succeeded, t.failed, t.cancelled, t.durations, t.waits
    FROM run_statistics t JOIN scripts s ON s.id = t.script_id
    WHERE t.workspace_id = :workspaceId AND t.unit = :unit AND t.at >= :from::timestamptz AND t.at < :until::timestamptz
      AND (:script::text IS NULL OR t.script_id = (
        SELECT named.id FROM scripts named WHERE named.workspace_id = :workspaceId AND named.slug = :script))
      AND (:version::int IS NULL OR t.version = :version)
      AND (:bound::text IS NULL OR t.environment_id = :bound)
      AND (:environment::text IS NULL OR t.environment_id = (
        SELECT named.id FROM environments named
        WHERE named.workspace_id = :workspaceId AND named.name = :environment AND named.deleted_at IS NULL))
      AND ${VISIBLE}
  ), counts AS (
    SELECT at, ${version(byVersion, 'version')}, sum(succeeded)::bigint AS succeeded, sum(failed)::bigint AS failed, sum(cancelled)::bigint AS cancelled
    FROM mine GROUP BY GROUPING SETS ((at), ()${byVersion ? ', (version)' : ''})
  ), bins AS (
    SELECT m.at, ${version(byVersion, 'm.version')}, b.measure, b.bin, sum(b.count) AS count
    FROM mine m CROSS JOIN LATERAL (
      SELECT 'duration' AS measure, key::int AS bin, value::int AS count FROM jsonb_each_text(m.durations)
      UNION ALL SELECT 'waiting', key::int, value::int FROM jsonb_each_text(m.waits)) b
    GROUP BY GROUPING SETS ((m.at, b.measure, b.bin), (b.measure, b.bin)${byVersion ? ', (m.version, b.measure, b.bin)' : ''})
  ), totals AS (
    SELECT *, sum(count) OVER (PARTITION BY at, version, measure ORDER BY bin) AS upto,
      sum(count) OVER (PARTITION BY at, version, measure) AS total
    FROM bins
  ), quantiles AS (
    SELECT at, version, ${quantile('duration', 0.5)} AS d50, ${quantile('duration', 0.95)} AS d95,
      ${quantile('waiting', 0.5)} AS w50, ${quantile('waiting', 0.95)} AS w95
    FROM totals GROUP BY at, version
  )
  SELECT c.at, c.version, COALESCE(c.succeeded, 0) AS succeeded, COALESCE(c.failed, 0) AS failed,
    COALESCE(c.cancelled, 0) AS cancelled, q.d50 AS "durationP50", q.d95 AS "durationP95", q.w50 AS "waitingP50", q.w95 AS "waitingP95"
  FROM counts c LEFT JOIN quantiles q
    ON COALESCE(q.at, '-infinity') = COALESCE(c.at, '-infinity') AND COALESCE(q.version, -1) = COALESCE(c.version, -1)`;

export const STATISTICS = named<Asked>(statistics(false));
export const STATISTICS_BY_VERSION = named<Asked>(statistics(true));
