interface Property {
  type?: unknown;
  format?: unknown;
  enum?: unknown;
  default?: unknown;
  description?: unknown;
}

/** A line for each input: its name in backticks, what it is, whether it must be given, and what its author says of it. */
export function inputLines(schema: Record<string, unknown>): string[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Property | boolean>;
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties).map(([name, declared]) => {
    const property = typeof declared === 'object' ? declared : {};
    const must = required.includes(name) ? ', required' : '';
    const usual = property.default === undefined ? '' : `, else ${JSON.stringify(property.default)}`;
    const told = typeof property.description === 'string' ? `: ${property.description}` : '';
    return `\`${name}\` ${typeText(property)}${must}${usual}${told}`.replaceAll(/\s+/g, ' ');
  });
}

function typeText({ type, format, enum: choices }: Property): string {
  if (Array.isArray(choices)) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  if (format === 'file') return 'a file';
  if (typeof format === 'string') return `${WORDS[String(type)] ?? 'anything'} (${format})`;
  if (Array.isArray(type)) return type.map((each) => WORDS[String(each)] ?? String(each)).join(' or ');
  return WORDS[String(type)] ?? 'anything';
}

const WORDS: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
  null: 'nothing',
};
