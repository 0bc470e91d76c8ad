import { type HostPattern, InvalidHost, parseHost, patternsOverlap } from '../../libs/egress/index.js';
import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';

/**
 * The hosts that a value may go to in their one form, each once.
 *
 * @throws InvalidRequest naming each wrong one, such as `hosts.2`
 */
export function parseSecretHosts(hosts: readonly unknown[]): string[] {
  const details: ErrorDetail[] = [];
  const values = new Set<string>();
  hosts.forEach((host, index) => {
    const parsed = parsedOrProblem(host);
    if (typeof parsed === 'string') details.push({ path: `hosts.${index}`, message: parsed });
    else values.add(parsed.text);
  });
  if (details.length === 0) return [...values];
  throw InvalidRequest.listing(details);
}

/**
 * The hosts that are in both lists, which are in their one form: of each pair that overlaps the narrower one, so
 * `*.example.com` and `api.example.com` share `api.example.com`.
 */
export function sharedHosts(some: readonly string[], others: readonly string[]): HostPattern[] {
  const patterns = others.map(parseHost);
  const shared = some
    .map(parseHost)
    .flatMap((one) =>
      patterns.filter((other) => patternsOverlap(one, other)).map((other) => narrower(one, other)),
    );
  return [...new Map(shared.map((pattern) => [pattern.text, pattern])).values()];
}

/** Whether all hosts are among the others, both in their one form: `api.example.com` is among `*.example.com`. */
export function areAmong(hosts: readonly string[], others: readonly string[]): boolean {
  return hosts.every((host) => sharedHosts([host], others).some(({ text }) => text === host));
}

/** Of two that overlap: the one without a wildcard, or of two wildcards the one with the longer name. */
function narrower(one: HostPattern, other: HostPattern): HostPattern {
  if (one.wildcard !== other.wildcard) return one.wildcard ? other : one;
  return one.name.length >= other.name.length ? one : other;
}

function parsedOrProblem(host: unknown): HostPattern | string {
  if (typeof host !== 'string') return 'must be a string';
  try {
    return parseHost(host);
  } catch (error) {
    if (error instanceof InvalidHost) return error.message;
    throw error;
  }
}
