import { WrongUse } from '../failure/command-failure.js';

/** What `--json` and `--jq` were given. With either, a command prints JSON. */
export interface JsonOptions {
  /** `true` without fields, otherwise their names with commas between. */
  json?: true | string;
  /** A jq expression that the JSON goes through. */
  jq?: string;
}

export const wantsJson = ({ json, jq }: JsonOptions): boolean => json !== undefined || jq !== undefined;

/** The fields of a value that were asked for, by dotted paths. */
export function fieldsOf(value: object, option: true | string): unknown {
  if (option === true) return value;
  const names = option.split(',').map((name) => name.trim());
  return Object.fromEntries(names.map((name) => [name, fieldOf(value, name)]));
}

function fieldOf(value: object, path: string): unknown {
  const [first = '', ...rest] = path.split('.');
  if (!Object.hasOwn(value, first)) {
    throw new WrongUse(`There is no field "${first}".`, `There are: ${Object.keys(value).join(', ')}`);
  }
  const field = (value as Record<string, unknown>)[first];
  if (rest.length === 0) return field;
  return typeof field === 'object' && field !== null ? fieldOf(field, rest.join('.')) : null;
}
