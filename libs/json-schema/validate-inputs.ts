import type { ErrorObject } from 'ajv';

import { InvalidInput, type InputProblem } from '../invalid-input/index.js';
import type { SchemaCheck } from './compile-schema.js';
import { compiledSchema, isTooMuch } from './compiled-schemas.js';
import { schemaErrorDetails } from './error-text.js';
import { FILE_FORMAT } from './formats.js';
import { isSchemaObject, type JsonSchema } from './json-schema.js';

/** Each is looked up, claimed and copied for the run. */
const MOST_FILES = 1_000;

export interface FileField {
  /** The input that it was given as. */
  field: string;
  fileId: string;
}

interface ValidInputs {
  /** The inputs with defaults filled in. */
  value: Record<string, unknown>;
  /** The files among them, in the order of the schema's properties. */
  fileFields: FileField[];
}

/**
 * Checks the inputs of a run against a schema that `checkSchema` has let pass, and fills in defaults, in place. Without a
 * schema any object fits.
 *
 * @param compile gives the schema in a form that bounds what this check may cost
 * @throws InvalidInput whose details name the inputs, such as `inputs.city`
 */
export function fitInputs(
  schema: JsonSchema | null,
  inputs: unknown,
  compile: (schema: JsonSchema) => SchemaCheck = (own) => compiledSchema(own, 'input'),
): ValidInputs {
  if (!isSchemaObject(inputs)) throw InvalidInput.at('inputs', 'must be an object');
  const value = inputs as Record<string, unknown>;
  if (!schema) return { value, fileFields: [] };
  const details = problems(() => compile(schema).check(value));
  if (details.length === 0) return { value, fileFields: filesIn(schema, value) };
  const { path, message } = details[0]!;
  throw new InvalidInput(`The inputs do not fit the script: ${path} ${message}.`, details);
}

function filesIn(schema: JsonSchema, value: Record<string, unknown>): FileField[] {
  const files = fileFields(schema, value);
  if (files.length <= MOST_FILES) return files;
  throw InvalidInput.at(`inputs.${files[0]!.field}`, `at most ${MOST_FILES} files can be given to a run`);
}

/** So much may defaults add to what was given, as JSON: one inside of a list is taken for each of its items. */
const MOST_ADDED = 256 * 1024;

/**
 * The JSON of inputs with defaults filled in.
 *
 * @param given the length of the JSON that they were before
 * @throws InvalidInput where the defaults make it much longer
 */
export function filledJson(value: Record<string, unknown>, given: number): string {
  const json = jsonOf(value);
  if (json !== null && json.length <= given + MOST_ADDED) return json;
  throw InvalidInput.at(
    'inputs',
    `would become more than ${MOST_ADDED / 1024} KiB larger by the defaults of the script's inputSchema; send less`,
  );
}

/** null: it is longer than a text can be. */
function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The refusal where the check was given up. */
export function inputsTooMuch(): InvalidInput {
  return InvalidInput.at(
    'inputs',
    "take too long to check against the script's inputSchema; send less, or simplify it",
  );
}

function problems(check: () => ErrorObject[]): InputProblem[] {
  try {
    return schemaErrorDetails(check(), 'inputs');
  } catch (error) {
    throw isTooMuch(error) ? inputsTooMuch() : error;
  }
}

/** Whether a schema's property takes a file's id, or a list of them. */
function takesFile(property: unknown): boolean {
  if (!isSchemaObject(property)) return false;
  const items = property['items'];
  return property['format'] === FILE_FORMAT || (isSchemaObject(items) && items['format'] === FILE_FORMAT);
}

/** The files among inputs that fit. */
export function fileFields(schema: JsonSchema, value: Record<string, unknown>): FileField[] {
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  return Object.keys(properties)
    .filter((field) => takesFile(properties[field]) && Object.hasOwn(value, field))
    .flatMap((field) => [value[field]].flat().map((fileId) => ({ field, fileId: String(fileId) })));
}
