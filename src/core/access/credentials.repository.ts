import { Injectable } from '@nestjs/common';

import type { TokenKind } from '../crypto/tokens.js';
import { Database } from '../database/database.js';
import type { WorkspaceFinding } from './access-rule.js';
import type { ApprovalPolicy, Caller } from './caller.js';
import type { Role } from './roles.js';

/** A credential that is good, with what was found of the workspace and environment that the request names. */
export interface Authenticated {
  caller: Caller;
  finding: WorkspaceFinding;
}

interface Row {
  credentialId: string;
  credentialName: string | null;
  /** Separated by blanks: splitting a text costs a tenth of what parsing an array does. */
  scopes: string | null;
  allowedWorkspaces: string[] | null;
  userId: string | null;
  userName: string | null;
  userEmail: string | null;
  workspaceId: string | null;
  workspaceSlug: string | null;
  workspaceName: string | null;
  role: Role | null;
  environmentId: string | null;
  environmentName: string | null;
  approvalPolicy: ApprovalPolicy | null;
  agentsAllowed: boolean | null;
  isDefault: boolean | null;
  boundEnvironment: string | null;
}

/** Resolves credential, person, membership and environment in one statement. Nothing of it is ever cached. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly database: Database) {}

  findToken(
    kind: TokenKind,
    hash: Buffer,
    namedWorkspace: string | null,
    namedEnvironment: string | null,
  ): Promise<Authenticated | null> {
    if (kind === 'apiKey') return this.find('api_key', API_KEY, hash, null, namedEnvironment);
    const caller = kind === 'access' ? 'agent' : 'personal_token';
    return this.find(
      caller,
      kind === 'access' ? AGENT : PERSONAL_TOKEN,
      hash,
      namedWorkspace,
      namedEnvironment,
    );
  }

  findSession(hash: Buffer, namedWorkspace: string | null, namedEnvironment: string | null) {
    return this.find('session', SESSION, hash, namedWorkspace, namedEnvironment);
  }

  private async find(
    kind: Caller['kind'],
    sql: string,
    hash: Buffer,
    namedWorkspace: string | null,
    namedEnvironment: string | null,
  ): Promise<Authenticated | null> {
    const parameters =
      kind === 'api_key' ? [hash, namedEnvironment] : [hash, namedWorkspace, namedEnvironment];
    const row = await this.database.one<Row>(sql, parameters);
    return row && present(kind, row, namedWorkspace, namedEnvironment);
  }
}

const FOUND = `
  w.id AS "workspaceId", w.slug AS "workspaceSlug", w.name AS "workspaceName",
  e.id AS "environmentId", e.name AS "environmentName", e.approval_policy AS "approvalPolicy",
  e.agents_allowed AS "agentsAllowed", e.is_default AS "isDefault"`;

const PERSON = 'u.id AS "userId", u.name AS "userName", u.email AS "userEmail", m.role AS role';

const NAMED_WORKSPACE = 'LEFT JOIN workspaces w ON w.slug = $2 AND w.deleted_at IS NULL';

const GRANTED_WORKSPACE =
  'LEFT JOIN workspaces w ON w.id = g.workspace_id AND w.slug = COALESCE($2, w.slug) AND w.deleted_at IS NULL';

const MEMBERSHIP = `
  LEFT JOIN memberships m ON m.workspace_id = w.id AND m.user_id = u.id
  LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
    AND CASE WHEN $3::text IS NULL THEN e.is_default ELSE e.name = $3 END`;

const SESSION = `
  SELECT encode(s.hash, 'hex') AS "credentialId", ${PERSON}, ${FOUND}
  FROM sessions s JOIN users u ON u.id = s.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP}
  WHERE s.hash = $1 AND s.expires_at > now()`;

const PERSONAL_TOKEN = `
  SELECT t.id AS "credentialId", t.name AS "credentialName", array_to_string(t.scopes, ' ') AS scopes, t.workspace_ids AS "allowedWorkspaces",
    ${PERSON}, ${FOUND}
  FROM personal_tokens t JOIN users u ON u.id = t.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP}
  WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`;

const AGENT = `
  SELECT g.id AS "credentialId", g.app_name AS "credentialName", array_to_string(g.scopes, ' ') AS scopes,
    ARRAY[g.workspace_id] AS "allowedWorkspaces", ${PERSON}, ${FOUND}
  FROM agent_access_tokens t JOIN agent_grants g ON g.id = t.grant_id AND g.revoked_at IS NULL
    JOIN users u ON u.id = g.user_id ${GRANTED_WORKSPACE} ${MEMBERSHIP}
  WHERE t.hash = $1 AND t.expires_at > now()`;

const API_KEY = `
  SELECT k.id AS "credentialId", k.name AS "credentialName", 'admin' AS role, bound.name AS "boundEnvironment", ${FOUND}
  FROM api_keys k
    JOIN workspaces w ON w.id = k.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN environments bound ON bound.id = k.environment_id
    LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
      AND CASE WHEN $2::text IS NOT NULL THEN e.name = $2 WHEN k.environment_id IS NOT NULL THEN e.id = k.environment_id
               ELSE e.is_default END
  WHERE k.hash = $1 AND k.revoked_at IS NULL`;

function present(
  kind: Caller['kind'],
  row: Row,
  namedWorkspace: string | null,
  namedEnvironment: string | null,
): Authenticated {
  return {
    caller: {
      kind,
      credentialId: row.credentialId,
      credentialName: row.credentialName ?? null,
      person: row.userId ? { id: row.userId, name: row.userName!, email: row.userEmail! } : null,
      scopes: typeof row.scopes === 'string' ? new Set(row.scopes.split(' ')) : null,
    },
    finding: {
      namedWorkspace,
      namedEnvironment,
      workspace: row.workspaceId
        ? { id: row.workspaceId, slug: row.workspaceSlug!, name: row.workspaceName! }
        : null,
      role: row.role,
      allowedWorkspaces: row.allowedWorkspaces ?? null,
      environment: row.environmentId
        ? {
            id: row.environmentId,
            name: row.environmentName!,
            approvalPolicy: row.approvalPolicy!,
            agentsAllowed: row.agentsAllowed!,
            isDefault: row.isDefault!,
          }
        : null,
      boundEnvironment: row.boundEnvironment ?? null,
    },
  };
}
