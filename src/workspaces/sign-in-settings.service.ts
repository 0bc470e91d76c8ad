import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { UsersService } from '../auth/index.js';
import { assertMayLoosen, type Loosening, type WorkspaceCaller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { Conflict, NotFound } from '../core/errors/index.js';
import type { SignInSettingsDto, SignInSettingsPatch } from './sign-in-settings.dto.js';
import { type SignInSettings, SignInSettingsRepository } from './sign-in-settings.repository.js';

/** What a workspace wants of how its people sign in. */
@Injectable()
export class SignInSettingsService {
  constructor(
    private readonly settings: SignInSettingsRepository,
    private readonly users: UsersService,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  async read({ workspace }: WorkspaceCaller): Promise<SignInSettingsDto> {
    return present(await this.settings.find(workspace.id));
  }

  change(caller: WorkspaceCaller, patch: SignInSettingsPatch): Promise<SignInSettingsDto> {
    const { id } = caller.workspace;
    return this.database.transaction(async () => {
      const before = present(await this.settings.lock(id));
      const { secondFactorRequired = before.secondFactorRequired, stepUpMinutes = before.stepUpMinutes } =
        patch;
      const after = { secondFactorRequired, stepUpMinutes };
      assertMayLoosen(caller, looseningsOf(before, after));
      if (after.secondFactorRequired && !before.secondFactorRequired) await this.assertStaysIn(caller);
      if (JSON.stringify(after) === JSON.stringify(before)) return after;
      await this.settings.change(id, after);
      const target = { type: 'workspace', id };
      await this.audit.record(id, caller, 'workspace.sign_in_changed', target, after);
      return after;
    });
  }

  /** Who asks for it of everybody has one. */
  private async assertStaysIn({ person }: WorkspaceCaller): Promise<void> {
    if (person && (await this.users.hasSecondFactor(person.id))) return;
    throw new Conflict('Your own account has no second factor. Set one up first, at Your account.');
  }
}

/** The workspace was there a moment ago, when the caller was let in. */
function present(found: SignInSettings | null): SignInSettingsDto {
  if (!found) throw new NotFound('workspace');
  return { secondFactorRequired: found.secondFactorRequired, stepUpMinutes: found.stepUpMinutes };
}

function looseningsOf(before: SignInSettingsDto, after: SignInSettingsDto): Loosening[] {
  const isLater = (after.stepUpMinutes ?? Infinity) > (before.stepUpMinutes ?? Infinity);
  return [
    ...(before.secondFactorRequired && !after.secondFactorRequired
      ? (['workspace.second_factor'] as const)
      : []),
    ...(isLater ? (['workspace.step_up'] as const) : []),
  ];
}
