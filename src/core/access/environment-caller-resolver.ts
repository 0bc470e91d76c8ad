import { Injectable } from '@nestjs/common';

import { ProblemError, Unauthorized } from '../errors/index.js';
import type { AccessRequest } from './access-request.js';
import { admitted } from './access-rule.js';
import { Authenticator } from './authenticator.js';
import type { WorkspaceCaller } from './caller.js';
import { CredentialsRepository } from './credentials.repository.js';

/** The caller of a request, as they would be had it named another environment. */
@Injectable()
export class EnvironmentCallerResolver {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly credentials: CredentialsRepository,
  ) {}

  /** @throws ProblemError as the guards do for a request that names that environment */
  async enter(request: AccessRequest, environment: string): Promise<WorkspaceCaller> {
    const sent = this.authenticator.sentWith(request);
    const rule = request.accessRule;
    if (!sent || !rule) throw new Error('Only a request that the guards let in can enter elsewhere.');
    const identity = await this.credentials.find({ ...sent, environment });
    if (!identity) throw new Unauthorized();
    const entered = admitted(rule, identity.caller, identity.finding);
    if (entered instanceof ProblemError) throw entered;
    if (!('workspace' in entered)) throw new Error('The rule of this route asks for no workspace.');
    return entered;
  }
}
