import { parseJson } from '../output/json.js';
import { WrongUse } from '../failure/command-failure.js';

export interface FieldOptions {
  field?: string[];
  jsonField?: string[];
}

/** The fields of `--field name=value` and `--json-field name=json`. */
export function givenFields({ field = [], jsonField = [] }: FieldOptions): Record<string, unknown> {
  const parsed = (name: string, json: string): [string, unknown] => {
    try {
      return [name, parseJson(json)];
    } catch {
      throw new WrongUse(`The value of ${name} is no JSON.`, `For text, use: --field ${name}=…`);
    }
  };
  return Object.fromEntries([...field.map(parted), ...jsonField.map((text) => parsed(...parted(text)))]);
}

/** For values that are mostly plain words: what is JSON counts as that, all else as text. */
export function jsonOrText(texts: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    texts.map(parted).map(([name, text]) => {
      try {
        return [name, parseJson(text)];
      } catch {
        return [name, text];
      }
    }),
  );
}

/** The two sides of `name=value`. */
export function parted(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new WrongUse(`"${text}" has to be NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}
