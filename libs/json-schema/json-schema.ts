/** A JSON Schema (draft 2020-12) as stored: an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords whose subschemas look at the same value as the schema that holds them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', '$ref'];

export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema without some of its keywords, such as those that only name it. */
export function withoutKeywords(schema: JsonSchema, ...keywords: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** The property names that a schema declares for its value, also by way of `allOf` and its like and of local references. */
export function declaredProperties(root: JsonSchema): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: unknown): void => {
    if (!isSchemaObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    const properties = schema['properties'];
    if (isSchemaObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    for (const keyword of IN_PLACE) {
      const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
      if (keyword === '$ref') visit(typeof value === 'string' ? resolvePointer(root, value) : undefined);
      else if (Array.isArray(value)) value.forEach(visit);
      else if (keyword === 'dependentSchemas' && isSchemaObject(value)) Object.values(value).forEach(visit);
      else visit(value);
    }
  };
  visit(root);
  return names;
}

/** The value at a local reference such as `#/$defs/city`, or undefined where there is none. */
function resolvePointer(root: JsonSchema, reference: string): unknown {
  const tokens = pointerTokens(reference);
  let value: unknown = root;
  for (const token of tokens ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return tokens === null ? undefined : value;
}

/** The steps of `#/a/b`, decoded; null where the text is not a pointer. */
export function pointerTokens(reference: string): string[] | null {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return null;
  try {
    return reference
      .slice(2)
      .split('/')
      .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return null;
  }
}
