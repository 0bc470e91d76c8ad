import { InvalidRequest } from '../../core/errors/index.js';
import type { FileField } from '../../../libs/json-schema/index.js';
import type { Placeholders } from './template.js';

/**
 * Checks those of the inputs of a trigger or hook that take nothing from an event or request, and so are known before one. The others count as
 * given, with a value that fits.
 *
 * @param fit checks inputs against the script's schema and says which of them are files
 * @throws InvalidRequest whose details name the inputs that the published version would not take
 */
export async function checkConstantInputs(
  inputs: Record<string, unknown>,
  placeholders: Placeholders,
  fit: (constants: Record<string, unknown>) => Promise<FileField[]>,
): Promise<void> {
  const entries = Object.entries(inputs);
  const templated = entries
    .filter(([, value]) => placeholders.areIn(value))
    .map(([name]) => `inputs.${name}`);
  const constants = Object.fromEntries(entries.filter(([, value]) => !placeholders.areIn(value)));
  const file = await fileOf(() => fit(constants), templated);
  if (file === null) return;
  throw InvalidRequest.at(
    `inputs.${file}`,
    'takes a file, which a trigger or hook cannot give, since uploads expire',
  );
}

async function fileOf(fit: () => Promise<FileField[]>, templated: readonly string[]): Promise<string | null> {
  try {
    return (await fit())[0]?.field ?? null;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const known = (error.details ?? []).filter(({ path }) => !dependsOn(path, templated));
    const first = known[0];
    if (!first) return null;
    throw new InvalidRequest(`The inputs do not fit the script: ${first.path} ${first.message}.`, known);
  }
}

/** Whether a place can be checked only with an event: it takes something from one, or means all inputs together. */
function dependsOn(path: string, templated: readonly string[]): boolean {
  if (path === 'inputs') return templated.length > 0;
  return templated.some((place) => path === place || path.startsWith(`${place}.`));
}
