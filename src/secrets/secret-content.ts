import { InvalidRequest } from '../core/errors/index.js';
import { neverReachesScripts, type SecretKind } from './secret-kind.js';
import type { SecretInput } from './secret.dto.js';
import { kindProblem, valueProblem } from './secret.rules.js';
import type { SecretPlace } from './sources/secret-source.js';
import type { SecretSources } from './sources/secret-sources.js';

/** A value, or where it is read from when a run needs it. */
export type SecretContent =
  { source: null; reference: null; value: string } | { source: string; reference: string; value: null };

/** What a request sets. @throws InvalidRequest */
export function contentOf(
  { value, source, reference }: SecretInput,
  sources: Pick<SecretSources, 'find'>,
  place: SecretPlace,
): SecretContent {
  if (source === undefined) {
    if (value === undefined) throw InvalidRequest.at('value', 'must be a string, unless a source is named');
    if (reference !== undefined) throw InvalidRequest.at('reference', 'is for a source: name one');
    refuseAt('value', valueProblem(value));
    return { source: null, reference: null, value };
  }
  if (value !== undefined) throw InvalidRequest.at('value', 'must be left out: it is read from the source');
  const known = sources.find(source);
  if (!known) throw InvalidRequest.at('source', 'is not a source of secrets that this Gatehouse has');
  if (reference === undefined)
    throw InvalidRequest.at('reference', 'must say which value of the source it is');
  refuseAt('reference', known.referenceProblem?.(reference, place) ?? null);
  return { source, reference, value: null };
}

/** @throws InvalidRequest where a value is not of the kind; one that a source has is looked at when it is read */
export function checkKind(kind: SecretKind, input: SecretInput): void {
  const changes = input.kind !== undefined && input.kind !== kind;
  refuseAt('kind', changes ? `is ${kind} for this secret, and stays so: choose another name` : null);
  if (input.value !== undefined) refuseAt('value', kindProblem(kind, input.value));
  const isRead = neverReachesScripts(kind) && input.allowEnv === true;
  refuseAt('allowEnv', isRead ? `must be false for the kind ${kind}, which never reaches a script` : null);
}

/** @throws InvalidRequest where there is a problem */
export function refuseAt(path: string, problem: string | null): void {
  if (problem !== null) throw InvalidRequest.at(path, problem);
}
