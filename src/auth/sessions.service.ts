import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import type { Caller } from '../core/access/caller.js';
import { writeCookie } from '../core/access/session-cookie.js';
import { Settings } from '../core/config/settings.js';
import { hashToken, randomText } from '../core/crypto/tokens.js';
import { SessionsRepository } from './sessions.repository.js';

/** 30 days from signing in, however much it is used: nobody stays signed in for ever. */
export const SESSION_SECONDS = 30 * 24 * 3600;
const TOKEN_LENGTH = 43;
const SWEEP_MS = 3_600_000;

/** Sessions of the app: a random token in a cookie, and its hash in the database. */
@Injectable()
export class Sessions {
  private readonly logger = new Logger(Sessions.name);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly settings: Settings,
  ) {}

  /** A new session's cookie, or null when `passwordHash` is not the person's password any more. */
  async open(userId: string, passwordHash: string): Promise<string | null> {
    const token = randomText(TOKEN_LENGTH);
    const opened = await this.sessions.insert(hashToken(token), userId, passwordHash, SESSION_SECONDS);
    return opened ? writeCookie(token, SESSION_SECONDS, this.settings.secureCookies) : null;
  }

  /** Ends the session of a cookie's token, if there is one. */
  async closeToken(token: string): Promise<void> {
    await this.sessions.delete(hashToken(token));
  }

  /** Ends the caller's session. Returns the cookie that takes its own away. */
  async close(caller: Caller): Promise<string> {
    await this.sessions.delete(hashOf(caller));
    return writeCookie(null, 0, this.settings.secureCookies);
  }

  async closeOthers(caller: Caller): Promise<void> {
    await this.sessions.deleteOthers(caller.person!.id, hashOf(caller));
  }

  /** Expired sessions open nothing; this only takes them off the disk. */
  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    await this.sessions
      .deleteExpired()
      .catch((error: unknown) => this.logger.warn(`Expired sessions stay for now: ${String(error)}`));
  }
}

function hashOf(caller: Caller): Buffer {
  return Buffer.from(caller.credentialId, 'hex');
}
