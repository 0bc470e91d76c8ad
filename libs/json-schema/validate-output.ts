import type { SchemaCheck } from './compile-schema.js';
import { compiledSchema, isTooMuch } from './compiled-schemas.js';
import { schemaErrorDetails } from './error-text.js';
import type { JsonSchema } from './json-schema.js';

export const OUTPUT_TOO_MUCH =
  'the output takes too long to check against outputSchema; write less, or simplify the schema';

/**
 * Why a run's output does not match its version's `outputSchema`, in words, or null when it does or there is no schema.
 *
 * @param compile gives the schema in a form that bounds what this check may cost
 */
export function outputProblem(
  schema: JsonSchema | null,
  output: unknown,
  compile: (schema: JsonSchema) => SchemaCheck = (own) => compiledSchema(own, 'output'),
): string | null {
  if (!schema) return null;
  try {
    const [first, ...more] = schemaErrorDetails(compile(schema).check(output), 'output');
    if (!first) return null;
    const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
    return `the output does not match outputSchema: ${first.path} ${first.message}${rest}`;
  } catch (error) {
    if (isTooMuch(error)) return OUTPUT_TOO_MUCH;
    throw error;
  }
}
