const INDEX = /^(0|[1-9]\d*)$/;

/** There is no value at all, unlike `null`, which is one. */
export const MISSING = Symbol('missing');

const MOST_PATH_LENGTH = 200;

/** Why a text is no dotted path, or null. */
export function pathProblem(path: string): string | null {
  if (path.length > MOST_PATH_LENGTH) return `is a path of more than ${MOST_PATH_LENGTH} characters`;
  if (path.split('.').includes('')) return 'must be a dotted path without empty steps, such as script.slug';
  return null;
}

/**
 * The value at a dotted path of an event's data: names of its own fields, and indexes of lists (`items.0.id`). Inherited
 * properties such as `constructor`, and the `length` of lists, are not part of the data.
 */
export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return MISSING;
    if (Array.isArray(value) && !INDEX.test(step)) return MISSING;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
