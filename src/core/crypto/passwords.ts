import { availableParallelism } from 'node:os';

import { Algorithm, hash, verify } from '@node-rs/argon2';

import { RateLimited, Unavailable } from '../errors/index.js';
import { FairSemaphore, SemaphoreBusy } from '../semaphore/index.js';

/** argon2id with OWASP's second recommended set: 19 MiB, two passes, one lane. */
const OPTIONS = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** Of those that wait, so that one address leaves room for others. */
const MOST_OF_OWNER = 20;

/** At most half of the processors, and of the threads that files and DNS need as well: trying passwords gets no more. */
const semaphore = new FairSemaphore({
  permits: Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2))),
  mostWaiting: 200,
});

/** @param owner for owner the work is done, such as an address: owners take turns */
export function hashPassword(password: string, owner = ''): Promise<string> {
  return inTurn(owner, () => hash(password, OPTIONS));
}

let decoy: Promise<string> | undefined;

/**
 * Takes the same time whether or not there is an account: without one, it compares with a hash that nothing matches.
 *
 * @throws RateLimited, Unavailable where too many wait for such work
 */
export async function verifyPassword(stored: string | null, password: string, owner = ''): Promise<boolean> {
  decoy ??= hash('no account has this password', OPTIONS);
  const compared = stored ?? (await decoy);
  const matches = await inTurn(owner, () => verify(compared, password));
  return matches && stored !== null;
}

async function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  try {
    return await semaphore.run(owner, work, { mostOfOwner: MOST_OF_OWNER });
  } catch (error) {
    if (!(error instanceof SemaphoreBusy)) throw error;
    if (error.ofTheirOwn) throw new RateLimited(1, 'Too many passwords at once.');
    throw new Unavailable('Too many passwords are being compared just now.', 2);
  }
}
