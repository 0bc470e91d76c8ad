import { bearerTokenHash, type CredentialStrategy, RecognisesCredentials } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';
import { liveGrants } from './agent-grants.sql.js';

/**
 * The token of the command line, which a person let in from a browser. It acts as they do at their own terminal: as a
 * personal access token for one workspace, which renews itself. Where those are switched off, it is too.
 */
@RecognisesCredentials()
export class CommandLineStrategy implements CredentialStrategy {
  readonly name = 'command_line';
  readonly kind = 'personal_token';
  readonly select = liveGrants;

  constructor(
    private readonly settings: Settings,
    private readonly grants: AgentGrantsRepository,
  ) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    return this.settings.personalTokens ? bearerTokenHash(request, 'commandLine') : null;
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.grants.recordUse([...addresses.keys()]);
  }
}
