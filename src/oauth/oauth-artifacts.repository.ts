import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Raw, type Repository } from 'typeorm';

import { arraysOf, Database, isAhead, isPast, NOW } from '../core/database/index.js';
import { deleteFirst, type Expired, Expires } from '../core/work/index.js';
import { OAuthArtifact } from './oauth-artifact.entity.js';
import { REPLACE_ARTIFACTS } from './oauth-artifacts.sql.js';

export type SealedArtifact = Pick<OAuthArtifact, 'kind' | 'hash' | 'payload'>;
export type ResealedArtifact = SealedArtifact & Pick<OAuthArtifact, 'userCodeHash'>;
type NewArtifact = ResealedArtifact & Pick<OAuthArtifact, 'grantId'> & { seconds: number };

/** Of the app `a`. */
const CONNECTIONS = `
  SELECT FROM agent_grants g
  WHERE sha256(convert_to(g.client_id, 'UTF8')) = a.hash AND g.revoked_at IS NULL AND g.expires_at > now()`;

@Injectable()
export class OAuthArtifactsRepository {
  constructor(
    @InjectRepository(OAuthArtifact) private readonly artifacts: Repository<OAuthArtifact>,
    private readonly database: Database,
  ) {}

  /** What was consumed stays as it is. */
  async save({ seconds, ...artifact }: NewArtifact): Promise<void> {
    const overwriteCondition = { where: { consumedAt: IsNull() } };
    await this.artifacts
      .createQueryBuilder()
      .insert()
      .values({ ...artifact, expiresAt: () => 'now() + make_interval(secs => :seconds)' })
      .orUpdate(['payload', 'grant_id', 'expires_at'], ['kind', 'hash'], { overwriteCondition })
      .setParameter('seconds', seconds)
      .updateEntity(false)
      .execute();
  }

  find(kind: string, hash: Buffer): Promise<OAuthArtifact | null> {
    return this.artifacts.findOneBy({ kind, hash, ...alive(kind) });
  }

  findByUserCode(kind: string, userCodeHash: Buffer): Promise<OAuthArtifact | null> {
    return this.artifacts.findOneBy({ kind, userCodeHash, ...alive(kind) });
  }

  async lock(kind: string, hash: Buffer): Promise<void> {
    await this.artifacts.findOne({ where: { kind, hash }, lock: { mode: 'pessimistic_write' } });
  }

  /** False: somebody was quicker, or there is none. */
  async consume(kind: string, hash: Buffer): Promise<boolean> {
    const { affected } = await this.artifacts.update(
      { kind, hash, consumedAt: IsNull() },
      { consumedAt: NOW },
    );
    return affected === 1;
  }

  /** False: there is none. */
  async delete(kind: string, hash: Buffer): Promise<boolean> {
    return (await this.artifacts.delete({ kind, hash })).affected === 1;
  }

  async deleteOf(grantId: string, kind: string): Promise<void> {
    await this.artifacts.delete({ grantId, kind });
  }

  /** Of those of a kind that end within so many seconds, all but the `most` that end last are deleted. */
  async deleteSurplus(kind: string, seconds: number, most: number): Promise<void> {
    const within = Raw((end) => `${end} <= now() + make_interval(secs => :seconds)`, { seconds });
    const [first] = await this.artifacts.find({
      select: { expiresAt: true },
      where: { kind, expiresAt: within },
      order: { expiresAt: 'DESC' },
      skip: most,
      take: 1,
    });
    // What was read lacks the microseconds.
    if (first) await this.artifacts.delete({ kind, expiresAt: LessThan(new Date(+first.expiresAt + 1)) });
  }

  /** Those of a kind that have not ended, the oldest first. */
  listOf(kind: string): Promise<OAuthArtifact[]> {
    return this.artifacts.find({ where: { kind, expiresAt: isAhead() }, order: { expiresAt: 'ASC' } });
  }

  /** It ends no sooner than so many seconds from now. */
  async prolong(kind: string, hash: Buffer, seconds: number): Promise<void> {
    await this.artifacts
      .createQueryBuilder()
      .update()
      .set({ expiresAt: () => 'GREATEST(expires_at, now() + make_interval(secs => :seconds))' })
      .where({ kind, hash })
      .setParameters({ seconds })
      .execute();
  }

  /** All of them, held until the end of the transaction. */
  lockAll(): Promise<SealedArtifact[]> {
    return this.artifacts.find({ lock: { mode: 'pessimistic_write' } });
  }

  async replace(artifacts: readonly ResealedArtifact[]): Promise<void> {
    await this.database.execute(
      REPLACE_ARTIFACTS,
      arraysOf(artifacts, 'kind', 'hash', 'payload', 'userCodeHash'),
    );
  }

  /** A registered app is kept for as long as somebody has connected it. */
  @Expires()
  deleteExpired({ most }: Expired): Promise<number> {
    const expired = this.artifacts
      .createQueryBuilder('a')
      .where({ expiresAt: isPast() })
      .andWhere(`(a.kind <> 'Client' OR NOT EXISTS (${CONNECTIONS}))`)
      .orderBy('a.expiresAt');
    return deleteFirst(this.artifacts, expired, most);
  }
}

/** A registered app is there until it is deleted. */
function alive(kind: string) {
  return kind === 'Client' ? {} : { expiresAt: isAhead() };
}
