import { InvalidInput } from '../../../libs/invalid-input/index.js';

/** Twice what a request may send, in characters of JSON: defaults come on top of it. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * Inputs with their defaults as JSON, which is what a run is given. A default is written once into a schema and filled in
 * wherever it is missing: a few bytes of a request could become hundreds of megabytes of a run.
 *
 * @throws InvalidInput at `inputs`
 */
export function filledInputs(value: Record<string, unknown>): string {
  const json = JSON.stringify(value);
  if (json.length <= MOST_CHARACTERS) return json;
  throw InvalidInput.at('inputs', 'are larger than 2 MiB with the defaults of the inputSchema; send less');
}
