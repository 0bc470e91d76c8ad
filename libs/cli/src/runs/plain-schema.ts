import { stringifyJson } from '../output/json.js';
import type { InputSchema } from './input-values.js';

/** More schemas than this are no input that somebody types. */
const MAX_SCHEMAS = 1_000;

type Schema = Record<string, unknown>;

/**
 * The inputs of a JSON Schema with the types that they may have, however the schema says so: by `type`, `enum` or `const`, or in the
 * parts of `anyOf`, `oneOf`, `allOf` and `$ref`.
 */
export function plainSchema(root: unknown): InputSchema {
  let left = MAX_SCHEMAS;
  const plain = (schema: unknown, isRoot = false): InputSchema => {
    if (!isObject(schema) || left-- <= 0) return {};
    const parts = partsOf(schema, root).map((part) => plain(part, isRoot));
    const of = <Name extends keyof InputSchema>(name: Name): InputSchema[Name] =>
      (schema[name] as InputSchema[Name]) ?? parts.find((part) => part[name] !== undefined)?.[name];
    const values = 'const' in schema ? [schema['const']] : schema['enum'];
    const listed = Array.isArray(values) ? values : parts.flatMap((part) => part.enum ?? []);
    const own = schema['type'] ?? (Array.isArray(values) ? values.map(typeOf) : undefined);
    const types = own === undefined ? parts.flatMap(({ type }) => type ?? []) : [own].flat();
    const items = schema['items'] === undefined ? of('items') : plain(schema['items']);
    return {
      ...(types.length > 0 && { type: [...new Set(types)] as string[] }),
      ...(listed.length > 0 && { enum: listed }),
      ...(items && { items }),
      ...given({ format: of('format'), description: of('description'), default: of('default') }),
      ...(isRoot && {
        properties: Object.assign({}, ...parts.map((part) => part.properties), propertiesOf(schema, plain)),
        required: parts
          .flatMap(({ required = [] }) => required)
          .concat((schema['required'] ?? []) as string[]),
      }),
    };
  };
  return plain(root, true);
}

function partsOf(schema: Schema, root: unknown): unknown[] {
  const referred = typeof schema['$ref'] === 'string' ? [targetOf(schema['$ref'], root)] : [];
  return [...referred, ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => schema[name] ?? [])];
}

/** Only what is in the same schema. */
function targetOf(reference: string, root: unknown): unknown {
  const [start, ...steps] = reference.split('/');
  if (start !== '#') return undefined;
  const names = steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);
}

function propertiesOf(schema: Schema, plain: (schema: unknown) => InputSchema): Record<string, InputSchema> {
  const { properties } = schema;
  if (!isObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, plain(own)]));
}

function typeOf(value: unknown): string {
  const [first = ''] = stringifyJson(value);
  return (
    { '"': 'string', '{': 'object', '[': 'array', t: 'boolean', f: 'boolean', n: 'null' }[first] ?? 'number'
  );
}

const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
