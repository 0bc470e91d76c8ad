import type { Gatehouse, InvitationInput, Member, MemberPatch } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { printAsJson } from '../output/print.js';
import { wantsJson } from '../output/fields.js';
import { green } from '../terminal/colours.js';
import { type DeletionOptions, confirmDeletion } from '../terminal/confirm-deletion.js';
import { say } from '../terminal/say.js';

interface InviteOptions {
  role?: string;
}

const ROLES: readonly MemberPatch['role'][] = ['guest', 'member', 'admin', 'owner'];

export async function invite({ args, options, gatehouse }: Context<InviteOptions>): Promise<void> {
  const role = options.role === undefined ? undefined : roleOf(options.role);
  const input: InvitationInput = { email: args[0]!, ...(role !== undefined && { role }) };
  const invitation = await (await gatehouse()).invitations.create(input);
  if (wantsJson(options)) return printAsJson(invitation, options);
  say(`${green('✓')} ${invitation.email} is invited until ${invitation.expiresAt}.`);
  // Only where the service sends no mail.
  if (invitation.link) console.log(invitation.link);
}

export async function changeRole({ args, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  const [who = '', role = ''] = args;
  const wanted = roleOf(role);
  const { id } = await memberOf(client, who);
  const { email } = await client.members.update(id, { role: wanted });
  say(`${green('✓')} ${email} is ${wanted}.`);
}

export async function remove({ args, options, gatehouse }: Context<DeletionOptions>): Promise<void> {
  const client = await gatehouse();
  const { id, name, email } = await memberOf(client, args[0]!);
  await confirmDeletion(`Remove ${name} <${email}> from the workspace?`, options);
  await client.members.remove(id);
  say(`${green('✓')} ${email} is removed.`);
}

/** By e-mail address or by id. */
async function memberOf(gatehouse: Gatehouse, who: string): Promise<Member> {
  for await (const member of gatehouse.members.list()) {
    if (member.id === who || member.email.toLowerCase() === who.toLowerCase()) return member;
  }
  throw new WrongUse(`Nobody here is "${who}".`, 'See who is: gatehouse members list');
}

function roleOf(text: string): MemberPatch['role'] {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw new WrongUse(`"${text}" is no role.`, `There are: ${ROLES.join(', ')}`);
}
