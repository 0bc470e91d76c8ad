import { type ExecutionContext, Injectable } from '@nestjs/common';

import type { AccessRequest } from '../core/access/index.js';
import { RateLimiter } from '../core/rate-limit/index.js';
import { FactorAttemptsService } from './factors/factor-attempts.service.js';
import { PasswordAttemptGuard } from './password-attempt.guard.js';
import { UsersRepository } from './users.repository.js';

/** The same where somebody with a second factor may try a code as well. */
@Injectable()
export class ConfirmationAttemptGuard extends PasswordAttemptGuard {
  constructor(
    limiter: RateLimiter,
    private readonly attempts: FactorAttemptsService,
    private readonly users: UsersRepository,
  ) {
    super(limiter);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    const { id } = context.switchToHttp().getRequest<AccessRequest>().caller!.person!;
    if ((await this.users.find(id))?.secondFactor) await this.attempts.takeCode(id);
    return true;
  }
}
