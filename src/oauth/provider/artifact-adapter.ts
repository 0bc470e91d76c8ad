import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';

import type { AgentGrantsService } from '../../auth/index.js';
import type { ArtifactStore } from '../artifact-store.js';
import type { RegisteredClients } from '../registered-clients.js';

/** What the library keeps between two requests, by the library's name of its kind. */
export class ArtifactAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly store: ArtifactStore,
    private readonly clients: RegisteredClients,
    private readonly grants: AgentGrantsService,
  ) {}

  async upsert(id: string, payload: AdapterPayload, seconds?: number): Promise<void> {
    if (this.kind === 'Client') return this.clients.register(id, payload);
    if (seconds === undefined) throw new Error('What is remembered needs an end.');
    await this.store.save(this.kind, id, payload, seconds);
    // The app may come back with it until then.
    if (this.kind === 'RefreshToken' && payload.grantId) await this.grants.prolong(payload.grantId, seconds);
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    if (this.kind === 'Client') return this.clients.find(id);
    return this.store.find(this.kind, id);
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.store.findByUserCode(this.kind, userCode);
  }

  /** Only sessions are looked for so, and ours are not kept here. */
  async findByUid(): Promise<undefined> {
    return undefined;
  }

  /** The library looks first and consumes then: of two at once, the second ends the grant as any later one would. */
  async consume(id: string): Promise<void> {
    if (await this.store.consume(this.kind, id)) return;
    const grantId = (await this.store.find(this.kind, id))?.grantId;
    if (grantId !== undefined) await this.grants.end(grantId, 'token_used_twice');
    throw new errors.InvalidGrant('It was used already.');
  }

  async destroy(id: string): Promise<void> {
    await this.store.delete(this.kind, id);
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.store.deleteOf(grantId, this.kind);
  }
}
