import type { JsonSchema } from '../json-schema/index.js';
import { commandInputs, type CommandTemplate } from './command-template.js';

/** The input schema of a version that gave none: one text input per `{name}`, required unless it stands in `[ … ]` only. */
export function deriveInputSchema(template: CommandTemplate): JsonSchema {
  const inputs = commandInputs(template);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(inputs.map(({ name }) => [name, { type: 'string' }])),
    required: inputs.filter((input) => !input.optional).map((input) => input.name),
    additionalProperties: false,
  };
}
