import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/caller.js';
import { SessionCookie } from '../core/access/session-cookie.js';
import { newId } from '../core/crypto/ids.js';
import { hashToken, randomText } from '../core/crypto/tokens.js';
import { SessionsRepository } from './sessions.repository.js';

/** 30 days from signing in, however much it is used: nobody stays signed in for ever. */
export const SESSION_SECONDS = 30 * 24 * 3600;
const TOKEN_LENGTH = 43;
/** Longer than any browser's. */
const USER_AGENT_LENGTH = 400;

/** From where somebody signs in. */
export interface SignInPlace {
  address: string;
  userAgent: string | null;
}

/** Sessions of the app: a random token in a cookie, and its hash in the database. */
@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cookie: SessionCookie,
  ) {}

  /** A new session's cookie, or null when `passwordHash` is not the person's password any more. */
  async open(
    userId: string,
    passwordHash: string,
    { address, userAgent }: SignInPlace,
  ): Promise<string | null> {
    const token = randomText(TOKEN_LENGTH);
    const session = {
      id: newId('session'),
      hash: hashToken(token),
      userId,
      address,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    };
    const opened = await this.sessions.insert(session, passwordHash, SESSION_SECONDS);
    return opened ? this.cookie.set(token, SESSION_SECONDS) : null;
  }

  /** Ends the session of a cookie's token, if there is one. */
  async closeToken(token: string): Promise<void> {
    await this.sessions.deleteByHash(hashToken(token));
  }

  /** Ends the caller's session. Returns the cookie that takes its own away. */
  async close(caller: Caller): Promise<string> {
    await this.sessions.delete(caller.person!.id, caller.credentialId);
    return this.cookie.clear();
  }

  closeOthers(caller: Caller): Promise<number> {
    return this.sessions.deleteOthers(caller.person!.id, caller.credentialId);
  }

  /** The caller has given the password just now. False: it is not `passwordHash` any more. */
  confirm(caller: Caller, passwordHash: string): Promise<boolean> {
    return this.sessions.confirm(caller.credentialId, passwordHash);
  }
}
