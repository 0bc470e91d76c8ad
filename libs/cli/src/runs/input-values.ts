import { readFile } from 'node:fs/promises';

import { parseJson, stringifyJson } from '../output/json.js';
import { WrongUse } from '../failure/command-failure.js';

/** What of a JSON Schema tells how a value is typed at a terminal. */
export interface InputSchema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  description?: string;
  default?: unknown;
  items?: InputSchema;
  properties?: Record<string, InputSchema>;
  required?: string[];
}

/** A value that is uploaded before the run begins. */
export class FileToUpload {
  constructor(readonly path: string) {}
}

/** An input as it was typed: its name and text; `true` where only its name was. */
export type TypedInput = readonly [name: string, text: string | true];

/**
 * The inputs of `--city Berlin --count=3 --verbose --data @in.csv`. What is typed twice is a list. `@path` is a file: uploaded
 * where the schema asks for one, otherwise its text; `@@` is a plain `@`.
 *
 * @throws WrongUse for what the schema does not have, or what is no value of its type
 */
export async function inputsOf(
  typed: readonly TypedInput[],
  schema: InputSchema,
): Promise<Record<string, unknown>> {
  const inputs: Record<string, unknown> = {};
  for (const [name, text] of typed) {
    const field = schema.properties?.[name];
    if (!field) {
      const known = Object.keys(schema.properties ?? {});
      throw new WrongUse(
        `The script has no input "${name}".`,
        known.length === 0 ? 'It has none.' : `It has: ${known.map((one) => `--${one}`).join(', ')}`,
      );
    }
    if (isOf(field, 'array') && !(typeof text === 'string' && text.startsWith('['))) {
      const before = (inputs[name] ?? []) as unknown[];
      inputs[name] = [...before, await valueOf(name, text, field.items ?? {})];
    } else {
      inputs[name] = await valueOf(name, text, field);
    }
  }
  return inputs;
}

async function valueOf(name: string, typed: string | true, schema: InputSchema): Promise<unknown> {
  if (typed === true) {
    if (isOf(schema, 'boolean')) return true;
    throw new WrongUse(`--${name} needs a value.`);
  }
  if (schema.format === 'file') {
    return typed.startsWith('fil_') ? typed : new FileToUpload(typed.replace(/^@/, ''));
  }
  const text = await textOf(typed);
  const listed = schema.enum?.filter((one) => one === text || stringifyJson(one) === text) ?? [];
  if (listed.length > 0) return listed.includes(text) ? text : listed[0];
  if (isOf(schema, 'string') || schema.type === undefined) return text;
  try {
    return parseJson(text) as unknown;
  } catch {
    throw new WrongUse(`--${name} has to be ${wordsOf(schema)}, not "${text.slice(0, 60)}".`);
  }
}

async function textOf(typed: string): Promise<string> {
  if (typed.startsWith('@@')) return typed.slice(1);
  return typed.startsWith('@') ? readFile(typed.slice(1), 'utf8') : typed;
}

export function isOf({ type }: InputSchema, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

/** What a value may be, in words. */
export function wordsOf(schema: InputSchema): string {
  if (schema.enum) return schema.enum.map((one) => stringifyJson(one)).join(' or ');
  if (schema.format === 'file') return 'a file (@path)';
  if (isOf(schema, 'array')) return `${wordsOf(schema.items ?? {})}, any number of times`;
  const types = [schema.type ?? 'string'].flat().map((type) => WORDS[type] ?? type);
  return types.join(' or ');
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  null: 'null',
};
