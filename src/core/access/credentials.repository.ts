import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { WorkspaceFinding } from './access-rule.js';
import type { ApprovalPolicy, Caller, CallerKind } from './caller.js';
import { FIND_MANY, FIND_ONE } from './credential-select.sql.js';
import type { Role } from './roles.js';

/** A credential as it was sent, with the workspace and environment that the request names. */
export interface SentCredential {
  kind: CallerKind;
  hash: Buffer;
  workspace: string | null;
  environment: string | null;
}

/** A credential that is good, with what was found of the workspace and environment that the request names. */
export interface Authenticated {
  caller: Caller;
  finding: WorkspaceFinding;
  /** False: a session whose person gave their password more than an hour ago. */
  confirmed: boolean;
}

interface Row {
  place: number;
  credentialId: string;
  credentialName: string | null;
  /** Separated by blanks: splitting a text costs a tenth of what parsing an array does. */
  scopes: string | null;
  allowedWorkspaces: string[] | null;
  boundEnvironment: string | null;
  confirmed: boolean;
  userId: string | null;
  userName: string | null;
  userEmail: string | null;
  role: Role | null;
  workspaceId: string | null;
  workspaceSlug: string | null;
  workspaceName: string | null;
  environmentId: string | null;
  environmentName: string | null;
  approvalPolicy: ApprovalPolicy | null;
  agentsAllowed: boolean | null;
  isDefault: boolean | null;
}

/** Resolves credential, person, membership and environment in one statement. Nothing of it is ever cached. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly database: Database) {}

  async find(sent: SentCredential): Promise<Authenticated | null> {
    const { kind, hash, workspace, environment } = sent;
    const row = await this.database.one<Row>(FIND_ONE[kind], [hash, workspace, environment]);
    return row && present(sent, row);
  }

  /** The same for many, in their order. */
  async findMany(sent: readonly SentCredential[]): Promise<(Authenticated | null)[]> {
    const rows = await this.database.query<Row>(FIND_MANY, [
      sent.map(({ kind }) => kind),
      sent.map(({ hash }) => hash),
      sent.map(({ workspace }) => workspace),
      sent.map(({ environment }) => environment),
    ]);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return sent.map((one, index) => {
      const row = byPlace.get(index + 1);
      return row ? present(one, row) : null;
    });
  }
}

function present({ kind, workspace, environment }: SentCredential, row: Row): Authenticated {
  return {
    caller: {
      kind,
      credentialId: row.credentialId,
      credentialName: row.credentialName,
      person: row.userId ? { id: row.userId, name: row.userName!, email: row.userEmail! } : null,
      scopes: row.scopes === null ? null : new Set(row.scopes.split(' ')),
    },
    finding: {
      namedWorkspace: workspace,
      namedEnvironment: environment,
      workspace: row.workspaceId
        ? { id: row.workspaceId, slug: row.workspaceSlug!, name: row.workspaceName! }
        : null,
      role: row.role,
      allowedWorkspaces: row.allowedWorkspaces,
      environment: row.environmentId
        ? {
            id: row.environmentId,
            name: row.environmentName!,
            approvalPolicy: row.approvalPolicy!,
            agentsAllowed: row.agentsAllowed!,
            isDefault: row.isDefault!,
          }
        : null,
      boundEnvironment: row.boundEnvironment,
    },
    confirmed: row.confirmed,
  };
}
