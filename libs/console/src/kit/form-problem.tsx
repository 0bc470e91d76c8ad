import { isProblem } from '../api/problem.js';
import { ProblemNotice } from './problem-notice.js';

/** What was wrong with a form, unless its fields say all of it. */
export function FormProblem({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  if (error === null || error === undefined) return null;
  const said =
    isProblem(error) &&
    error.details.length > 0 &&
    error.details.every(({ path }) => fields.includes(fieldOf(path)));
  return said ? null : <ProblemNotice error={error} />;
}

/** What was wrong with one field, or with an item of it (`hosts.2`, `hosts[2]`). */
export function problemAt(error: unknown, field: string): string | undefined {
  if (!isProblem(error)) return undefined;
  return error.details.find(({ path }) => fieldOf(path) === field)?.message;
}

function fieldOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}
