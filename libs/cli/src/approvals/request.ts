import type { ApprovalRequest, Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { givenFields } from '../general/given-fields.js';
import { fieldsOf } from '../output/fields.js';
import { printJson } from '../output/print.js';
import { green, yellow } from '../terminal/colours.js';
import { isInteractive, say } from '../terminal/interactive.js';
import { plainText } from '../terminal/plain-text.js';
import { redeemSecret } from './redeem-secret.js';

interface RequestOptions {
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
  say(plainText(filed.summary));
  say(`${yellow('held:')} a person has to approve this at ${filed.approveUrl}`);
  if (options.detach) {
    if (options.json === undefined) console.log(filed.id);
    else printJson(fieldsOf(filed, options.json));
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
    if (options.json !== undefined) printJson(fieldsOf(decided, options.json));
    return EXIT.done;
  }
  if (status === 'denied') {
    throw new CommandFailure(
      `It was denied${decisionReason ? `: ${plainText(decisionReason)}` : ''}.`,
      null,
      EXIT.notAllowed,
    );
  }
  const reason = (decided.result as { error?: string } | null)?.error;
  throw new CommandFailure(`The request has ${status}${reason ? `: ${plainText(reason)}` : ''}.`);
}

async function askForReason(): Promise<string> {
  if (!isInteractive())
    throw new WrongUse('Why is it needed?', 'Add --reason with a sentence for the person who decides.');
  const { input } = await import('@inquirer/prompts');
  return input({ message: 'Why is it needed?', required: true }, { output: process.stderr });
}
