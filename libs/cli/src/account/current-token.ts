import { changeProfile, type Profile } from '../settings/profiles.js';
import type { Settings } from '../settings/settings.js';
import { renewed } from './authorization-server.js';
import { CommandFailure } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';

/** Renewed a minute before its end, so that no request meets it. */
const MARGIN_MS = 60_000;

/** Gives the token for the next request, renewing it where that is due. */
export function currentToken({ givenToken, profile, profileName }: Settings): () => Promise<string> {
  let latest = profile;
  return async () => {
    if (givenToken !== null) return givenToken;
    if (isDue(latest!)) latest = await changeProfile(profileName, renew);
    return valueOf(latest!);
  };
}

/** Another command may have renewed it while this one waited for its turn. */
async function renew(profile: Profile | null): Promise<Profile> {
  if (profile === null) throw signedOut();
  if (profile.token.kind === 'given' || !isDue(profile)) return profile;
  const token = await renewed(profile.url, profile.token);
  if (token === null) throw signedOut();
  return { ...profile, token };
}

const isDue = ({ token }: Profile): boolean =>
  token.kind === 'signed_in' && token.expiresAt - Date.now() < MARGIN_MS;

const valueOf = ({ token }: Profile): string => (token.kind === 'given' ? token.value : token.access);

const signedOut = (): CommandFailure =>
  new CommandFailure('Your sign-in has ended.', 'Run: gatehouse login', EXIT.notAllowed);
