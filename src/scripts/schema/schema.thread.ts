import { type ErrorDetail, InvalidRequest } from '../../core/errors/problems.js';
import { parseCommand } from '../command/parse-command.js';
import { renderCommand } from '../command/render-command.js';
import { type SchemaPath, checkSchema } from './check-schema.js';
import { compiledSchema } from './compiled-schemas.js';
import { schemaErrorDetails } from './error-text.js';
import type { JsonSchema } from './json-schema.js';
import { type FileField, fitInputs } from './validate-inputs.js';
import { outputProblem } from './validate-output.js';

// What a thread does for `SchemaChecks`. All values go in and out as JSON text: an object would be taken apart and put
// together on the event loop. An `InvalidRequest` would not survive the way out of the thread, so it is told as data.

export interface Refusal {
  refused: { message: string; details: ErrorDetail[] | undefined };
}

export interface CheckedText {
  /** With defaults filled in. */
  json: string;
}

export function checkSchemaText({ schema, path }: { schema: string; path: SchemaPath }): Refusal | object {
  return told(() => {
    checkSchema(JSON.parse(schema), path);
    return {};
  });
}

export interface InputsText {
  schema: string | null;
  /** null: whether a command can take them is not asked. */
  command: string | null;
  inputs: string;
}

export function checkInputsText({
  schema,
  command,
  inputs,
}: InputsText): Refusal | (CheckedText & { fileFields: FileField[] }) {
  return told(() => {
    const { value, fileFields } = fitInputs(parsed(schema), JSON.parse(inputs));
    if (command !== null) renderCommand(parseCommand(command), value);
    return { json: JSON.stringify(value), fileFields };
  });
}

export interface ValueText {
  schema: string;
  value: string;
  /** Where the value stands in the request. */
  root: string;
}

export function checkValueText({ schema, value, root }: ValueText): CheckedText & { details: ErrorDetail[] } {
  const own: unknown = JSON.parse(value);
  const details = schemaErrorDetails(compiledSchema(parsed(schema)!, 'input').check(own), root);
  return { json: JSON.stringify(own), details };
}

export interface OutputText {
  schema: string;
  output: string;
}

export function checkOutputText({ schema, output }: OutputText): string | null {
  return outputProblem(parsed(schema), JSON.parse(output));
}

function parsed(schema: string | null): JsonSchema | null {
  return schema === null ? null : (JSON.parse(schema) as JsonSchema);
}

function told<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { refused: { message: error.message, details: error.details } };
  }
}
