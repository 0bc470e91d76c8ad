import { Ajv2020 } from 'ajv/dist/2020.js';
import { InvalidInput, type InputProblem } from '../invalid-input/index.js';
import type { SchemaCheck } from './compile-schema.js';
import { compiledSchema, isTooMuch } from './compiled-schemas.js';
import { schemaErrorDetails } from './error-text.js';
import { isSchemaObject, withoutKeywords, type JsonSchema } from './json-schema.js';
import { brokenRules, type SchemaKind } from './schema-rules.js';
import { walkSchema } from './walk-schema.js';

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 20;
const MAX_DETAILS = 20;

/** Where a schema stands in a request. Only the first describes inputs, and fills in defaults. */
export type SchemaPath = 'inputSchema' | 'outputSchema' | 'ask.when';

/** Knows the schema of schemas. It only ever compiles that one, here, so that no request pays for it. */
const metaschema = new Ajv2020({ strict: false, validateFormats: false, logger: false });
void metaschema.validateSchema({});

/**
 * Checks a schema that somebody sent, all the way to a compiled validator.
 *
 * An input schema describes an object. Files are its top-level properties of `format: "file"`, or arrays of them
 * (`{type: "array", items: {type: "string", format: "file"}}`). Unknown keywords and formats are annotations.
 *
 * @param compile bounds what compiling it may cost
 * @throws InvalidInput whose details name the place inside the schema, such as `inputSchema.properties.city.pattern`
 */
export function checkSchema(
  schema: unknown,
  path: SchemaPath,
  compile: (schema: JsonSchema, kind: SchemaKind) => SchemaCheck = compiledSchema,
): asserts schema is JsonSchema {
  const kind: SchemaKind = path === 'inputSchema' ? 'input' : 'output';
  if (!isSchemaObject(schema)) throw InvalidInput.at(path, 'must be a JSON Schema, which is an object');
  checkSize(schema, path);
  if (kind === 'input') checkRootIsObject(schema, path);

  if (!metaschema.validateSchema(withoutKeywords(schema, '$schema')))
    refuse(path, schemaErrorDetails(metaschema.errors ?? [], path));
  const broken = brokenRules(walkSchema(schema), kind, path);
  if (broken.length > 0) refuse(path, broken);

  try {
    const compiled = compile(schema, kind);
    if (kind === 'input') checkDefaults(compiled.check({}), schema, path);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    if (isTooMuch(error)) throw schemaTooMuch(path);
    throw InvalidInput.at(path, `cannot be used: ${(error as Error).message}`);
  }
}

/** The refusal where the check was given up. */
export function schemaTooMuch(path: SchemaPath): InvalidInput {
  return InvalidInput.at(path, 'takes too long to check; make it simpler');
}

function checkSize(schema: JsonSchema, path: string): void {
  if (deeperThan(schema, MAX_SCHEMA_DEPTH))
    throw InvalidInput.at(path, `is nested more than ${MAX_SCHEMA_DEPTH} deep`);
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > MAX_SCHEMA_BYTES) throw InvalidInput.at(path, `is ${bytes} bytes of JSON; 64 KiB is the most`);
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => deeperThan(item, levels - 1));
}

function checkRootIsObject(schema: JsonSchema, path: string): void {
  const type = schema['type'];
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return;
  throw InvalidInput.at(`${path}.type`, 'must be "object": the inputs of a run are named');
}

/** An empty object gets every default filled in, so what is wrong below a property with one is wrong with the default. */
function checkDefaults(
  errors: Parameters<typeof schemaErrorDetails>[0],
  schema: JsonSchema,
  path: string,
): void {
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  const details = Object.keys(properties).flatMap((name) => {
    const property = properties[name];
    if (!isSchemaObject(property) || property['default'] === undefined) return [];
    const start = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return schemaErrorDetails(
      errors.filter(({ instancePath }) => instancePath === start || instancePath.startsWith(`${start}/`)),
      '',
    ).map(({ message }) => ({ path: `${path}.properties.${name}.default`, message }));
  });
  if (details.length > 0) refuse(path, details);
}

function refuse(path: string, details: InputProblem[]): never {
  const most = details.slice(0, MAX_DETAILS);
  const first = most[0] ?? { path, message: 'is not a valid JSON Schema' };
  throw new InvalidInput(`${first.path}: ${first.message}`, most.length > 0 ? most : [first]);
}
