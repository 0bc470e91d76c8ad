import { InvalidInput } from '../invalid-input/index.js';

export type PackageJson = Readonly<Record<string, unknown>>;

/**
 * Reads the text of a package.json.
 *
 * @throws InvalidInput at `archive`, saying where the text is not JSON
 */
export function parsePackageJson(text: string): PackageJson {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw InvalidInput.at('archive', `package.json is not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw InvalidInput.at('archive', 'package.json must hold a JSON object');
  return value;
}

/** The entry of `name` when it is an object with at least one key. */
export function nonEmptyObject(parent: PackageJson, name: string): Record<string, unknown> | null {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  return isObject(value) && Object.keys(value).length > 0 ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
