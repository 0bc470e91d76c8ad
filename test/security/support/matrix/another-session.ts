import type { TestWorkspace } from '../../../../libs/testing/index.js';
import { client } from '../../../support/gatehouse.js';

/** Signs a workspace's owner in on another device. */
export async function signInOnceMore({ owner }: TestWorkspace): Promise<void> {
  const { status, text } = await client().post('/v1/auth/login', {
    email: owner.email,
    password: owner.password,
  });
  if (status !== 200) throw new Error(text);
}
