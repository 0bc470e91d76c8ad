import { Injectable } from '@nestjs/common';

import { hashToken, MasterKey } from '../core/crypto/index.js';
import type { OAuthArtifact } from './oauth-artifact.entity.js';
import { OAuthArtifactsRepository } from './oauth-artifacts.repository.js';

export const ARTIFACT_PURPOSE = 'oauth';
const USER_CODE_PURPOSE = 'oauth-user-code';

/** What the authorization server's library wants remembered. It puts the code or token itself into it. */
export interface ArtifactPayload {
  grantId?: string | undefined;
  userCode?: string | undefined;
  [name: string]: unknown;
}

/** Keeps what the authorization server remembers between two requests. No code and no token is readable in the database. */
@Injectable()
export class ArtifactStore {
  constructor(
    private readonly rows: OAuthArtifactsRepository,
    private readonly masterKey: MasterKey,
  ) {}

  async save(kind: string, id: string, payload: ArtifactPayload, seconds: number): Promise<void> {
    const hash = hashToken(id);
    const plain = Buffer.from(JSON.stringify(payload));
    await this.rows.save({
      kind,
      hash,
      payload: this.masterKey.encrypt(ARTIFACT_PURPOSE, plain, contextOf(kind, hash)),
      grantId: payload.grantId ?? null,
      userCodeHash: userCodeHashOf(payload, this.masterKey),
      seconds,
    });
  }

  async find(kind: string, id: string): Promise<ArtifactPayload | undefined> {
    return this.opened(kind, await this.rows.find(kind, hashToken(id)));
  }

  async findByUserCode(kind: string, userCode: string): Promise<ArtifactPayload | undefined> {
    return this.opened(kind, await this.rows.findByUserCode(kind, userCodeHash(userCode, this.masterKey)));
  }

  /** Keeps others from changing it until the end of the transaction. */
  lock(kind: string, id: string): Promise<void> {
    return this.rows.lock(kind, hashToken(id));
  }

  /** False: somebody was quicker. */
  consume(kind: string, id: string): Promise<boolean> {
    return this.rows.consume(kind, hashToken(id));
  }

  /** All of a kind that have not ended, the oldest first. */
  async list(kind: string): Promise<ArtifactPayload[]> {
    return (await this.rows.listOf(kind)).map((stored) => this.opened(kind, stored)!);
  }

  /** It ends no sooner than so many seconds from now. */
  prolong(kind: string, id: string, seconds: number): Promise<void> {
    return this.rows.prolong(kind, hashToken(id), seconds);
  }

  /** Of those of a kind that end within so many seconds, only the `most` latest stay. */
  deleteSurplus(kind: string, seconds: number, most: number): Promise<void> {
    return this.rows.deleteSurplus(kind, seconds, most);
  }

  /** False: there is none. */
  delete(kind: string, id: string): Promise<boolean> {
    return this.rows.delete(kind, hashToken(id));
  }

  deleteOf(grantId: string, kind: string): Promise<void> {
    return this.rows.deleteOf(grantId, kind);
  }

  private opened(kind: string, stored: OAuthArtifact | null): ArtifactPayload | undefined {
    if (!stored) return undefined;
    const plain = this.masterKey.decrypt(ARTIFACT_PURPOSE, stored.payload, contextOf(kind, stored.hash));
    const payload = JSON.parse(plain.toString()) as ArtifactPayload;
    const { consumedAt } = stored;
    return consumedAt ? { ...payload, consumed: Math.floor(consumedAt.getTime() / 1000) } : payload;
  }
}

/** By which the code that a person types in finds its row; null for what has none. */
export function userCodeHashOf({ userCode }: ArtifactPayload, key: MasterKey): Buffer | null {
  return userCode === undefined ? null : userCodeHash(userCode, key);
}

/** Keyed, since these codes are short enough to be tried out. */
function userCodeHash(userCode: string, key: MasterKey): Buffer {
  return Buffer.from(key.sign(USER_CODE_PURPOSE, userCode), 'base64url');
}

/** Binds a payload to its row, so that it opens nowhere else. */
export function contextOf(kind: string, hash: Buffer): string {
  return `${kind} ${hash.toString('base64url')}`;
}
