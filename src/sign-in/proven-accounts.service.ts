import { Injectable } from '@nestjs/common';

import { cutText } from '../../libs/cut-text/index.js';
import { inTheApp } from '../audit/index.js';
import {
  AccountAuditService,
  AddressProofService,
  emailProblem,
  normalizeEmail,
  UsersService,
} from '../auth/index.js';
import type { Person } from '../core/access/index.js';
import { lineProblem } from '../core/http/index.js';
import { ExternalIdentitiesRepository, type IdentityKey } from './external-identities.repository.js';
import { SignInLinksRepository } from './links/sign-in-links.repository.js';
import { SignInRefused } from './sign-in-refusal.js';
import type { ProvenPerson, SignInWayProvider } from './sign-in-way.js';

const LONGEST_NAME = 100;
const CURE = 'The page of the guide about company sign-in says what to set there.';

/** Somebody with their account. */
interface KnownPerson {
  person: Person;
  /** What opened the account until now does no more: nobody knew whose it was. */
  secured: boolean;
}

/** Which account somebody has whom a provider knows. The provider's identity counts; an address only once, to find the account. */
@Injectable()
export class ProvenAccountsService {
  constructor(
    private readonly identities: ExternalIdentitiesRepository,
    private readonly links: SignInLinksRepository,
    private readonly users: UsersService,
    private readonly proofs: AddressProofService,
    private readonly audit: AccountAuditService,
  ) {}

  /**
   * To be called in the transaction that opens the session.
   *
   * @param mayBeNew whether somebody without an account gets one
   * @throws SignInRefused
   */
  async find(way: SignInWayProvider, proven: ProvenPerson, mayBeNew: boolean): Promise<KnownPerson> {
    const key = { way: way.id, issuer: proven.issuer, subject: proven.subject };
    const known = await this.identities.holder(key);
    const person =
      known === null ? await this.byAddress(way, proven, key, mayBeNew) : await this.users.find(known);
    const secured = await this.proofs.prove(person!.id, way.id);
    if (secured) {
      await this.identities.deleteOthers(key, person!.id);
      await this.links.delete(person!.id);
    }
    return { person: person!, secured };
  }

  private async byAddress(
    way: SignInWayProvider,
    proven: ProvenPerson,
    key: IdentityKey,
    mayBeNew: boolean,
  ): Promise<Person> {
    const email = addressOf(way, proven);
    const account = await this.users.findByEmail(email);
    if (account) return this.link(key, account);
    if (!mayBeNew) {
      throw new SignInRefused(
        'not_admitted',
        'There is neither an account, a role nor an invitation for this person.',
      );
    }
    const name = nameOf(proven, email);
    const made = await this.users.insert({ email, name, passwordHash: null, isProven: true });
    // Somebody else has made it since: it is found at the next try.
    if (!made) throw new SignInRefused('expired', 'The account was made by somebody else at this moment.');
    return this.link(key, made);
  }

  private async link(key: IdentityKey, person: Person): Promise<Person> {
    if (!(await this.identities.insert(key, person.id))) {
      const message = 'The account with this address is of somebody else at the same provider.';
      throw new SignInRefused('address_taken', message, person.id);
    }
    const { way, issuer } = key;
    await this.audit.record({
      userId: person.id,
      by: inTheApp(person.id),
      action: 'user.identity_linked',
      target: { type: 'user', id: person.id },
      details: { way, issuer },
    });
    return person;
  }
}

/** @throws SignInRefused where the provider has not verified the address, or does not speak for its domain */
function addressOf({ title, domains }: SignInWayProvider, { email, emailVerified }: ProvenPerson): string {
  if (email === '') {
    throw new SignInRefused(
      'address_unverified',
      `The provider says no e-mail address of the person. ${CURE}`,
    );
  }
  const problem = emailProblem(email);
  if (problem !== null) throw new SignInRefused('failed', `The provider's address of the person ${problem}.`);
  if (!emailVerified) {
    throw new SignInRefused('address_unverified', `The provider has not verified the address. ${CURE}`);
  }
  const address = normalizeEmail(email);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!domains.includes(domain)) {
    throw new SignInRefused(
      'address_foreign',
      `The address is of ${domain}, and ${title} speaks for ${domains.join(', ')} alone.`,
    );
  }
  return address;
}

function nameOf({ name }: ProvenPerson, email: string): string {
  const line = cutText(name.trim(), LONGEST_NAME);
  return line === '' || lineProblem(line) !== null ? email.slice(0, email.indexOf('@')) : line;
}
