import { compiledSchema } from './compiled-schemas.js';
import { schemaErrorDetails } from './error-text.js';
import type { JsonSchema } from './json-schema.js';
import { TimeLimitPassed } from './time-limit.js';

/** Why a run's output does not match its version's `outputSchema`, in words, or null when it does or there is no schema. */
export function validateOutput(schema: JsonSchema | null | undefined, output: unknown): string | null {
  if (!schema) return null;
  try {
    const details = schemaErrorDetails(compiledSchema(schema, 'output').check(output), 'output');
    const [first, ...more] = details;
    if (!first) return null;
    const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
    return `the output does not match outputSchema: ${first.path} ${first.message}${rest}`;
  } catch (error) {
    if (error instanceof TimeLimitPassed || error instanceof RangeError) {
      return 'the output takes too long to check against outputSchema; write less, or simplify the schema';
    }
    throw error;
  }
}
