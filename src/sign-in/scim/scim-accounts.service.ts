import { Injectable } from '@nestjs/common';

import { cutText } from '../../../libs/cut-text/index.js';
import { SYSTEM } from '../../audit/index.js';
import {
  AccountAuditService,
  AccountDisablingService,
  AccountNamesService,
  AddressProofService,
  emailProblem,
  normalizeEmail,
  UsersService,
} from '../../auth/index.js';
import type { Person } from '../../core/access/index.js';
import type { OidcProviderSettings } from '../../core/config/index.js';
import { StaffMembersService } from '../../workspaces/index.js';
import { ExternalIdentitiesRepository } from '../external-identities.repository.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';
import { ScimProblem } from './scim-problem.js';
import { emailOf, nameOf, type UserAttributes } from './user-attributes.js';

const LONGEST_NAME = 100;

/** What follows for an account from what a directory says. All of it in the surrounding transaction. */
@Injectable()
export class ScimAccountsService {
  constructor(
    private readonly users: UsersService,
    private readonly proofs: AddressProofService,
    private readonly names: AccountNamesService,
    private readonly disabling: AccountDisablingService,
    private readonly members: StaffMembersService,
    private readonly identities: ExternalIdentitiesRepository,
    private readonly links: SignInLinksRepository,
    private readonly audit: AccountAuditService,
  ) {}

  /** null: nobody has an account with the address. */
  find(provider: OidcProviderSettings, attributes: UserAttributes): Promise<Person | null> {
    return this.users.findByEmail(addressOf(provider, attributes));
  }

  /** A new one, which nothing opens but the company's sign-in. null: somebody has made it at this moment. */
  async make(provider: OidcProviderSettings, attributes: UserAttributes): Promise<Person | null> {
    const email = addressOf(provider, attributes);
    const name = lineOf(attributes) ?? email.slice(0, email.indexOf('@'));
    const person = await this.users.insert({ email, name, passwordHash: null, isProven: true });
    if (person) await this.record(person, 'user.created', { email, way: provider.id });
    return person;
  }

  /** If nobody had proved its address, whoever has opened it until now may be somebody else: that ends. */
  async takeOver(provider: OidcProviderSettings, person: Person): Promise<void> {
    await this.record(person, 'user.managed', { way: provider.id });
    if (!(await this.proofs.prove(person.id, provider.id, SYSTEM))) return;
    await this.identities.deleteAllOf(person.id);
    await this.links.delete(person.id);
  }

  /** @throws ScimProblem; Conflict where another account has the address */
  async rename(provider: OidcProviderSettings, person: Person, attributes: UserAttributes): Promise<void> {
    const email = addressOf(provider, attributes);
    const name = lineOf(attributes) ?? person.name;
    await this.names.change(person, { email, name }, SYSTEM, provider.id);
  }

  /**
   * Ends all that acts for the person, here and everywhere. Workspaces whose last owner it is keep them.
   *
   * @returns false where the account was disabled before, by the operator
   */
  async disable({ id: way }: OidcProviderSettings, person: Person): Promise<boolean> {
    const ended = await this.members.disable(person, SYSTEM, { lastOwner: 'keep', way });
    await this.links.delete(person.id);
    if (ended === null) return false;
    await this.disabling.forgetSecrets(person.id);
    return true;
  }

  async enable({ id: way }: OidcProviderSettings, person: Person): Promise<void> {
    await this.disabling.enable(person.id, SYSTEM, way);
  }

  private record(person: Person, action: 'user.created' | 'user.managed', details: object): Promise<void> {
    const target = { type: 'user', id: person.id };
    return this.audit.record({ userId: person.id, by: SYSTEM, action, target, details: { ...details } });
  }
}

/**
 * The address that the person's sign-in will come with: Entra's is the name in its directory.
 *
 * @throws ScimProblem where the directory does not speak for its domain
 */
function addressOf(
  { kind, domains }: Pick<OidcProviderSettings, 'kind' | 'domains'>,
  { userName, profile }: Pick<UserAttributes, 'userName' | 'profile'>,
): string {
  const email = emailOf(profile);
  const candidates = kind === 'entra' ? [userName, email] : [email, userName];
  const address = candidates
    .flatMap((text) => (text !== null && emailProblem(text) === null ? normalizeEmail(text) : []))
    .find((each) => domains.includes(each.slice(each.lastIndexOf('@') + 1)));
  if (address !== undefined) return address;
  throw ScimProblem.at(
    'userName',
    `neither it nor the address at work is an e-mail address of ${domains.join(', ')}`,
  );
}

function lineOf({ profile }: UserAttributes): string | null {
  const name = nameOf(profile);
  return name && cutText(name, LONGEST_NAME);
}
