import { Injectable, Logger } from '@nestjs/common';

import { inTheApp } from '../audit/index.js';
import { AccountAuditService, SessionsService, type SignInPlace } from '../auth/index.js';
import { Database } from '../core/database/index.js';
import { InvitationsService, type ProvidedPlace, ProvidedMembersService } from '../workspaces/index.js';
import { ProvenAccountsService } from './proven-accounts.service.js';
import { SignInRefused } from './sign-in-refusal.js';
import type {
  ProvidedMembership,
  ProvenPerson,
  ProvisionedPerson,
  SignInWayProvider,
} from './sign-in-way.js';

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
    private readonly invitations: InvitationsService,
    private readonly sessions: SessionsService,
    private readonly audit: AccountAuditService,
    private readonly database: Database,
  ) {}

  /**
   * @param confirms who is signed in already, and nobody else is to be
   * @throws SignInRefused; QuotaExceeded where a workspace may have no more members
   */
  admit(
    way: SignInWayProvider,
    proven: ProvenPerson | ProvisionedPerson,
    place: SignInPlace,
    confirms: string | null,
  ): Promise<Admitted> {
    return this.database.transaction(async () => {
      // Workspaces first: whoever accepts an invitation locks in this order too.
      const places = await this.lockPlaces(way.id, proven);
      const hasRole = places.some(({ role }) => role !== null);
      // Whoever is invited makes their account in this way, and accepts then.
      const mayBeNew = confirms === null && (hasRole || (await this.invitations.isInvited(proven.email)));
      const { person, secured } = await this.accounts.find(way, proven, mayBeNew);
      if (confirms !== null && person.id !== confirms) {
        throw new SignInRefused('other_account', 'Somebody else came back than who was signed in.');
      }
      for (const each of places) await this.members.apply(person, each, inTheApp(person.id), way.id);
      await this.audit.recordSignIn(person.id, way.id, place);
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

  /** A workspace that is gone keeps nobody out of the others. */
  private async lockPlaces(way: string, proven: ProvenPerson | ProvisionedPerson): Promise<ProvidedPlace[]> {
    const ids = await this.members.lock(proven.memberships.map(({ workspace }) => workspace));
    // What the directory has told changes, as long as nothing is locked.
    const memberships: readonly ProvidedMembership[] =
      'membershipsNow' in proven ? await proven.membershipsNow() : proven.memberships;
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
