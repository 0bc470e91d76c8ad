import { expect } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { client, database } from './gatehouse.js';

export const APPROVALS = '/v1/workspace/approval-requests';
export const ACTIONS = '/v1/workspace/approval-actions';

/** A person by their token, in the app, or by an agent. */
export const byToken = ({ slug }: TestWorkspace, person: TestPerson): Client =>
  client({ token: person.token, workspace: slug });
export const inApp = ({ slug }: TestWorkspace, person: TestPerson): Client =>
  client({ cookie: person.cookie, workspace: slug });
export const byAgent = async ({ slug }: TestWorkspace, person: TestPerson): Promise<Client> =>
  client({ token: await person.agent(), workspace: slug });

/** Files a request and gives back its record. */
export async function ask(
  api: Client,
  action: string,
  input: Record<string, unknown>,
  reason = 'It is needed.',
): Promise<Json> {
  const { status, body, text } = await api.post(APPROVALS, { action, input, reason });
  expect(status, text).toBe(201);
  return body;
}

export const approve = (api: Client, id: string) => api.post(`${APPROVALS}/${id}/approve`);
export const deny = (api: Client, id: string, reason?: string) =>
  api.post(`${APPROVALS}/${id}/deny`, reason === undefined ? {} : { reason });
export const redeem = (api: Client, id: string, headers?: Record<string, string>) =>
  api.post(`${APPROVALS}/${id}/redeem`, undefined, headers);
export const read = async (api: Client, id: string): Promise<Json> =>
  (await api.get(`${APPROVALS}/${id}`)).body;

/** As if 24 hours had passed. */
export async function letExpire(id: string): Promise<void> {
  await database().query(`UPDATE approval_requests SET expires_at = now() WHERE id = $1`, [id]);
}

/** The events told of a request, oldest first. */
export async function eventsOf(id: string): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    `SELECT type, data FROM events WHERE type LIKE 'approval.%' AND data->>'requestId' = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

/** The audit trail's actions about a request, oldest first. */
export async function auditOf(id: string): Promise<string[]> {
  const { rows } = await database().query<{ action: string }>(
    'SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ action }) => action);
}

export const setRole = (ws: TestWorkspace, person: TestPerson, role: string) =>
  database().query('UPDATE memberships SET role = $3 WHERE workspace_id = $1 AND user_id = $2', [
    ws.id,
    person.id,
    role,
  ]);

export const removeMember = (ws: TestWorkspace, person: TestPerson) =>
  database().query('DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2', [ws.id, person.id]);
