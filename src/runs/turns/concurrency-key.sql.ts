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
      FROM (SELECT ${templateTextIn(run, digestOfLong)} AS text) AS k)`;
}

/** A template may name an input of a megabyte many times. */
const digestOfLong = (value: string): string =>
  `CASE WHEN length(${value}) > ${LONGEST} THEN encode(sha256(convert_to(${value}, 'UTF8')), 'hex') ELSE ${value} END`;

/**
 * The text that inputs make of a template. The inputs are read once, and not for each place that names one.
 *
 * @param shorten makes of a value, which may be a megabyte, what stands in the text
 */
export function templateTextIn(
  { parts, inputs }: { parts: string; inputs: string },
  shorten: (value: string) => string,
): string {
  return `(SELECT COALESCE(string_agg(COALESCE(i.text, p.part ->> 'text', ''), '' ORDER BY p.n), '')
        FROM json_array_elements(${parts}::json) WITH ORDINALITY AS p (part, n)
        LEFT JOIN (
          SELECT DISTINCT ON (g.key) g.key, ${shorten('g.value')} AS text
          FROM json_each_text(${inputs}::json) WITH ORDINALITY AS g (key, value, n) ORDER BY g.key, g.n DESC
        ) AS i ON i.key = p.part ->> 'input')`;
}
