import { Injectable } from '@nestjs/common';

import { UsersService } from '../../auth/index.js';
import type { Person } from '../../core/access/index.js';
import type { OidcProviderSettings } from '../../core/config/index.js';
import { Database, violatedConstraint } from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import { type ScimList, type ScimPage } from './scim-query.js';
import { ScimAccountsService } from './scim-accounts.service.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';
import { ScimProblem } from './scim-problem.js';
import { type LockedPlaces, ScimRolesService } from './scim-roles.service.js';
import type { ScimUser } from './scim-user.entity.js';
import { type ScimUserRow, ScimUsersRepository } from './scim-users.repository.js';
import { textKey } from './text-key.js';
import { emailOf, type UserAttributes } from './user-attributes.js';

const TAKEN = 'The directory has given us a person of that userName already.';

/** The people whom a company's directory manages. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly rows: ScimUsersRepository,
    private readonly groups: ScimGroupsRepository,
    private readonly accounts: ScimAccountsService,
    private readonly roles: ScimRolesService,
    private readonly users: UsersService,
    private readonly database: Database,
  ) {}

  list({ id: way }: OidcProviderSettings, { filter, ...page }: ScimPage): Promise<ScimList<ScimUser>> {
    return this.rows.list(way, filter, page);
  }

  /** @throws NotFound */
  async get({ id: way }: OidcProviderSettings, id: string): Promise<ScimUser> {
    const row = await this.rows.find(way, id);
    if (!row) throw new NotFound('person');
    return row;
  }

  /**
   * An account that has the address is theirs. It has none that another directory manages.
   *
   * @throws ScimProblem; QuotaExceeded where a workspace may have no more members
   */
  create(provider: OidcProviderSettings, attributes: UserAttributes): Promise<ScimUser> {
    return this.inTransaction(async () => {
      const places = await this.roles.lock(provider);
      if (await this.rows.isNameTaken(provider.id, attributes.userName))
        throw new ScimProblem('uniqueness', TAKEN);
      const account = await this.accounts.find(provider, attributes);
      const former = account && (await this.rows.lockAny(account.id));
      if (former?.deletedAt === null) {
        throw new ScimProblem(
          'uniqueness',
          'The address is that of an account which a directory manages already.',
        );
      }
      const person = account ?? (await this.accounts.make(provider, attributes));
      if (!person)
        throw new ScimProblem('uniqueness', 'The account was made by somebody else at this moment.');
      if (account) await this.accounts.takeOver(provider, person);
      const disabledAccount = former?.disabledAccount ?? false;
      const row = { ...rowOf(provider, attributes), disabledAccount, deletedAt: null };
      if (former) await this.rows.update(person.id, row);
      else if (!(await this.rows.insert(person.id, row))) throw new ScimProblem('uniqueness', TAKEN);
      if (attributes.active) await this.letIn(provider, places, person, disabledAccount);
      else await this.shutOut(provider, person);
      return this.get(provider, person.id);
    });
  }

  /** @throws NotFound, ScimProblem, QuotaExceeded */
  change(
    provider: OidcProviderSettings,
    id: string,
    next: (before: UserAttributes) => UserAttributes,
  ): Promise<ScimUser> {
    return this.inTransaction(async () => {
      const places = await this.roles.lock(provider);
      const row = await this.rows.lock(provider.id, id);
      if (!row) throw new NotFound('person');
      const after = next(row);
      const person = (await this.users.find(id))!;
      // Whoever is shut out may have any name: nothing is to stand in the way of that.
      if (after.active) await this.accounts.rename(provider, person, after);
      await this.rows.update(id, rowOf(provider, after));
      if (!after.active) await this.shutOut(provider, person);
      else if (!row.active) {
        const renamed = (await this.users.find(id))!;
        await this.letIn(provider, places, renamed, row.disabledAccount);
      }
      return this.get(provider, id);
    });
  }

  /**
   * The directory manages the account no more, and nobody opens it.
   *
   * @throws NotFound
   */
  delete(provider: OidcProviderSettings, id: string): Promise<void> {
    return this.inTransaction(async () => {
      await this.roles.lock(provider);
      const row = await this.rows.lock(provider.id, id);
      if (!row) throw new NotFound('person');
      await this.shutOut(provider, (await this.users.find(id))!);
      await this.groups.removeFromAll(id);
      await this.rows.delete(id);
    });
  }

  private async letIn(
    provider: OidcProviderSettings,
    places: LockedPlaces,
    person: Person,
    disabledAccount: boolean,
  ): Promise<void> {
    if (disabledAccount) {
      await this.accounts.enable(provider, person);
      await this.rows.update(person.id, { disabledAccount: false });
    }
    // What the operator has disabled stays so.
    if (!(await this.users.isDisabled(person.id))) await this.roles.give(provider, places, [person]);
  }

  /** Also whom the directory had shut out before: the operator may have let them in since. */
  private async shutOut(provider: OidcProviderSettings, person: Person): Promise<void> {
    if (await this.accounts.disable(provider, person))
      await this.rows.update(person.id, { disabledAccount: true });
  }

  /** A name or an address that is taken at this very moment is taken as well. */
  private async inTransaction<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (violatedConstraint(error) === 'scim_users_name') throw new ScimProblem('uniqueness', TAKEN);
      if (error instanceof Conflict) throw new ScimProblem('uniqueness', error.message);
      throw error;
    }
  }
}

function rowOf(
  { id: way }: OidcProviderSettings,
  { userName, externalId, active, profile }: UserAttributes,
): Omit<ScimUserRow, 'disabledAccount' | 'deletedAt'> {
  const email = emailOf(profile);
  const emailKey = email === null ? null : textKey(email);
  return { way, userName, userNameKey: textKey(userName), externalId, emailKey, active, profile };
}
