import { randomBytes } from 'node:crypto';

import { newId } from '../../../src/core/crypto/ids.js';
import { database } from '../../support/gatehouse.js';

interface Place {
  id: string;
  environmentId: string;
}

export interface ScriptRecord {
  id: string;
  versionId: string;
  slug: string;
  name: string;
}

/** A published script without an archive, for runs that are never executed. */
export async function newScript(
  workspace: Place,
  access: 'workspace' | 'teams' = 'workspace',
  teamIds: string[] = [],
): Promise<ScriptRecord> {
  const script = {
    id: newId('script'),
    versionId: newId('version'),
    slug: `s-${randomBytes(4).toString('hex')}`,
    name: 'Sums',
  };
  await database().query(
    `INSERT INTO scripts (id, workspace_id, slug, name, status, access, team_ids, published_version, last_version)
     VALUES ($1, $2, $3, $4, 'published', $5, $6, 1, 1)`,
    [script.id, workspace.id, script.slug, script.name, access, teamIds],
  );
  await database().query(
    `INSERT INTO script_versions (id, script_id, number, command, input_schema, archive_key, archive_bytes,
       archive_sha256, timeout_seconds, hosts, secrets, env, created_via)
     VALUES ($1, $2, 1, 'true', '{}', 'content/none', 1, '00', 30, '{}', '{}', '{}', 'api')`,
    [script.versionId, script.id],
  );
  return script;
}

export interface Starter {
  userId?: string | null;
  credentialType?: string | null;
  credentialName?: string | null;
}

export async function newRun(
  workspace: Place,
  script: ScriptRecord,
  { userId = null, credentialType = null, credentialName = null }: Starter = {},
  phase = 'finished',
): Promise<string> {
  const id = newId('run');
  await database().query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase, inputs,
       started_by_user_id, credential_type, credential_name, by_agent, interface, test)
     VALUES ($1, $2, $3, $4, $11, $5, 1, $6, $7, '{}', $8, $9, $10, false, 'api', false)`,
    [
      id,
      workspace.id,
      workspace.environmentId,
      script.id,
      script.versionId,
      phase === 'finished' ? 'succeeded' : 'running',
      phase,
      userId,
      credentialType,
      credentialName,
      script.slug,
    ],
  );
  return id;
}

/** An output of a run, over the bytes of a file that was uploaded. */
export async function newOutput(runId: string, uploadId: string, name = 'out.csv'): Promise<string> {
  const id = newId('file');
  await database().query(
    `INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id,
       created_by_user_id, expires_at)
     SELECT $1, r.workspace_id, r.environment_id, 'out', $4, f.type, f.size, f.sha256, f.blob_key, r.id,
       r.started_by_user_id, now() + interval '30 days'
     FROM runs r, files f WHERE r.id = $2 AND f.id = $3`,
    [id, runId, uploadId, name],
  );
  return id;
}

export async function giveToRun(fileId: string, runId: string, field = 'table'): Promise<void> {
  await database().query('UPDATE files SET run_id = $2, field = $3, position = 0 WHERE id = $1', [
    fileId,
    runId,
    field,
  ]);
}

export async function expire(fileId: string): Promise<void> {
  await database().query(`UPDATE files SET expires_at = now() - interval '1 second' WHERE id = $1`, [fileId]);
}

export async function newTeam(workspace: Place, userIds: string[]): Promise<string> {
  const id = newId('team');
  await database().query('INSERT INTO teams (id, workspace_id, name) VALUES ($1, $2, $1)', [
    id,
    workspace.id,
  ]);
  for (const userId of userIds) {
    await database().query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [id, userId]);
  }
  return id;
}

export async function newEnvironment(workspace: Place, name: string): Promise<string> {
  const id = newId('environment');
  await database().query(
    `INSERT INTO environments (id, workspace_id, name, approval_policy, agents_allowed, is_default)
     VALUES ($1, $2, $3, 'none', true, false)`,
    [id, workspace.id, name],
  );
  return id;
}
