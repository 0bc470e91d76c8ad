import { Injectable } from '@nestjs/common';

import {
  AccountAuditService,
  SessionsService,
  type SignInPlace,
  type UserMeDto,
  UsersService,
} from '../../auth/index.js';
import { hashToken } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { addressGroup, RateLimiter, type RatePolicy, type RateReport } from '../../core/rate-limit/index.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';

const PER_ADDRESS: RatePolicy = { name: 'sign-in-links', perMinute: 30, burst: 30 };

interface SignedIn {
  /** Of the new session. */
  token: string;
  user: UserMeDto;
}

/** Signs somebody in who has a link of the operator's. */
@Injectable()
export class SignInLinkUseService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly audit: AccountAuditService,
    private readonly limiter: RateLimiter,
    private readonly database: Database,
  ) {}

  /** @throws InvalidRequest where it opens nothing; RateLimited for an address that tries too many */
  async use(token: string, place: SignInPlace, report: RateReport): Promise<SignedIn> {
    const refusal = 'Too many tries of a link from this address.';
    await this.limiter.demand(addressGroup(place.address), PER_ADDRESS, refusal, report);
    return this.database.transaction(async () => {
      const userId = await this.links.take(hashToken(token));
      if (userId === null) throw unusable();
      await this.audit.recordSignIn(userId, 'link', place);
      const session = await this.sessions.openProven(userId, new Date(), place);
      if (session === null) throw unusable();
      const person = await this.users.find(userId);
      return { token: session, user: await this.users.present(person!) };
    });
  }
}

function unusable(): InvalidRequest {
  return InvalidRequest.at(
    'token',
    'is unknown, used or expired: ask whoever runs this Gatehouse for a new link',
  );
}
