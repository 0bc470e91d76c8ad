import { Injectable } from '@nestjs/common';

import { cutText } from '../../libs/cut-text/index.js';
import type { Caller } from '../core/access/index.js';
import { hashToken, newId, randomText } from '../core/crypto/index.js';
import { type AccountState, type NewSession, SessionsRepository } from './sessions.repository.js';

/** 30 days from signing in. Using a session does not prolong it. */
export const SESSION_SECONDS = 30 * 24 * 3600;
const TOKEN_LENGTH = 43;
/** Longer than any browser's. */
const USER_AGENT_LENGTH = 400;

/** From where somebody signs in. */
export interface SignInPlace {
  address: string;
  userAgent: string | null;
  /** The token of the session that the browser has until now, whether it is good or not. */
  previousToken: string | null;
}

/** Sessions of the app: a random token, which the browser keeps, and its hash in the database. */
@Injectable()
export class SessionsService {
  constructor(private readonly sessions: SessionsRepository) {}

  /**
   * The token of a new session, which replaces the browser's previous one; null when the person has another password or
   * another kind of factors by now, or the account is disabled.
   */
  async open(userId: string, state: AccountState, place: SignInPlace): Promise<string | null> {
    const { token, session } = newSession(userId, place);
    if (!(await this.sessions.insert(session, state, SESSION_SECONDS))) return null;
    await this.replacePrevious(place);
    return token;
  }

  /** The same for somebody who has proved to a provider who they are: at that moment, or null where it is not known. */
  async openProven(userId: string, provenAt: Date | null, place: SignInPlace): Promise<string | null> {
    const { token, session } = newSession(userId, place);
    if (!(await this.sessions.insertProven(session, provenAt, SESSION_SECONDS))) return null;
    await this.replacePrevious(place);
    return token;
  }

  async close(caller: Caller): Promise<void> {
    await this.sessions.delete(caller.person!.id, caller.credentialId);
  }

  closeOthers(caller: Caller): Promise<number> {
    return this.sessions.deleteOthers(caller.person!.id, caller.credentialId);
  }

  /** The caller has given the password just now. False: it is not `passwordHash` any more. */
  confirm(caller: Caller, passwordHash: string): Promise<boolean> {
    return this.sessions.confirm(caller.credentialId, passwordHash);
  }

  /** The caller has shown a passkey just now. False: the session has ended. */
  confirmProven(caller: Caller): Promise<boolean> {
    return this.sessions.confirmProven(caller.credentialId);
  }

  private async replacePrevious({ previousToken }: SignInPlace): Promise<void> {
    if (previousToken !== null) await this.sessions.deleteByHash(hashToken(previousToken));
  }
}

function newSession(
  userId: string,
  { address, userAgent }: SignInPlace,
): { token: string; session: NewSession } {
  const token = randomText(TOKEN_LENGTH);
  const cut = userAgent && cutText(userAgent, USER_AGENT_LENGTH);
  return {
    token,
    session: { id: newId('session'), hash: hashToken(token), userId, address, userAgent: cut },
  };
}
