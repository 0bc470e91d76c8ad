import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/index.js';
import { isId } from '../core/crypto/index.js';
import { Unauthorized } from '../core/errors/index.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/** Keeps what a person came with from ending while it makes something that outlives it. */
@Injectable()
export class CredentialLockService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly tokens: PersonalTokensRepository,
    private readonly grants: AgentGrantsRepository,
  ) {}

  /**
   * To be called in the transaction that makes a credential or an invitation. A person's access may be ended at this
   * very moment, and nothing may be made by it then. A key of the workspace is not its person's.
   *
   * @throws Unauthorized where it has ended meanwhile
   */
  async assertOpen({ kind, credentialId }: Caller): Promise<void> {
    if (kind === 'api_key') return;
    const held =
      kind === 'session'
        ? this.sessions.hold(credentialId)
        : isId('grant', credentialId)
          ? this.grants.hold(credentialId)
          : this.tokens.hold(credentialId);
    if (!(await held)) throw new Unauthorized();
  }
}
