import { setTimeout as sleep } from 'node:timers/promises';

import { CommandFailure } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import type { StoredToken } from '../settings/profiles.js';
import { bold } from '../terminal/colours.js';
import { isInteractive } from '../terminal/interactive.js';
import { say } from '../terminal/say.js';
import { openInBrowser } from '../terminal/open-in-browser.js';
import { askForCode, hasPersonalTokens, pollForToken } from './authorization-server.js';

const USUAL_INTERVAL_S = 5;
const LONGEST_INTERVAL_S = 60;
/** What may pass, so that the person's decision is not lost. */
const PASSING = new Set(['authorization_pending', 'slow_down', 'unreachable']);

interface DeviceOptions {
  /** Scopes besides the usual ones. */
  scope?: string[];
  /** Whether a browser may be opened. */
  browser: boolean;
}

/** Shows a code that the person compares in their browser, and waits until they have decided there (RFC 8628). */
export async function signInByDevice(url: string, { scope, browser }: DeviceOptions): Promise<StoredToken> {
  await checkTokensAreOn(url);
  const asked = await askForCode(url, scope);
  say(`Compare this code in your browser: ${bold(asked.user_code)}`);
  say(`It is at ${asked.verification_uri_complete}`);
  if (browser && isInteractive()) await openInBrowser(asked.verification_uri_complete, url);
  let seconds = asked.interval ?? USUAL_INTERVAL_S;
  const deadline = Date.now() + asked.expires_in * 1000;
  while (Date.now() < deadline) {
    await sleep(Math.min(Math.max(seconds, 1), LONGEST_INTERVAL_S) * 1000);
    const result = await pollForToken(url, asked.device_code);
    if (typeof result !== 'string') return result;
    if (result === 'slow_down') seconds += 5;
    if (result === 'access_denied') throw new CommandFailure('You said no.', null, EXIT.notAllowed);
    if (result === 'expired_token') break;
    if (!PASSING.has(result)) throw new CommandFailure(`${url} does not sign you in: ${result}.`);
  }
  throw new CommandFailure('The code has expired.', 'Run again: gatehouse login', EXIT.notAllowed);
}

/** Better said before a person has compared a code: what they give would be refused. */
async function checkTokensAreOn(url: string): Promise<void> {
  if (await hasPersonalTokens(url)) return;
  throw new CommandFailure(
    `${url} has the tokens of persons switched off, and with them the command line's (GATEHOUSE_PERSONAL_TOKENS).`,
    'Sign in with an API key: gatehouse login --token',
    EXIT.notAllowed,
  );
}
