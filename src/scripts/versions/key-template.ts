import { declaredProperties, type JsonSchema } from '../../../libs/json-schema/index.js';

export const MAX_KEY_LENGTH = 200;
/** Text, and inputs as `{name}`; a command knows the same names. */
const KEY = /^(?:[^{}]|\{[A-Za-z_][A-Za-z0-9_-]{0,63}\})*$/;
const INPUT = /\{([^}]+)\}/;

/** How a key is documented. */
export const KEY_FORM = { type: String, nullable: true, maxLength: MAX_KEY_LENGTH } as const;
export const KEY_PATTERN = KEY.source;

/** A part of a key: text as it is, or the value of an input. */
export type KeyPart = { text: string } | { input: string };

/**
 * What is wrong with a key, in words.
 *
 * @param inputSchema of the version, whose properties a key may name
 */
export function keyProblems(key: unknown, inputSchema: JsonSchema): string[] {
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !KEY.test(key))
    return [`must be a text of at most ${MAX_KEY_LENGTH} characters, with inputs as {name}`];
  const declared = declaredProperties(inputSchema);
  return keyParts(key).flatMap((part) =>
    'input' in part && !declared.has(part.input) ? [`{${part.input}} is not a property of inputSchema`] : [],
  );
}

/** What a key is made of, in its order. */
export function keyParts(key: string | null): KeyPart[] {
  // Split by a group, every second one is what the group found.
  return (key ?? '')
    .split(INPUT)
    .map((part, index) => (index % 2 === 1 ? { input: part } : { text: part }))
    .filter((part) => !('text' in part) || part.text !== '');
}
