import { InvalidRequest } from '../core/http/errors.js';
import { validateInputs } from '../scripts/schema/validate-inputs.js';
import type { JsonSchema } from '../scripts/schema/json-schema.js';
import { isTemplated } from './matching/template.js';

/**
 * Checks what of a trigger's inputs is known before any event: those that take nothing from one. The others count as
 * given, with whatever value fits.
 *
 * @throws InvalidRequest whose details name the inputs that the published version would not take
 */
export function checkConstantInputs(schema: JsonSchema, inputs: Record<string, unknown>): void {
  const entries = Object.entries(inputs);
  const templated = entries.filter(([, value]) => isTemplated(value)).map(([name]) => `inputs.${name}`);
  const constants = Object.fromEntries(entries.filter(([, value]) => !isTemplated(value)));
  const file = fileOf(schema, constants, templated);
  if (file === null) return;
  throw InvalidRequest.at(
    `inputs.${file}`,
    'takes a file, which a trigger cannot give, since uploads expire',
  );
}

function fileOf(
  schema: JsonSchema,
  constants: Record<string, unknown>,
  templated: readonly string[],
): string | null {
  try {
    return validateInputs(schema, constants).fileFields[0]?.field ?? null;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const known = (error.details ?? []).filter(({ path }) => !dependsOn(path, templated));
    const first = known[0];
    if (!first) return null;
    throw new InvalidRequest(`The inputs do not fit the script: ${first.path} ${first.message}.`, known);
  }
}

/** Whether a place can only be judged with the event: one that takes from it, or all inputs together. */
function dependsOn(path: string, templated: readonly string[]): boolean {
  if (path === 'inputs') return templated.length > 0;
  return templated.some((place) => path === place || path.startsWith(`${place}.`));
}
