import { bearerTokenHash, type CredentialStrategy, RecognisesCredentials } from '../core/access/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';
import { liveGrants } from './agent-grants.sql.js';

/** The access token of an app that a person connected to one workspace, or to one environment of it. */
@RecognisesCredentials()
export class AgentStrategy implements CredentialStrategy {
  readonly name = 'agent';
  readonly kind = 'agent';
  readonly select = liveGrants;

  constructor(private readonly grants: AgentGrantsRepository) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    return bearerTokenHash(request, 'access');
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.grants.recordUse([...addresses.keys()]);
  }
}
