import { DataSource } from 'typeorm';

import type { Settings } from '../core/config/index.js';
import { StaffMembersService, WORKSPACE_SLUG, WorkspacesService } from '../workspaces/index.js';
import { type Answer, dayOf, tableOf } from './answer.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';
import { workspaces } from './lists.js';
import { withService } from './service.js';
import { nameFor, personOf } from './users.js';

/** Workspaces whose slug or name has `part` in it, the oldest first. */
export function listWorkspaces(settings: Settings, part = ''): Promise<Answer> {
  return withApplication(settings, { alongside: true }, async (app) => {
    const value = await workspaces(app.get(DataSource).manager, part.toLowerCase());
    const rows = value.map(({ id, slug, name, plan, createdAt, disabledAt, owner, members }) => [
      ...[id, slug, name, plan, owner ?? '', members, dayOf(createdAt)],
      disabledAt ? `since ${dayOf(disabledAt)}` : '',
    ]);
    const headings = ['ID', 'SLUG', 'NAME', 'PLAN', 'OWNER', 'MEMBERS', 'MADE', 'DISABLED'];
    return { text: tableOf(headings, rows), value };
  });
}

/** Makes a workspace with what each one begins with. */
export async function makeWorkspace(
  settings: Settings,
  slug: string,
  ownerEmail: string,
  { name = slug }: { name?: string },
): Promise<Answer> {
  if (!WORKSPACE_SLUG.test(slug)) {
    throw new CommandRefused(
      'A slug has 1 to 50 lowercase letters, digits and dashes, and begins with a letter or digit.',
    );
  }
  const called = nameFor(name);
  return withService(settings, async (app) => {
    const owner = await personOf(app, ownerEmail);
    const service = app.get(WorkspacesService, { strict: false });
    const { id } = await service.create({ name: called, slug, owner: owner.id }, STAFF);
    const value = { id, slug, name: called, owner: owner.email };
    return { text: `The workspace ${slug} is there, ${id}; its owner is ${owner.email}.`, value };
  });
}

/** What an owner's deletion does; the workspace's rows stay until retention deletes them. */
export function disableWorkspace(settings: Settings, slug: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const service = app.get(WorkspacesService, { strict: false });
    const workspace = await service.find(slug);
    await service.delete(workspace, STAFF);
    return {
      text: `The workspace ${slug} is closed: nobody gets in and nothing starts there. Its API keys and apps are ended.`,
      value: workspace,
    };
  });
}

/** Opens a workspace again that was disabled, or that an owner deleted. */
export function enableWorkspace(settings: Settings, slug: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const value = await app.get(WorkspacesService, { strict: false }).restore(slug, STAFF);
    return {
      text: `The workspace ${slug} is open again. API keys have to be made and apps connected anew; schedules and triggers that were switched off say so.`,
      value,
    };
  });
}

/** Makes somebody with an account an owner. */
export function makeOwner(settings: Settings, slug: string, email: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const person = await personOf(app, email);
    const made = await app.get(StaffMembersService, { strict: false }).makeOwner(slug, person, STAFF);
    if (!made) throw new CommandRefused(`${person.email} is an owner of ${slug} already.`);
    return { text: `${person.email} is an owner of ${slug} now.`, value: { slug, owner: person.email } };
  });
}
