import { InvalidRequest } from '../../core/http/errors.js';
import { compiledSchema } from './compiled-schemas.js';
import { schemaErrorDetails } from './error-text.js';
import { FILE_FORMAT } from './formats.js';
import { isSchemaObject, type JsonSchema } from './json-schema.js';
import { TimeLimitPassed } from './time-limit.js';

export interface FileField {
  /** The input that it was given as. */
  field: string;
  fileId: string;
}

export interface ValidInputs {
  /** A copy of the inputs with defaults filled in. */
  value: Record<string, unknown>;
  /** The files among them, in the order of the schema's properties. */
  fileFields: FileField[];
}

/**
 * Checks the inputs of a run against a schema that `checkSchema` has let pass, and fills in defaults. Without a schema any object fits.
 *
 * @throws InvalidRequest whose details name the inputs, such as `inputs.city`
 */
export function validateInputs(schema: JsonSchema | null | undefined, inputs: unknown): ValidInputs {
  if (!isSchemaObject(inputs)) throw InvalidRequest.at('inputs', 'must be an object');
  const value = structuredClone(inputs) as Record<string, unknown>;
  if (!schema) return { value, fileFields: [] };
  const details = problems(schema, value);
  if (details.length === 0) return { value, fileFields: fileFields(schema, value) };
  const { path, message } = details[0]!;
  throw new InvalidRequest(`The inputs do not fit the script: ${path} ${message}.`, details);
}

function problems(schema: JsonSchema, value: unknown): ReturnType<typeof schemaErrorDetails> {
  try {
    return schemaErrorDetails(compiledSchema(schema, 'input').check(value), 'inputs');
  } catch (error) {
    if (error instanceof TimeLimitPassed || error instanceof RangeError) {
      throw InvalidRequest.at(
        'inputs',
        "take too long to check against the script's inputSchema; send less, or simplify it",
      );
    }
    throw error;
  }
}

/** Whether a schema's property takes a file's id, or a list of them. */
function takesFile(property: unknown): boolean {
  if (!isSchemaObject(property)) return false;
  const items = property['items'];
  return property['format'] === FILE_FORMAT || (isSchemaObject(items) && items['format'] === FILE_FORMAT);
}

function fileFields(schema: JsonSchema, value: Record<string, unknown>): FileField[] {
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  return Object.keys(properties)
    .filter((field) => takesFile(properties[field]) && Object.hasOwn(value, field))
    .flatMap((field) => [value[field]].flat().map((fileId) => ({ field, fileId: String(fileId) })));
}
