import type { ApprovalRequest, Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { givenFields } from '../general/given-fields.js';
import { wantsJson } from '../output/fields.js';
import { printAsJson } from '../output/print.js';
import { plainText } from '../terminal/plain-text.js';
import { green, yellow } from '../terminal/colours.js';
import { isInteractive } from '../terminal/interactive.js';
import { say } from '../terminal/say.js';
import { redeemSecret } from './redeem-secret.js';

export interface RequestOptions {
  field?: string[];
  jsonField?: string[];
  reason?: string;
  detach?: true;
  envFile?: string;
}

/** Asks a person to approve something, waits for them, and redeems what comes of it. */
export default async function request(context: Context<RequestOptions>): Promise<number> {
  const { args, options, gatehouse } = context;
  const [action = ''] = args;
  const client = await gatehouse();
  const filed = await client.approvalRequests.create({
    action,
    input: givenFields(options),
    reason: options.reason ?? (await askForReason()),
  });
  say(filed.summary);
  say(`${yellow('held:')} a person has to approve this at ${filed.approveUrl}`);
  if (options.detach) {
    if (wantsJson(options)) await printAsJson(filed, options);
    else console.log(plainText(filed.id));
    return EXIT.held;
  }
  return finish(client, await client.approvalRequests.wait(filed.id), context);
}

async function finish(
  gatehouse: Gatehouse,
  decided: ApprovalRequest,
  { options }: Context<RequestOptions>,
): Promise<number> {
  const { id, status, decisionReason } = decided;
  if (status === 'approved') {
    await redeemSecret(gatehouse, id, options.envFile);
    return EXIT.done;
  }
  if (status === 'completed') {
    say(`${green('✓')} It is done.`);
    if (wantsJson(options)) await printAsJson(decided, options);
    return EXIT.done;
  }
  if (status === 'denied') {
    throw new CommandFailure(
      `It was denied${decisionReason ? `: ${decisionReason}` : ''}.`,
      null,
      EXIT.notAllowed,
    );
  }
  const reason = (decided.result as { error?: string } | null)?.error;
  throw new CommandFailure(`The request has ${status}${reason ? `: ${reason}` : ''}.`);
}

async function askForReason(): Promise<string> {
  if (!isInteractive())
    throw new WrongUse('Why is it needed?', 'Add --reason with a sentence for the person who decides.');
  const { input } = await import('@inquirer/prompts');
  return input({ message: 'Why is it needed?', required: true }, { output: process.stderr });
}
