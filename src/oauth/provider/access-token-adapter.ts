import type { Adapter, AdapterPayload } from 'oidc-provider';

import type { AgentGrantsService } from '../../auth/index.js';
import { tokenKind, type TokenKind } from '../../core/crypto/index.js';

const KINDS: readonly (TokenKind | null)[] = ['access', 'commandLine'];

/** Access tokens are kept as hashes with their grant, where the strategies of credentials look them up in one statement. */
export class AccessTokenAdapter implements Adapter {
  constructor(private readonly grants: AgentGrantsService) {}

  async upsert(id: string, { grantId }: AdapterPayload, seconds?: number): Promise<void> {
    if (grantId === undefined || seconds === undefined) throw new Error('A token needs a grant and an end.');
    await this.grants.addAccessToken(grantId, id, seconds);
  }

  /** For revocation, which asks for no more than whose it is. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const grantId = KINDS.includes(tokenKind(id)) ? await this.grants.grantOfToken(id) : null;
    const grant = grantId === null ? null : await this.grants.findLive(grantId);
    if (!grant) return undefined;
    const { clientId, userId: accountId } = grant;
    return { kind: 'AccessToken', jti: id, clientId, accountId, grantId: grant.id };
  }

  destroy(id: string): Promise<void> {
    return this.grants.deleteToken(id);
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.grants.deleteTokensOf(grantId);
  }

  async consume(): Promise<void> {
    throw new Error('An access token is for many uses.');
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }
}
