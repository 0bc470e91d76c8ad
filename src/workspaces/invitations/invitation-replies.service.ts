import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../../audit/index.js';
import { SignIn } from '../../auth/sign-in.service.js';
import type { UserMeDto } from '../../auth/user.dto.js';
import { type User, Users } from '../../auth/users.service.js';
import { Authenticator } from '../../core/access/authenticator.js';
import { Database } from '../../core/database/database.js';
import { Forbidden, InvalidRequest, Unauthorized } from '../../core/errors/problems.js';
import type { GatehouseRequest } from '../../core/http/request.js';
import { IdempotencyService } from '../../core/idempotency/idempotency.service.js';
import { UsageService } from '../../usage/index.js';
import { Members } from '../members/members.service.js';
import { InvitationTokens } from './invitation-tokens.js';
import type { InvitationAcceptance, InvitationOfferDto } from './invitation.dto.js';
import { InvitationsRepository, type OfferedInvitationRow } from './invitations.repository.js';

export interface Accepted {
  user: UserMeDto;
  /** The session of an account that was made just now. */
  cookie: string | null;
}

/** What the holder of a link does with an invitation. The link proves that the address is theirs. */
@Injectable()
export class InvitationReplies {
  constructor(
    private readonly tokens: InvitationTokens,
    private readonly invitations: InvitationsRepository,
    private readonly members: Members,
    private readonly users: Users,
    private readonly signIn: SignIn,
    private readonly authenticator: Authenticator,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    private readonly usage: UsageService,
  ) {}

  async look(token: string, address: string): Promise<InvitationOfferDto> {
    return present(await this.tokens.open(token, address));
  }

  /**
   * @throws InvalidRequest when it is not open; Unauthorized or Forbidden unless the address has no account or its
   * person is signed in
   */
  async accept(token: string, input: InvitationAcceptance, request: GatehouseRequest): Promise<Accepted> {
    const invitation = await this.tokens.open(token, request.ip);
    return invitation.userId === null
      ? this.acceptAnew(invitation, input, request)
      : this.acceptSignedIn(invitation, input, request);
  }

  async decline(token: string, address: string): Promise<InvitationOfferDto> {
    const invitation = await this.tokens.open(token, address);
    const { id, workspaceId, email } = invitation;
    await this.database.transaction(async () => {
      if (!(await this.invitations.decline(id))) throw this.tokens.closed();
      const target = { type: 'invitation', id };
      await this.audit.record(workspaceId, inTheApp(null), 'invitation.declined', target, { email });
      await this.idempotency.complete(200, present(invitation));
    });
    return present(invitation);
  }

  private async acceptAnew(
    invitation: OfferedInvitationRow,
    { name, password }: InvitationAcceptance,
    request: GatehouseRequest,
  ): Promise<Accepted> {
    const missing = (value?: string): boolean => value === undefined;
    refuse({ name, password }, missing, 'is missing: the address has no account yet');
    const passwordHash = await this.users.hash(password!, invitation.email);
    return this.database.transaction(async () => {
      const user = await this.join(invitation, async () => {
        const made = await this.users.insert({ email: invitation.email, name: name!, passwordHash });
        if (!made) throw mustSignIn(invitation.email);
        return made;
      });
      const cookie = await this.signIn.open(user.id, passwordHash, request);
      return { user: await this.answer(user), cookie };
    });
  }

  private async acceptSignedIn(
    invitation: OfferedInvitationRow,
    { name, password }: InvitationAcceptance,
    request: GatehouseRequest,
  ): Promise<Accepted> {
    const caller = (await this.authenticator.identify(request))?.caller;
    if (!caller) throw mustSignIn(invitation.email);
    if (caller.kind !== 'session' || caller.person?.id !== invitation.userId) {
      throw new Forbidden(`This invitation is for ${invitation.email}. Sign in to the app as that person.`);
    }
    const given = (value?: string): boolean => value !== undefined;
    refuse({ name, password }, given, 'is for a new account, and this address has one');
    const { person } = caller;
    return this.database.transaction(async () => {
      await this.join(invitation, async () => person);
      return { user: await this.answer(person), cookie: null };
    });
  }

  /** A retry gets it again, but no session: whoever has the password signs in. */
  private async answer(user: User): Promise<UserMeDto> {
    const answer = await this.users.present(user);
    await this.idempotency.complete(200, answer);
    return answer;
  }

  /** The invitation is used up before there is an account: of two who accept at once, one has come too late. */
  private async join({ id, workspaceId }: OfferedInvitationRow, invited: () => Promise<User>): Promise<User> {
    await this.members.lock(workspaceId);
    const accepted = await this.invitations.accept(id);
    if (!accepted) throw this.tokens.closed();
    await this.usage.assertRoom(workspaceId, 'members');
    const user = await invited();
    const member = { workspaceId, user, role: accepted.role ?? 'member', teamIds: accepted.teamIds };
    await this.members.admit(member, inTheApp(user.id), { invitationId: id });
    return user;
  }
}

function inTheApp(userId: string | null): AuditActor {
  return { type: 'user', userId, credentialType: null, credentialName: null };
}

function mustSignIn(email: string): Unauthorized {
  return new Unauthorized(`${email} has an account. Sign in to the app as that person, then accept.`);
}

/** @throws InvalidRequest naming each field whose value is wrong */
function refuse(
  fields: { name: string | undefined; password: string | undefined },
  isWrong: (value?: string) => boolean,
  message: string,
): void {
  const details = Object.entries(fields)
    .filter(([, value]) => isWrong(value))
    .map(([path]) => ({ path, message }));
  if (details.length === 0) return;
  throw new InvalidRequest(details.map(({ path }) => `${path}: ${message}`).join('; '), details);
}

function present(row: OfferedInvitationRow): InvitationOfferDto {
  return {
    workspace: { name: row.workspaceName },
    email: row.email,
    role: row.role ?? 'member',
    invitedBy: row.invitedBy,
    expiresAt: row.expiresAt.toISOString(),
    hasAccount: row.userId !== null,
  };
}
