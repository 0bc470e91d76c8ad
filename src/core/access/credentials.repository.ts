import { Injectable } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { arraysOf, Database } from '../database/index.js';
import type { ApprovalPolicy } from './caller.js';
import { ONE_SENT, manySent } from './credential-select.sql.js';
import { CredentialStrategies } from './credential-strategies.js';
import type { CredentialStrategy } from './credential-strategy.js';
import type { Identity } from './identity.js';
import type { Role } from './roles.js';

/** A credential as it was sent, with the workspace and environment that the request names. */
export interface SentCredential {
  strategy: CredentialStrategy;
  hash: Buffer;
  workspace: string | null;
  environment: string | null;
}

/** What a strategy's statement selects. */
interface CredentialRow {
  /** From the relation of sent credentials. */
  place: number;
  credentialId: string;
  credentialName: string | null;
  /** Separated by blanks: splitting a text costs a tenth of what parsing an array does. */
  scopes: string | null;
  scriptChoice: string | null;
  allowedWorkspaces: string[] | null;
  boundEnvironment: string | null;
  confirmed: boolean;
  userId: string | null;
  userName: string | null;
  userEmail: string | null;
  role: Role | null;
  /** Whether the person has one, or needs none. */
  hasSecondFactor: boolean;
  /** Seconds since the person made sure that it is them; null where the credential cannot tell. */
  confirmedAgo: number | null;
  workspaceId: string | null;
  workspaceSlug: string | null;
  workspaceName: string | null;
  secondFactorRequired: boolean | null;
  stepUpMinutes: number | null;
  environmentId: string | null;
  environmentName: string | null;
  approvalPolicy: ApprovalPolicy | null;
  agentsAllowed: boolean | null;
  isDefault: boolean | null;
}

/** Resolves credential, person, membership and environment in one statement. Nothing of it is ever cached. */
@Injectable()
export class CredentialsRepository {
  /** The texts of statements, not their results. */
  private readonly selectOne = new Map<CredentialStrategy, string>();
  private selectMany: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly strategies: CredentialStrategies,
    private readonly settings: Settings,
  ) {}

  async find(sent: SentCredential): Promise<Identity | null> {
    const { strategy, hash, workspace, environment } = sent;
    let sql = this.selectOne.get(strategy);
    if (sql === undefined) this.selectOne.set(strategy, (sql = strategy.select(ONE_SENT)));
    const row = await this.database.one<CredentialRow>(sql, [hash, workspace, environment]);
    return row && this.identityOf(sent, row);
  }

  /** The same for many, in their order. */
  async findMany(sent: readonly SentCredential[]): Promise<(Identity | null)[]> {
    this.selectMany ??= this.strategies
      .all()
      .map((strategy) => strategy.select(manySent(strategy.name)))
      .join(' UNION ALL ');
    const rows = await this.database.query<CredentialRow>(this.selectMany, [
      sent.map(({ strategy }) => strategy.name),
      ...arraysOf(sent, 'hash', 'workspace', 'environment'),
    ]);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return sent.map((one, index) => {
      const row = byPlace.get(index + 1);
      return row ? this.identityOf(one, row) : null;
    });
  }

  private identityOf(
    { strategy, hash, workspace, environment }: SentCredential,
    row: CredentialRow,
  ): Identity {
    return {
      strategy,
      hash,
      caller: {
        kind: strategy.kind,
        credentialId: row.credentialId,
        credentialName: row.credentialName,
        person: row.userId ? { id: row.userId, name: row.userName!, email: row.userEmail! } : null,
        scopes: row.scopes === null ? null : new Set(row.scopes.split(' ')),
        scriptChoice: row.scriptChoice,
        confirmed: row.confirmed,
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
        secondFactorMissing: !row.hasSecondFactor && this.isFactorRequired(row),
        stepUpMinutes: stepUpDue(row),
      },
    };
  }

  /** Where passwords are off, one that is left over opens nothing that a second factor could guard. */
  private isFactorRequired({ secondFactorRequired }: CredentialRow): boolean {
    return this.settings.passwords && (this.settings.secondFactorRequired || secondFactorRequired === true);
  }
}

/** The minutes within which the person should have made sure that it is them; null where they have, or need not. */
function stepUpDue({ stepUpMinutes, confirmedAgo }: CredentialRow): number | null {
  if (stepUpMinutes === null) return null;
  return confirmedAgo !== null && confirmedAgo < stepUpMinutes * 60 ? null : stepUpMinutes;
}
