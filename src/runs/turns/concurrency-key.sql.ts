/** What a run's key is made of, as JSON of `KeyPart[]`; null: it shares places with no run. */
export interface KeyParts {
  keyParts: string | null;
}

/** A longer value is one as good by its digest, and fits into an index. */
const LONGEST = 200;

/**
 * With which runs a run shares places: its script, its environment, and what its inputs make of its version's key. Made by
 * the database, since the inputs may be large and stay text. The arguments are expressions.
 */
export function keyOf(run: { parts: string; script: string; environment: string; inputs: string }): string {
  return `CASE WHEN ${run.parts}::json IS NOT NULL
    THEN ${run.script}::text || '/' || ${run.environment}::text || '/' || ${keyTextIn(run)} END`;
}

/** What inputs make of a key. */
export function keyTextIn(run: { parts: string; inputs: string }): string {
  return `(
      SELECT CASE WHEN length(k.text) > ${LONGEST} THEN encode(sha256(convert_to(k.text, 'UTF8')), 'hex') ELSE k.text END
      FROM (SELECT ${templateTextIn(run)} AS text) AS k)`;
}

/** What inputs make of a template, however long it gets. */
export function templateTextIn({ parts, inputs }: { parts: string; inputs: string }): string {
  const value = `COALESCE(${inputs}::json ->> (p.part ->> 'input'), p.part ->> 'text', '')`;
  return `(SELECT COALESCE(string_agg(${value}, '' ORDER BY p.n), '')
        FROM json_array_elements(${parts}::json) WITH ORDINALITY AS p (part, n))`;
}
