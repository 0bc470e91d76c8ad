import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';

import type { AgentGrantsService } from '../../auth/index.js';

/** Far off: a grant's own end is judged by the row. */
const FAR_SECONDS = 10 * 365 * 24 * 3600;

/** Grants as the library sees them. The rows are made by the person's consent, never by the library. */
export class GrantAdapter implements Adapter {
  constructor(
    private readonly grants: AgentGrantsService,
    private readonly resource: string,
  ) {}

  async upsert(): Promise<void> {
    throw new Error('Grants are made by consent alone.');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await this.grants.findLive(id);
    if (!grant) return undefined;
    const iat = Math.floor(grant.createdAt.getTime() / 1000);
    return {
      kind: 'Grant',
      jti: grant.id,
      accountId: grant.userId,
      clientId: grant.clientId,
      resources: { [this.resource]: grant.scopes.join(' ') },
      iat,
      exp: Math.floor(Date.now() / 1000) + FAR_SECONDS,
    };
  }

  async destroy(id: string): Promise<void> {
    const byApp = Provider.ctx?.oidc.route === 'revocation';
    await this.grants.end(id, byApp ? 'by_app' : 'token_used_twice');
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async consume(): Promise<void> {
    throw new Error('A grant is not for one use.');
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('A grant has no grant of its own.');
  }
}
