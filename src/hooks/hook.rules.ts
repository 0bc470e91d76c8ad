import { assertMayLoosen, isInPerson, type WorkspaceCaller } from '../core/access/index.js';
import { Forbidden } from '../core/errors/index.js';
import { strengthOf, type VerifyConfig } from './verify/verify-config.js';

/**
 * @param before null where it is made
 * @throws Forbidden for one that anybody may send to, unless an owner makes it so in person; and where it would check less
 * than before, unless an owner or admin does
 */
export function assertMayVerify(
  caller: WorkspaceCaller,
  before: VerifyConfig | null,
  after: VerifyConfig,
): void {
  if (after.scheme === 'none' && !(isInPerson(caller) && caller.role === 'owner')) {
    throw new Forbidden(
      'A hook that takes requests of anybody takes an owner in person: in the app or by a personal access token. Choose another scheme for `verify`.',
    );
  }
  const isWeaker = before !== null && strengthOf(after) < strengthOf(before);
  assertMayLoosen(caller, isWeaker ? ['hook.verify'] : []);
}

/** @param missing secrets of the hook that have no value in its environment */
export function missingSecretsWarning(missing: readonly string[], environment: string): string | null {
  if (missing.length === 0) return null;
  const secrets = `${missing.length === 1 ? 'The secret' : 'The secrets'} ${missing.join(' and ')}`;
  return `${secrets} ${missing.length === 1 ? 'has' : 'have'} no value in the environment ${environment}: requests are refused until it is set.`;
}
