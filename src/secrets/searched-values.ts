import { parsePostgresSecret, TooManyPatterns, valuesOfSecret } from '../../libs/egress/index.js';
import type { OpenSecret } from './secret-plan.js';
import type { SecretUses } from './secret-use.js';

/** The texts that are masked in what a run with these secrets leaves behind: all that would give one of them away. */
export function searchedValues(
  { secrets, env }: SecretUses,
  opened: ReadonlyMap<string, Pick<OpenSecret, 'kind' | 'value'>>,
): string[] {
  const attached = Object.entries(secrets).map(([name, { value }]) => ({ name, template: value }));
  const read = env.map((name) => ({ name, template: undefined }));
  const values = [...attached, ...read].flatMap(({ name, template }) => {
    const secret = opened.get(name);
    if (secret === undefined) return [];
    const { kind, value } = secret;
    if (kind === 'postgres') return passwordIn(value);
    if (kind === 'aws') return valuesOfSecret({ value, signing: kind });
    return valuesOfSecret({ value, ...(template !== undefined && { template }) });
  });
  return [...new Set(values)];
}

/** The rest of it is no secret. */
function passwordIn(value: string): string[] {
  const parsed = parsePostgresSecret(value);
  return 'secret' in parsed ? [parsed.secret.password] : [value];
}

/** Says that there are too many values to search for, and what to do about it. */
export function tooMuch(environment: string, error: TooManyPatterns): string {
  return `the values that its secrets have in ${environment} are too large together: ${error.message}. Use fewer or shorter ones`;
}
