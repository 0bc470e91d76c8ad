import { isJsonObject } from '../../../kit/json-object.js';

/** How an input is filled in; `other` is what only its JSON can say. */
export const INPUT_KINDS = [
  'text',
  'longText',
  'number',
  'whole',
  'yesNo',
  'date',
  'choice',
  'texts',
  'file',
  'files',
  'other',
] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

type Json = Record<string, unknown>;

/** An input as the builder shows it. */
export interface BuiltInput {
  name: string;
  kind: InputKind;
  description: string;
  isRequired: boolean;
  /** Of what one is chosen. */
  choices: string[];
  /** What it begins with, as it is typed; empty: with nothing. */
  start: string;
}

const SHAPES: Record<Exclude<InputKind, 'choice' | 'other'>, Json> = {
  text: { type: 'string' },
  longText: { type: 'string', format: 'textarea' },
  number: { type: 'number' },
  whole: { type: 'integer' },
  yesNo: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  texts: { type: 'array', items: { type: 'string' } },
  file: { type: 'string', format: 'file' },
  files: { type: 'array', items: { type: 'string', format: 'file' } },
};
/** What belongs to the kind, and goes when another is chosen; what else is there may not fit another one either. */
const KEPT = ['title', 'description'];
const SHAPING = ['type', 'format', 'items', 'enum', 'const', '$ref', 'oneOf', 'anyOf', 'allOf'];
/** What can begin with something that is typed. */
const STARTS: readonly InputKind[] = ['text', 'longText', 'number', 'whole', 'date', 'choice', 'yesNo'];

export const hasStart = (kind: InputKind): boolean => STARTS.includes(kind);

export function builtInputs(schema: Json): BuiltInput[] {
  return Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const { description, default: start, enum: choices } = objectOf(property);
    const kind = kindOf(property);
    return {
      name,
      kind,
      description: typeof description === 'string' ? description : '',
      isRequired: requiredOf(schema).includes(name),
      choices: kind === 'choice' ? (choices as string[]) : [],
      start: startText(kind, start),
    };
  });
}

/** With one input as it is now, or with one more; what the builder does not show stays. */
export function withInput(schema: Json, before: string | null, input: BuiltInput): Json {
  const entries = Object.entries(propertiesOf(schema));
  const at = entries.findIndex(([name]) => name === before);
  const made: [string, unknown] = [input.name, propertyOf(at < 0 ? {} : entries[at]![1], input)];
  const properties = at < 0 ? [...entries, made] : entries.with(at, made);
  const others = requiredOf(schema).filter((name) => name !== before && name !== input.name);
  const required = properties
    .map(([name]) => name)
    .filter((name) => (name === input.name ? input.isRequired : others.includes(name)));
  return assembled(schema, properties, required);
}

export function withoutInput(schema: Json, gone: string): Json {
  const properties = Object.entries(propertiesOf(schema)).filter(([name]) => name !== gone);
  return assembled(
    schema,
    properties,
    requiredOf(schema).filter((name) => name !== gone),
  );
}

/** One place further up, as the form has it. */
export function withInputUp(schema: Json, name: string): Json {
  const properties = Object.entries(propertiesOf(schema));
  const at = properties.findIndex(([known]) => known === name);
  if (at < 1) return schema;
  const moved = properties.with(at - 1, properties[at]!).with(at, properties[at - 1]!);
  return assembled(schema, moved, requiredOf(schema));
}

function assembled(
  { required: _, ...schema }: Json,
  properties: [string, unknown][],
  required: string[],
): Json {
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function propertyOf(before: unknown, { kind, description, choices, start }: BuiltInput): unknown {
  const { description: _, default: first, ...rest } = objectOf(before);
  const said = description === '' ? {} : { description };
  if (kind === 'other') return { ...rest, ...said, ...(first !== undefined && { default: first }) };
  const shape = kind === 'choice' ? { enum: choices } : SHAPES[kind];
  const others = Object.entries(rest).filter(([word]) =>
    kindOf(before) === kind ? !SHAPING.includes(word) : KEPT.includes(word),
  );
  const isAsBefore = kindOf(before) === kind && start === startText(kind, first);
  const begins = isAsBefore ? first : startOf(kind, start);
  return {
    ...shape,
    ...Object.fromEntries(others),
    ...said,
    ...(begins !== undefined && { default: begins }),
  };
}

/** As it is typed; what no field can show stays as it is. */
function startText(kind: InputKind, start: unknown): string {
  return hasStart(kind) && ['string', 'number', 'boolean'].includes(typeof start) ? String(start) : '';
}

/** As the schema has it; a number that is none yet stays as it is typed, and is told of when the form is made. */
function startOf(kind: InputKind, start: string): unknown {
  if (start === '') return undefined;
  if (kind === 'yesNo') return start === 'true';
  if (kind !== 'number' && kind !== 'whole') return start;
  const number = Number(start);
  return Number.isFinite(number) ? number : start;
}

function kindOf(property: unknown): InputKind {
  const shape = Object.fromEntries(
    Object.entries(objectOf(property)).filter(([word]) => SHAPING.includes(word)),
  );
  const choices = shape['enum'];
  if (Array.isArray(choices)) {
    const isPlain =
      choices.every((one) => typeof one === 'string') &&
      [undefined, 'string'].includes(shape['type'] as string);
    return isPlain && !Object.keys(shape).some((word) => !['enum', 'type'].includes(word))
      ? 'choice'
      : 'other';
  }
  const text = canonical(shape);
  const found = Object.entries(SHAPES).find(([, known]) => canonical(known) === text);
  return (found?.[0] as InputKind | undefined) ?? 'other';
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isJsonObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

const propertiesOf = ({ properties }: Json): Json => objectOf(properties);

const requiredOf = ({ required }: Json): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];

function objectOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}
