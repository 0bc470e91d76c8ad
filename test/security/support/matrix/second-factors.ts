import type { TestWorkspace } from '../../../../libs/testing/index.js';
import { beginAuthenticator, setUpAuthenticator } from '../../../support/second-factors.js';

/** The owner has an app for codes in hand, which waits for its first code. */
export async function firstCode({ owner }: TestWorkspace): Promise<{ code: string }> {
  return { code: (await beginAuthenticator(owner)).code() };
}

export async function withAuthenticator({ owner }: TestWorkspace): Promise<void> {
  await setUpAuthenticator(owner);
}
