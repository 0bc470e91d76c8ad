import { type CanActivate, Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { Forbidden } from '../core/errors/index.js';

/** Refuses everybody alike where passwords are off, before anything is looked up. */
@Injectable()
export class PasswordsGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  /** @throws Forbidden */
  canActivate(): boolean {
    if (this.settings.passwords) return true;
    throw new Forbidden(
      "Passwords are off here (GATEHOUSE_PASSWORDS). Sign in with your company's provider.",
    );
  }
}
