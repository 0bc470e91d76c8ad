import type { ErrorDetail } from '../../core/errors/index.js';
import { MISSING, valueAt } from './data-path.js';
import { sameJson } from './json-equality.js';
import type { Placeholders } from './template.js';

/** Dotted paths under an event's data or a request, each with the value that must be there. */
export type Filter = Record<string, unknown>;

const MOST_PATHS = 50;
const MOST_CHARACTERS = 16_384;

/** What is wrong with a filter as sent, each with its place. */
export function filterProblems(
  filter: Filter,
  placeholders: Pick<Placeholders, 'pathProblem'>,
): ErrorDetail[] {
  const paths = Object.keys(filter);
  if (paths.length > MOST_PATHS) {
    return [{ path: 'filter', message: `has ${paths.length} paths; at most ${MOST_PATHS} are taken` }];
  }
  if (JSON.stringify(filter).length > MOST_CHARACTERS) {
    return [{ path: 'filter', message: `is longer than ${MOST_CHARACTERS} characters` }];
  }
  return paths.flatMap((path) => {
    const problem = placeholders.pathProblem(path);
    return problem === null ? [] : [{ path: `filter.${path}`, message: problem }];
  });
}

/** The first path whose value is not the one asked for, or null where all are. A path that leads nowhere never fits. */
export function mismatch(filter: Filter, data: unknown): string | null {
  for (const [path, wanted] of Object.entries(filter)) {
    const value = valueAt(data, path);
    if (value === MISSING || !sameJson(value, wanted)) return path;
  }
  return null;
}
