import { type ErrorDetail, InvalidRequest } from '../../core/errors/problems.js';
import { secretNameProblem } from '../../secrets/index.js';
import { parseHostPattern } from './host-pattern.js';

/**
 * The hosts of a new version in their one form, each once.
 *
 * @throws InvalidRequest naming each wrong one, such as `hosts.2`
 */
export function parseHosts(hosts: readonly unknown[]): string[] {
  return parseList('hosts', hosts, (text) => {
    const parsed = parseHostPattern(text);
    return 'host' in parsed ? { value: parsed.host } : parsed;
  });
}

/**
 * The names of the secrets that a new version reads, each once.
 *
 * @throws InvalidRequest naming each wrong one, such as `env.2`
 */
export function parseEnv(names: readonly unknown[]): string[] {
  return parseList('env', names, (text) => {
    const problem = secretNameProblem(text);
    return problem === null ? { value: text } : { problem };
  });
}

function parseList(
  path: string,
  items: readonly unknown[],
  parse: (text: string) => { value: string } | { problem: string },
): string[] {
  const details: ErrorDetail[] = [];
  const values = new Set<string>();
  items.forEach((item, index) => {
    const parsed = typeof item === 'string' ? parse(item) : { problem: 'must be a string' };
    if ('problem' in parsed) details.push({ path: `${path}.${index}`, message: parsed.problem });
    else values.add(parsed.value);
  });
  if (details.length === 0) return [...values];
  throw new InvalidRequest(details.map((detail) => `${detail.path}: ${detail.message}`).join('; '), details);
}
