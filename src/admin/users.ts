import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';

import {
  AccountAuditService,
  AccountDisablingService,
  emailProblem,
  StaffFactorsService,
  UsersService,
} from '../auth/index.js';
import type { Person } from '../core/access/index.js';
import type { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { lineProblem } from '../core/http/index.js';
import { ProvisionedAccountsService } from '../sign-in/index.js';
import { StaffMembersService } from '../workspaces/index.js';
import { accountPassword } from './account-password.js';
import { type Answer, dayOf, tableOf } from './answer.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';
import { accounts, keysMadeBy } from './lists.js';
import { withService } from './service.js';

/** Accounts whose address or name has `part` in it, the oldest first. */
export function listUsers(settings: Settings, part = ''): Promise<Answer> {
  return withApplication(settings, { alongside: true }, async (app) => {
    const value = await accounts(app.get(DataSource).manager, part.toLowerCase());
    const rows = value.map(({ id, email, name, createdAt, disabledAt, workspaces }) => [
      ...[id, email, name, dayOf(createdAt), disabledAt ? `since ${dayOf(disabledAt)}` : ''],
      workspaces.join(' '),
    ]);
    return { text: tableOf(['ID', 'ADDRESS', 'NAME', 'MADE', 'DISABLED', 'WORKSPACES'], rows), value };
  });
}

/** Makes an account, which is in no workspace yet. */
export async function makeUser(
  settings: Settings,
  email: string,
  { name, passwordFile }: { name?: string; passwordFile?: string },
): Promise<Answer> {
  const problem = emailProblem(email);
  if (problem !== null) throw new CommandRefused(`The address ${problem}.`);
  const called = nameFor(name ?? email.slice(0, email.indexOf('@')));
  const { password, madeUp } = await accountPassword(passwordFile);
  return withApplication(settings, { alongside: true }, async (app) => {
    const users = app.get(UsersService, { strict: false });
    const audit = app.get(AccountAuditService, { strict: false });
    const passwordHash = await users.hash(password);
    const user = await app.get(Database).transaction(async () => {
      const made = await users.insert({ email, name: called, passwordHash, isProven: false });
      if (!made) throw new CommandRefused(`The address ${email} has an account already.`);
      const target = { type: 'user', id: made.id };
      await audit.record({ userId: made.id, by: STAFF, action: 'user.created', target });
      return made;
    });
    const said = madeUp === null ? '' : ` Its password, which is not said again: ${madeUp}`;
    return {
      text: `${user.email} has an account now, ${user.id}.${said}`,
      value: { ...user, ...(madeUp !== null && { password: madeUp }) },
    };
  });
}

/** Ends all that acts for a person, takes them out of every workspace, and lets nobody sign in as them. */
export function disableUser(settings: Settings, email: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const person = await personOf(app, email);
    const kept = await app.get(ProvisionedAccountsService, { strict: false }).keepDisabled(person.id, STAFF);
    const ended = await app.get(StaffMembersService, { strict: false }).disable(person, STAFF);
    if (!ended && !kept) throw new CommandRefused(`The account ${person.email} is disabled already.`);
    const disabled = ended ?? { workspaces: [], sessions: 0, tokens: 0, apps: 0 };
    const keys = await keysMadeBy(app.get(DataSource).manager, person.id);
    const { workspaces, sessions, tokens, apps } = disabled;
    const lines = [
      ...(kept ? ["The company's directory had disabled the account, and enables it no more."] : []),
      `${person.email} cannot sign in any more. Ended: sessions ${sessions}, tokens ${tokens}, apps ${apps}.`,
      `Taken out of: ${workspaces.join(', ') || 'no workspace'}. Schedules and triggers in their name end with that.`,
      ...keys.map(
        (of) => `${of.slug} has ${of.keys} API keys that they made; they are the workspace's, and work on.`,
      ),
    ];
    return { text: lines.join('\n'), value: { ...person, ...disabled, keys } };
  });
}

/** Lets somebody sign in again. What ended stays ended, and they come back to workspaces by invitation. */
export function enableUser(settings: Settings, email: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const person = await personOf(app, email);
    const disabling = app.get(AccountDisablingService, { strict: false });
    const enabled = await app.get(Database).transaction(() => disabling.enable(person.id, STAFF));
    if (!enabled) throw new CommandRefused(`The account ${person.email} is not disabled.`);
    return { text: `${person.email} can sign in again, and is in no workspace.`, value: person };
  });
}

/** For somebody who has lost their device: the password alone signs them in, until they set up a factor again. */
export function removeFactors(settings: Settings, email: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const person = await personOf(app, email);
    const removed = await app.get(StaffFactorsService, { strict: false }).remove(person, STAFF);
    if (!removed) throw new CommandRefused(`The account ${person.email} has no second factor.`);
    const lines = [
      `${person.email} has no second factor any more, and no sessions: the password alone signs them in.`,
      'Make sure that it is them who asked, and have them set one up again.',
    ];
    return { text: lines.join('\n'), value: person };
  });
}

/** @throws CommandRefused where the address has no account */
export async function personOf(app: INestApplicationContext, email: string): Promise<Person> {
  const person = await app.get(UsersService, { strict: false }).findByEmail(email);
  if (!person) throw new CommandRefused(`There is no account with the address ${email}.`);
  return person;
}

/** @throws CommandRefused where it is no name */
export function nameFor(text: string): string {
  const problem = text.length < 1 || text.length > 100 ? 'has 1 to 100 characters' : lineProblem(text);
  if (problem !== null) throw new CommandRefused(`A name ${problem}.`);
  return text;
}
