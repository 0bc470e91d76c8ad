import type { Gatehouse } from '@gatehouse/client';

import { CommandFailure } from '../failure/command-failure.js';
import { green } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { say } from '../terminal/say.js';
import { setInEnvFile } from './env-file.js';

/** Redeems an approved request. Its secret is shown this once: on standard output, or in the file. */
export async function redeemSecret(
  gatehouse: Gatehouse,
  id: string,
  envFile: string | undefined,
): Promise<void> {
  const { secret, envVar, request } = await gatehouse.approvalRequests.redeem(id);
  if (secret === null) {
    const reason = (request.result as { error?: string } | null)?.error ?? `it is ${request.status}`;
    throw new CommandFailure(`No secret was made: ${reason}`);
  }
  if (envFile === undefined) return console.log(plainText(secret));
  try {
    await setInEnvFile(envFile, envVar!, secret);
  } catch (error) {
    // It cannot be had a second time.
    console.log(plainText(secret));
    throw new CommandFailure(
      `${envFile} could not be written (${(error as Error).message}), so the secret is printed.`,
    );
  }
  say(`${green('✓')} ${envVar} is in ${envFile}.`);
}
