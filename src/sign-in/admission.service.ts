import { Injectable, Logger } from '@nestjs/common';

import { inTheApp } from '../audit/index.js';
import { AccountAuditService, SessionsService, type SignInPlace } from '../auth/index.js';
import type { Person } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { type ProvidedPlace, ProvidedMembersService } from '../workspaces/index.js';
import { ProvenAccountsService } from './proven-accounts.service.js';
import { SignInRefused } from './sign-in-refusal.js';
import type { ProvidedMembership, ProvenPerson, SignInWayProvider } from './sign-in-way.js';

interface Admitted {
  /** Of the new session, which replaces the browser's previous one. */
  token: string;
  /** What opened the account until now does no more. */
  secured: boolean;
}

/** What follows from a provider's word: the account, its places in workspaces, and a session. All of it or nothing. */
@Injectable()
export class AdmissionService {
  private readonly logger = new Logger(AdmissionService.name);

  constructor(
    private readonly accounts: ProvenAccountsService,
    private readonly members: ProvidedMembersService,
    private readonly sessions: SessionsService,
    private readonly audit: AccountAuditService,
    private readonly database: Database,
  ) {}

  /** @throws SignInRefused; QuotaExceeded where a workspace may have no more members */
  admit(way: SignInWayProvider, proven: ProvenPerson, place: SignInPlace): Promise<Admitted> {
    return this.database.transaction(async () => {
      // Workspaces first: whoever accepts an invitation locks in this order too.
      const places = await this.lockPlaces(way.id, proven.memberships);
      const hasRole = places.some(({ role }) => role !== null);
      const { person, secured } = await this.accounts.find(way, proven, hasRole);
      for (const each of places) await this.members.apply(person, each, inTheApp(person.id), way.id);
      await this.recordSignIn(way.id, person);
      const token = await this.sessions.openProven(person.id, proven.authenticatedAt, place);
      if (token === null) throw new SignInRefused('not_admitted', 'The account is disabled.', person.id);
      return { token, secured };
    });
  }

  /** To the trails of the workspaces of an account to which somebody was not let in. */
  recordRefusal(way: string, refusal: string, userId: string): Promise<void> {
    const by = inTheApp(null);
    const target = { type: 'user', id: userId };
    const action = 'user.sign_in_refused';
    return this.database.transaction(() =>
      this.audit.record({ userId, by, action, target, details: { way, refusal } }),
    );
  }

  private recordSignIn(way: string, { id }: Person): Promise<void> {
    const target = { type: 'user', id };
    const action = 'user.signed_in';
    return this.audit.record({ userId: id, by: inTheApp(id), action, target, details: { way } });
  }

  /** A workspace that is gone keeps nobody out of the others. */
  private async lockPlaces(
    way: string,
    memberships: readonly ProvidedMembership[],
  ): Promise<ProvidedPlace[]> {
    const ids = await this.members.lock(memberships.map(({ workspace }) => workspace));
    return memberships.flatMap(({ workspace, role, teams = {} }) => {
      const workspaceId = ids.get(workspace);
      if (workspaceId !== undefined) return [{ workspaceId, role, teams }];
      this.logger.warn(
        `The way to sign in "${way}" has roles in the workspace "${workspace}", which there is not.`,
      );
      return [];
    });
  }
}
