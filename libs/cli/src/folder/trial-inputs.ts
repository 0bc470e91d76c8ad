import type { Gatehouse, Trial } from '@gatehouse/client';

import { inputsOf } from '../runs/input-values.js';
import { plainSchema } from '../runs/plain-schema.js';
import { namedInputs, typedInputs } from '../runs/typed-inputs.js';
import { uploaded } from '../runs/uploaded-files.js';

/** The inputs that were typed, as the trial's schema has them. Files are sent. */
export async function trialInputs(
  gatehouse: Gatehouse,
  { inputSchema }: Trial,
  { named, words }: { named: readonly string[]; words: readonly string[] },
): Promise<Record<string, unknown>> {
  const schema = plainSchema(inputSchema);
  return uploaded(gatehouse, await inputsOf([...namedInputs(named), ...typedInputs(words, schema)], schema));
}
