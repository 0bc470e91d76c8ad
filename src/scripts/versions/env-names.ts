import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { secretNameProblem } from '../../secrets/index.js';

/**
 * The names of the secrets that a new version reads, each once.
 *
 * @throws InvalidRequest naming each wrong one, such as `env.2`
 */
export function parseEnv(names: readonly unknown[]): string[] {
  const details: ErrorDetail[] = [];
  const values = new Set<string>();
  names.forEach((name, index) => {
    const problem = typeof name === 'string' ? secretNameProblem(name) : 'must be a string';
    if (problem !== null) details.push({ path: `env.${index}`, message: problem });
    else values.add(name as string);
  });
  if (details.length === 0) return [...values];
  throw InvalidRequest.listing(details);
}
