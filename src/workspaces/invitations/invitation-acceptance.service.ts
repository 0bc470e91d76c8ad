import { Injectable } from '@nestjs/common';

import { inTheApp } from '../../audit/index.js';
import { SessionsService, type SignInPlace, type UserMeDto, UsersService } from '../../auth/index.js';
import type { Caller, Person } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';
import { ConfirmationRequired, Forbidden, InvalidRequest, Unauthorized } from '../../core/errors/index.js';
import { IdempotencyService } from '../../core/idempotency/index.js';
import { MembersService } from '../members/members.service.js';
import { OwnershipService } from '../members/ownership.service.js';
import { InvitationTokensService } from './invitation-tokens.service.js';
import type { InvitationAcceptance } from './invitation.dto.js';
import { InvitationsRepository, type OfferedInvitation } from './invitations.repository.js';

interface Accepted {
  user: UserMeDto;
  /** The token of a session, for an account that was made just now. */
  token: string | null;
}

/** Joining a workspace by the link of an invitation. That the address is the person's own, only a mailed link shows. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly tokens: InvitationTokensService,
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersService,
    private readonly ownership: OwnershipService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /**
   * `signedIn` finds who sends the request; it is asked only where the address has an account.
   *
   * @throws InvalidRequest when the invitation is not open; Unauthorized or Forbidden unless the address has no account or
   * its person is signed in; ConfirmationRequired where that was long ago; QuotaExceeded where it makes an owner of somebody
   * who owns as many workspaces as one may
   */
  async accept(
    token: string,
    input: InvitationAcceptance,
    place: SignInPlace,
    signedIn: () => Promise<Caller | null>,
  ): Promise<Accepted> {
    const invitation = await this.tokens.open(token, place.address);
    return invitation.userId === null
      ? this.acceptAnew(invitation, input, place)
      : this.acceptSignedIn(invitation, input, await signedIn());
  }

  private async acceptAnew(
    invitation: OfferedInvitation,
    { name, password }: InvitationAcceptance,
    place: SignInPlace,
  ): Promise<Accepted> {
    this.tokens.assertMakesAccounts(invitation);
    const missing = (value?: string): boolean => value === undefined;
    refuse({ name, password }, missing, 'is missing: the address has no account yet');
    const passwordHash = await this.users.hash(password!, invitation.email);
    const { email, mailed: isProven } = invitation;
    return this.database.transaction(async () => {
      const person = await this.join(invitation, async () => {
        const made = await this.users.insert({ email, name: name!, passwordHash, isProven });
        if (!made) throw mustSignIn(email);
        return made;
      });
      const token = await this.sessions.open(person.id, { passwordHash, secondFactor: false }, place);
      return { user: await this.complete(person), token };
    });
  }

  private async acceptSignedIn(
    invitation: OfferedInvitation,
    { name, password }: InvitationAcceptance,
    caller: Caller | null,
  ): Promise<Accepted> {
    if (!caller) throw mustSignIn(invitation.email);
    if (caller.kind !== 'session' || caller.person?.id !== invitation.userId) {
      throw new Forbidden(`This invitation is for ${invitation.email}. Sign in to the app as that person.`);
    }
    if (!caller.confirmed) throw new ConfirmationRequired();
    const given = (value?: string): boolean => value !== undefined;
    refuse({ name, password }, given, 'is for a new account, and this address has one');
    const { person } = caller;
    return this.database.transaction(async () => {
      await this.join(invitation, async () => person);
      return { user: await this.complete(person), token: null };
    });
  }

  /** Kept for repeated requests. They get no session: the person has a password and can sign in. */
  private async complete(person: Person): Promise<UserMeDto> {
    const user = await this.users.present(person);
    await this.idempotency.complete(200, user);
    return user;
  }

  /** Uses the invitation up before an account is made: of two who accept at once only one gets in. */
  private async join(
    { id, workspaceId }: OfferedInvitation,
    invited: () => Promise<Person>,
  ): Promise<Person> {
    await this.members.lock(workspaceId);
    const accepted = await this.invitations.accept(id);
    if (!accepted) throw this.tokens.closed();
    const person = await invited();
    if (accepted.role === 'owner') await this.ownership.assertMayOwnOneMore(person.id, 'you');
    const member = { workspaceId, person, role: accepted.role ?? 'member', teamIds: accepted.teamIds };
    await this.members.admit(member, inTheApp(person.id), { invitationId: id });
    return person;
  }
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
  if (details.length > 0) throw InvalidRequest.listing(details);
}
