import { Injectable, type OnModuleInit } from '@nestjs/common';

import { SessionCookie } from '../core/access/session-cookie.js';
import { verifyPassword } from '../core/crypto/passwords.js';
import { Unauthorized } from '../core/errors/problems.js';
import { type GatehouseResponse, type GatehouseRequest, singleHeader } from '../core/http/request.js';
import { addressGroup } from '../core/rate-limit/address-group.js';
import type { LoginInput } from './auth.dto.js';
import { PasswordAttempts } from './password-attempts.js';
import { Sessions } from './sessions.service.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';
import type { UserMeDto } from './user.dto.js';
import { UsersRepository } from './users.repository.js';

export interface SignedIn {
  cookie: string;
  user: UserMeDto;
}

/** An account that does not exist, one without a password and a wrong password get the same answer in the same time. */
@Injectable()
export class SignIn implements OnModuleInit {
  constructor(
    private readonly attempts: PasswordAttempts,
    private readonly users: UsersRepository,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  /** The first comparison makes the hash that unknown addresses are compared with, and would take twice as long. */
  async onModuleInit(): Promise<void> {
    await verifyPassword(null, '');
  }

  async login(
    { email, password }: LoginInput,
    request: GatehouseRequest,
    reply: GatehouseResponse,
  ): Promise<SignedIn> {
    const address = normalizeEmail(email);
    const attempt = await this.attempts.begin(address, request.ip, reply);
    const user = await this.users.findByEmail(address);
    const stored = user?.passwordHash ?? null;
    const matches = await verifyPassword(stored, normalizePassword(password), addressGroup(request.ip));
    const cookie = user && matches ? await this.open(user.id, user.passwordHash!, request) : null;
    if (!user || cookie === null) {
      await attempt.failed();
      throw new Unauthorized('The e-mail address or the password is wrong.');
    }
    await attempt.succeeded();
    const workspaces = await this.users.workspacesOf(user.id);
    return { cookie, user: { id: user.id, name: user.name, email: user.email, workspaces } };
  }

  /** A new session's cookie, in place of the request's own; null when `passwordHash` is not the person's any more. */
  async open(userId: string, passwordHash: string, request: GatehouseRequest): Promise<string | null> {
    const from = { address: request.ip, userAgent: singleHeader(request, 'user-agent') };
    const cookie = await this.sessions.open(userId, passwordHash, from);
    const earlier = this.cookie.read(request);
    if (cookie !== null && earlier !== null) await this.sessions.closeToken(earlier);
    return cookie;
  }
}
