import { Gatehouse, UnauthorizedError } from '@gatehouse/client';

import type { Context } from '../context.js';
import { changeProfile } from '../settings/profiles.js';
import { profileNameOf } from '../settings/settings.js';
import { say } from '../terminal/say.js';

/** A token that was given is only forgotten: others may use it. One of the device flow is this profile's own, and ends. */
export default async function logout({ options }: Context): Promise<void> {
  let done = 'You were not signed in.';
  await changeProfile(profileNameOf(options), async (profile) => {
    if (profile === null) return null;
    done = `Signed out of ${profile.url}.`;
    if (profile.token.kind === 'given') {
      done += ' The token itself is good still.';
      return null;
    }
    // In less time than a lock on the profiles is kept.
    const settings = { baseUrl: profile.url, token: profile.token.access, retries: 0, timeoutMs: 10_000 };
    const gatehouse = new Gatehouse(settings);
    await gatehouse.user.revokeToken().catch((error: unknown) => {
      if (error instanceof UnauthorizedError) return;
      done += ` The service was not told (${(error as Error).message}): disconnect "Gatehouse command line" in the app, under Account.`;
    });
    return null;
  });
  say(done);
}
