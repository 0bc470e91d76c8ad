import { Injectable } from '@nestjs/common';

import { ProblemError, Unauthorized } from '../errors/index.js';
import type { AccessRequest } from './access-request.js';
import { admitted, type WorkspaceRule } from './access-rule.js';
import type { WorkspaceCaller } from './caller.js';
import { CredentialStrategies } from './credential-strategies.js';
import { CredentialsRepository } from './credentials.repository.js';

/** By what a caller can be found again: the kind of their credential, and the hash of it. */
export interface RememberedCredential {
  strategy: string;
  hash: Buffer;
}

/** Of a request that the guards have let in. */
export function rememberedOf({ identity }: AccessRequest): RememberedCredential {
  if (!identity) throw new Error('Only a request with a credential can be remembered.');
  return { strategy: identity.strategy.name, hash: identity.hash };
}

/** Callers whose credential is judged once more later, when a request comes that does not carry it. */
@Injectable()
export class RecalledCallers {
  constructor(
    private readonly strategies: CredentialStrategies,
    private readonly credentials: CredentialsRepository,
  ) {}

  /**
   * The caller as they are now in that workspace and environment, by their names.
   *
   * @throws ProblemError as the guards do for a request with that credential
   */
  async recall(
    { strategy: name, hash }: RememberedCredential,
    place: { workspace: string; environment: string },
    rule: WorkspaceRule,
  ): Promise<WorkspaceCaller> {
    const strategy = this.strategies.all().find((one) => one.name === name);
    const identity = strategy && (await this.credentials.find({ strategy, hash, ...place }));
    if (!identity) throw new Unauthorized();
    const entered = admitted(rule, identity.caller, identity.finding);
    if (entered instanceof ProblemError) throw entered;
    return entered as WorkspaceCaller;
  }
}
