import { MAX_LABEL_LENGTH } from '../../scripts/index.js';
import { templateTextIn } from '../turns/concurrency-key.sql.js';

/** So much of an input counts for a label, whose ends are trimmed afterwards. */
const MAX_INPUT_LENGTH = 4 * MAX_LABEL_LENGTH;

/**
 * The labels of a run that is written: those that its version makes of its inputs, and those that its start gives, which come
 * first. Made by the database, as a run's key is. The arguments are expressions.
 *
 * @param parts JSON of what `labelParts` returns
 */
export function labelsIn(run: { parts: string; given: string; inputs: string }): string {
  const text = templateTextIn(
    { parts: 'l.parts', inputs: run.inputs },
    (value) => `left(${value}, ${MAX_INPUT_LENGTH})`,
  );
  return `CASE WHEN ${run.parts}::json IS NULL THEN ${run.given}::jsonb ELSE (
      SELECT COALESCE(jsonb_object_agg(m.key, m.text) FILTER (WHERE m.text <> ''), '{}')
      FROM (SELECT l.key, left(btrim(regexp_replace(${text}, '[\\x01-\\x1f\\x7f-\\x9f\\u2028\\u2029]+', ' ', 'g')), ${MAX_LABEL_LENGTH}) AS text
        FROM json_each(${run.parts}::json) AS l (key, parts)) AS m) || ${run.given}::jsonb END`;
}
