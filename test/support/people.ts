import { expect } from 'vitest';

import type { Client, Json, TestPerson, TestRole, TestWorkspace } from '../../libs/testing/index.js';
import { client, database } from './gatehouse.js';

export const MEMBERS = '/v1/workspace/members';
export const INVITATIONS = '/v1/workspace/invitations';
export const TEAMS = '/v1/workspace/teams';

/** In the app, as somebody in the workspace. */
export const inApp = (person: TestPerson, { slug }: TestWorkspace): Client =>
  client({ cookie: person.cookie, workspace: slug });

/** By a token with every scope. */
export const byToken = (person: TestPerson, { slug }: TestWorkspace): Client =>
  client({ token: person.token, workspace: slug });

/** The membership of a person, as the list shows it; undefined where there is none. */
export async function membership(
  workspace: TestWorkspace,
  person: { id: string },
): Promise<Json | undefined> {
  const { body } = await inApp(workspace.owner, workspace).get(`${MEMBERS}?limit=100`);
  return body.items.find(({ userId }: Json) => userId === person.id);
}

/** A new person in that role, with their membership's id. */
export async function newMember(
  workspace: TestWorkspace,
  role: TestRole,
): Promise<{ person: TestPerson; id: string }> {
  const person = await workspace.person(role);
  return { person, id: (await membership(workspace, person)).id };
}

export async function newTeam(
  workspace: TestWorkspace,
  name: string,
  members: TestPerson[] = [],
): Promise<Json> {
  const api = inApp(workspace.owner, workspace);
  const made = await api.post(TEAMS, { name });
  expect(made.status, made.text).toBe(201);
  for (const { id } of members) {
    expect((await api.put(`${TEAMS}/${made.body.id}/members/${id}`)).status).toBe(200);
  }
  return (await api.get(`${TEAMS}/${made.body.id}`)).body;
}

/** The events of a workspace of that type, oldest first, without what none of them may have: an environment. */
export async function eventsOf(workspace: { id: string }, type: string): Promise<Json[]> {
  const { rows } = await database().query(
    'SELECT data FROM events WHERE workspace_id = $1 AND type = $2 AND environment_id IS NULL ORDER BY id',
    [workspace.id, type],
  );
  return rows.map(({ data }) => data as Json);
}

/** The audit trail's entries about one target, oldest first. */
export async function auditOf(workspace: { id: string }, targetId: string): Promise<Json[]> {
  const { rows } = await database().query(
    `SELECT action, actor_type AS "actorType", actor_user_id AS "actorUserId", credential_type AS "credentialType",
       target_type AS "targetType", details
     FROM audit_events WHERE workspace_id = $1 AND target_id = $2 ORDER BY id`,
    [workspace.id, targetId],
  );
  return rows as Json[];
}

/** Every credential that could be refused a route of the workspace, by what it is. */
export async function credentials(workspace: TestWorkspace): Promise<Record<string, Client>> {
  const { slug, owner } = workspace;
  const member = await workspace.person('member');
  const guest = await workspace.person('guest');
  const reader = await owner.tokenWith({ scopes: ['workspace.members:read', 'workspace.teams:read'] });
  return {
    'a member in the app': inApp(member, workspace),
    'a member by token': byToken(member, workspace),
    "a member's agent": client({ token: await member.agent() }),
    'a guest in the app': inApp(guest, workspace),
    'a guest by token': byToken(guest, workspace),
    'a key': client({ token: await workspace.apiKey() }),
    'a bound key': client({ token: await workspace.apiKey('production') }),
    'a token without the scope': client({ token: reader, workspace: slug }),
    nobody: client({ workspace: slug }),
  };
}
