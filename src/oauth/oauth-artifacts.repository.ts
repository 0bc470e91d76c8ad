import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database } from '../core/database/database.js';
import { type Expired, Expires } from '../core/work/expires.decorator.js';
import { OAuthArtifact } from './oauth-artifact.entity.js';

export type StoredArtifact = Pick<OAuthArtifact, 'payload' | 'consumedAt' | 'hash'>;
export type SealedArtifact = Pick<OAuthArtifact, 'kind' | 'hash' | 'payload'>;
export type ResealedArtifact = SealedArtifact & Pick<OAuthArtifact, 'userCodeHash'>;
export type NewArtifact = ResealedArtifact & Pick<OAuthArtifact, 'grantId'> & { seconds: number };

@Injectable()
export class OAuthArtifactsRepository {
  constructor(
    @InjectRepository(OAuthArtifact) private readonly artifacts: Repository<OAuthArtifact>,
    private readonly database: Database,
  ) {}

  async save({ kind, hash, payload, grantId, userCodeHash, seconds }: NewArtifact): Promise<void> {
    await this.database.execute(SAVE, [kind, hash, payload, grantId, userCodeHash, seconds]);
  }

  find(kind: string, hash: Buffer): Promise<StoredArtifact | null> {
    return this.database.one<StoredArtifact>(`${FIND} AND a.hash = $2`, [kind, hash]);
  }

  findByUserCode(kind: string, hash: Buffer): Promise<StoredArtifact | null> {
    return this.database.one<StoredArtifact>(`${FIND} AND a.user_code_hash = $2`, [kind, hash]);
  }

  async lock(kind: string, hash: Buffer): Promise<void> {
    await this.database.query('SELECT FROM oauth_artifacts WHERE kind = $1 AND hash = $2 FOR UPDATE', [
      kind,
      hash,
    ]);
  }

  /** False: somebody was quicker, or there is none. */
  async consume(kind: string, hash: Buffer): Promise<boolean> {
    const { count } = await this.database.execute(
      'UPDATE oauth_artifacts SET consumed_at = now() WHERE kind = $1 AND hash = $2 AND consumed_at IS NULL',
      [kind, hash],
    );
    return count === 1;
  }

  async delete(kind: string, hash: Buffer): Promise<void> {
    await this.artifacts.delete({ kind, hash });
  }

  async deleteOf(grantId: string, kind: string): Promise<void> {
    await this.artifacts.delete({ grantId, kind });
  }

  /** All of them, held until the end of the transaction. */
  lockAll(): Promise<SealedArtifact[]> {
    return this.database.query<SealedArtifact>('SELECT kind, hash, payload FROM oauth_artifacts FOR UPDATE');
  }

  async replace(artifacts: readonly ResealedArtifact[]): Promise<void> {
    await this.database.execute(REPLACE, [
      artifacts.map(({ kind }) => kind),
      artifacts.map(({ hash }) => hash),
      artifacts.map(({ payload }) => payload),
      artifacts.map(({ userCodeHash }) => userCodeHash),
    ]);
  }

  /** A registered app is kept for as long as somebody has connected it. */
  @Expires()
  async deleteExpired({ most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_EXPIRED, [most])).count;
  }
}

const SAVE = `
  INSERT INTO oauth_artifacts AS a (kind, hash, payload, grant_id, user_code_hash, expires_at)
  VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
  ON CONFLICT (kind, hash) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
    expires_at = excluded.expires_at WHERE a.consumed_at IS NULL`;

const FIND = `
  SELECT a.hash, a.payload, a.consumed_at AS "consumedAt" FROM oauth_artifacts a
  WHERE (a.expires_at > now() OR a.kind = 'Client') AND a.kind = $1`;

const REPLACE = `
  UPDATE oauth_artifacts a SET payload = given.payload, user_code_hash = given.user_code_hash
  FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[]) AS given(kind, hash, payload, user_code_hash)
  WHERE a.kind = given.kind AND a.hash = given.hash`;

const DELETE_EXPIRED = `
  DELETE FROM oauth_artifacts WHERE (kind, hash) IN (
    SELECT a.kind, a.hash FROM oauth_artifacts a
    WHERE a.expires_at <= now() AND (a.kind <> 'Client' OR NOT EXISTS (
      SELECT FROM agent_grants g
      WHERE sha256(convert_to(g.client_id, 'UTF8')) = a.hash AND g.revoked_at IS NULL AND g.expires_at > now()))
    ORDER BY a.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`;
