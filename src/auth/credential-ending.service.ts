import { Injectable } from '@nestjs/common';

import { AgentGrantsRepository } from './agent-grants.repository.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/** How many of each there were. */
export interface EndedCredentials {
  sessions: number;
  tokens: number;
  /** Connected apps, and the command line. */
  apps: number;
}

/** Ends all that acts for a person, everywhere. Keys are their workspaces' own. */
@Injectable()
export class CredentialEndingService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly tokens: PersonalTokensRepository,
    private readonly grants: AgentGrantsRepository,
    private readonly resets: PasswordResetsRepository,
  ) {}

  /** Waits for what one of them is making at this moment. Sessions first: they make the others. */
  async endAll(userId: string): Promise<EndedCredentials> {
    const sessions = await this.sessions.deleteAll(userId);
    const tokens = await this.tokens.revokeAllOf(userId);
    const apps = await this.grants.revokeAllOf(userId);
    await this.resets.useAll(userId);
    return { sessions, tokens, apps };
  }
}
