import { setTimeout as sleep } from 'node:timers/promises';

import { CommandFailure } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import type { StoredToken } from '../settings/profiles.js';
import { bold } from '../terminal/colours.js';
import { isInteractive, say } from '../terminal/interactive.js';
import { openInBrowser } from '../terminal/open-in-browser.js';
import { plainText } from '../terminal/plain-text.js';
import { askForCode, pollForToken } from './authorization-server.js';

const USUAL_INTERVAL_S = 5;

/** Shows a code that the person compares in their browser, and waits until they have decided there (RFC 8628). */
export async function signInByDevice(url: string, mayOpenBrowser: boolean): Promise<StoredToken> {
  const asked = await askForCode(url);
  say(`Compare this code in your browser: ${bold(plainText(asked.user_code))}`);
  say(`It is at ${plainText(asked.verification_uri_complete)}`);
  if (mayOpenBrowser && isInteractive()) await openInBrowser(asked.verification_uri_complete);
  let seconds = asked.interval ?? USUAL_INTERVAL_S;
  const deadline = Date.now() + asked.expires_in * 1000;
  while (Date.now() < deadline) {
    await sleep(seconds * 1000);
    const answer = await pollForToken(url, asked.device_code);
    if (typeof answer !== 'string') return answer;
    if (answer === 'slow_down') seconds += 5;
    else if (answer === 'access_denied') throw new CommandFailure('You said no.', null, EXIT.notAllowed);
    else if (answer !== 'authorization_pending') break;
  }
  throw new CommandFailure('The code has expired.', 'Run again: gatehouse login', EXIT.notAllowed);
}
