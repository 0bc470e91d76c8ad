const MOST_REFERENCES = 50;

/** `#/properties/a~1b` → `['properties', 'a/b']`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** What stands at a place in a schema, where a step `$ref` goes on at what is referred to. */
export function schemaAt(schema: unknown, location: string): unknown {
  let node = schema;
  let references = 0;
  for (const step of pointerSteps(location)) {
    const next = isObject(node) ? node[step] : undefined;
    if (step !== '$ref' || typeof next !== 'string') {
      node = next;
      continue;
    }
    references += 1;
    if (references > MOST_REFERENCES || !next.startsWith('#')) return undefined;
    node = pointerSteps(next).reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), schema);
  }
  return node;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
