import { Injectable } from '@nestjs/common';

import type { Caller } from '../../core/access/index.js';
import { isId, newId } from '../../core/crypto/index.js';
import { Conflict, InvalidRequest, NotFound } from '../../core/errors/index.js';
import { UsersRepository } from '../users.repository.js';
import { FactorChallengesService } from './factor-challenges.service.js';
import { FactorChangesService } from './factor-changes.service.js';
import { FactorStateService } from './factor-state.service.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { RelyingParty } from './relying-party.js';
import type {
  AuthenticatorOfferDto,
  FactorAddedDto,
  PasskeyAddedDto,
  PasskeyDto,
  PasskeyInput,
  PasskeyOptionsDto,
  RecoveryCodesDto,
  SecondFactorsDto,
} from './second-factors.dto.js';
import { TotpService } from './totp.service.js';

const MOST_PASSKEYS = 20;

/** What somebody has besides their password. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly totp: TotpService,
    private readonly passkeys: PasskeysRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly challenges: FactorChallengesService,
    private readonly changes: FactorChangesService,
    private readonly state: FactorStateService,
    private readonly party: RelyingParty,
  ) {}

  async list(caller: Caller): Promise<SecondFactorsDto> {
    const { id } = caller.person!;
    const app = await this.totp.find(id);
    const hasPassword = (await this.users.find(id))!.passwordHash !== null;
    return {
      passkeys: (await this.passkeys.list(id)).map(present),
      authenticator: app?.confirmedAt
        ? { createdAt: app.confirmedAt.toISOString(), lastUsedAt: app.lastUsedAt?.toISOString() ?? null }
        : null,
      recoveryCodesLeft: await this.recoveryCodes.count(id),
      available: hasPassword,
      passkeysAvailable: hasPassword && this.party.isPossible,
    };
  }

  /** @throws Conflict where there is one already, or no password */
  async beginAuthenticator(caller: Caller): Promise<AuthenticatorOfferDto> {
    await this.assertHasPassword(caller);
    return this.totp.begin(caller.person!);
  }

  /** @throws InvalidRequest */
  async addAuthenticator(caller: Caller, code: string): Promise<FactorAddedDto> {
    const { id } = caller.person!;
    await this.assertHasPassword(caller);
    const { recoveryCodes } = await this.changes.change(caller, {
      action: 'user.authenticator_added',
      news: 'authenticator_added',
      work: async () => {
        if (!(await this.totp.acceptFirst(id, code))) {
          throw InvalidRequest.at(
            'code',
            'is not one of the app that is being set up: wait for the next one',
          );
        }
        return { result: null };
      },
    });
    return { recoveryCodes };
  }

  /** @throws NotFound */
  async removeAuthenticator(caller: Caller): Promise<void> {
    await this.changes.change(caller, {
      action: 'user.authenticator_removed',
      news: 'authenticator_removed',
      work: async () => {
        if (!(await this.totp.remove(caller.person!.id))) throw new NotFound('app for codes');
        return { result: null };
      },
    });
  }

  /** `secret` is for the browser's cookie. */
  async beginPasskey(caller: Caller): Promise<{ secret: string; begun: PasskeyOptionsDto }> {
    const person = caller.person!;
    await this.assertHasPassword(caller);
    const known = await this.passkeys.list(person.id);
    if (known.length >= MOST_PASSKEYS) throw tooMany();
    const secret = await this.challenges.begin('registration', { userId: person.id });
    const options = await this.party.creationOptions(person, known, secret);
    return { secret: secret.text, begun: { options: { ...options } } };
  }

  /** @throws InvalidRequest */
  async addPasskey(
    caller: Caller,
    { name, passkey }: PasskeyInput,
    cookie: string | null,
  ): Promise<PasskeyAddedDto> {
    const userId = caller.person!.id;
    await this.assertHasPassword(caller);
    const challenge = await this.challenges.findOf(userId, cookie, 'registration');
    const credential = await this.party.verifyNew(passkey, challenge.secret);
    const made = { id: newId('passkey'), userId, name, ...credential };
    const { result, recoveryCodes } = await this.changes.change(caller, {
      action: 'user.passkey_added',
      news: 'passkey_added',
      work: async () => {
        if (!(await this.challenges.take(challenge))) throw InvalidRequest.at('passkey', 'is too late');
        if ((await this.passkeys.count(userId)) >= MOST_PASSKEYS) throw tooMany();
        if (!(await this.passkeys.insert(made))) throw new Conflict('This passkey is registered already.');
        const all = await this.passkeys.list(userId);
        return { result: all.find(({ id }) => id === made.id)!, details: { name } };
      },
    });
    return { passkey: present(result), recoveryCodes };
  }

  /** @throws NotFound */
  async removePasskey(caller: Caller, id: string): Promise<void> {
    await this.changes.change(caller, {
      action: 'user.passkey_removed',
      news: 'passkey_removed',
      work: async () => {
        const removed = isId('passkey', id) ? await this.passkeys.delete(caller.person!.id, id) : null;
        if (!removed) throw new NotFound('passkey');
        return { result: null, details: { name: removed.name } };
      },
    });
  }

  /** @throws Conflict where there is no factor that they would stand in for */
  async renewRecoveryCodes(caller: Caller): Promise<RecoveryCodesDto> {
    const { id } = caller.person!;
    const { result } = await this.changes.change(caller, {
      action: 'user.recovery_codes_made',
      news: 'recovery_codes_made',
      work: async () => {
        if (!(await this.users.find(id))!.secondFactor)
          throw new Conflict('The account has no second factor.');
        return { result: await this.state.newRecoveryCodes(id) };
      },
    });
    return { recoveryCodes: result };
  }

  private async assertHasPassword({ person }: Caller): Promise<void> {
    if ((await this.users.find(person!.id))?.passwordHash != null) return;
    throw new Conflict("The account has no password: its company's provider asks for second factors.");
  }
}

function tooMany(): Conflict {
  return new Conflict(`An account has at most ${MOST_PASSKEYS} passkeys. Remove one first.`);
}

function present({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyDto {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
