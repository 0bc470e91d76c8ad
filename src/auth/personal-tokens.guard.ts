import { type CanActivate, Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { NotFound } from '../core/errors/index.js';

/** Where tokens are switched off none can be made. Those made before can still be seen and revoked. */
@Injectable()
export class PersonalTokensGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): boolean {
    if (!this.settings.personalTokens)
      throw new NotFound('route: personal access tokens are switched off here');
    return true;
  }
}
