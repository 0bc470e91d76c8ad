import { type InputProblem, InvalidInput } from '../../../libs/invalid-input/index.js';
import {
  checkSchema,
  compiledSchema,
  type FileField,
  filledJson,
  fitInputs,
  type JsonSchema,
  outputProblem,
  schemaErrorDetails,
  type SchemaPath,
} from '../../../libs/json-schema/index.js';
import { commandArguments } from './command-arguments.js';

// What a thread does for `SchemaChecks`. All values go in and out as JSON text: an object would be taken apart and put
// together on the event loop. An `InvalidInput` would not survive the way out of the thread, so it is returned as data.

export interface Refusal {
  refused: { message: string; details: InputProblem[] };
}

interface CheckedText {
  /** With defaults filled in. */
  json: string;
}

export function checkSchemaText({ schema, path }: { schema: string; path: SchemaPath }): Refusal | object {
  return orRefusal(() => {
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
  return orRefusal(() => {
    const { value, fileFields } = fitInputs(parsed(schema), JSON.parse(inputs));
    if (command !== null) commandArguments(command, value);
    return { json: filledJson(value, inputs.length), fileFields };
  });
}

export interface ValueText {
  schema: string;
  value: string;
  /** Where the value stands in the request. */
  root: string;
}

export function checkValueText({
  schema,
  value,
  root,
}: ValueText): CheckedText & { details: InputProblem[] } {
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

function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { refused: { message: error.message, details: error.details } };
  }
}
