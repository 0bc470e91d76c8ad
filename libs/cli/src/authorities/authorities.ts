import type { Authority, HostAuthorities } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { type Column, printList } from '../output/print.js';
import { green } from '../terminal/colours.js';
import { isInteractive, readStandardInput } from '../terminal/interactive.js';
import { say } from '../terminal/say.js';

const COLUMNS: readonly Column<HostAuthorities>[] = [
  ['host', ({ host }) => host],
  ['authorities', ({ certificates }) => certificates.map(authorityText).join('; ')],
];

export async function list({ options, gatehouse }: Context): Promise<void> {
  await printList(await (await gatehouse()).hostAuthorities.list(), options, COLUMNS);
}

/** The certificates are piped in, as they stand in their file. */
export async function set({ args, gatehouse }: Context): Promise<void> {
  const [host = ''] = args;
  if (isInteractive())
    throw new WrongUse(
      'Which authorities?',
      `Pipe their certificates in: gatehouse authorities set ${host} < ca.pem`,
    );
  const client = await gatehouse();
  const { host: named, certificates } = await client.hostAuthorities.set(host, {
    certificates: await readStandardInput(),
  });
  const count = certificates.length === 1 ? 'this authority' : `these ${certificates.length} authorities`;
  say(`${green('✓')} Certificates of ${named} are checked by ${count} alone.`);
  for (const certificate of certificates) say(`  ${authorityText(certificate)}`);
}

export async function remove({ args, gatehouse }: Context): Promise<void> {
  const [host = ''] = args;
  await (await gatehouse()).hostAuthorities.delete(host);
  say(`${green('✓')} ${host} has no authorities of its own any more.`);
}

function authorityText({ subject, validUntil, expired }: Authority): string {
  return `${subject} (${expired ? 'expired' : 'until'} ${validUntil.slice(0, 10)})`;
}
