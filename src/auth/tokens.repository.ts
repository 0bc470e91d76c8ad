import {
  Any,
  type EntityTarget,
  type FindOptionsWhere,
  IsNull,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';

import { isPast, NOW } from '../core/database/index.js';
import { writtenAddress } from '../core/http/index.js';
import type { LaterOfToken, TokenEntity } from './token.entity.js';

/** Of the row, among those that are written at once. */
const ADDRESS = '(CAST(:addresses AS text[]))[array_position(CAST(:ids AS text[]), id)]';

/** What is asked of personal tokens and of API keys alike. */
export abstract class TokensRepository<Token extends TokenEntity> {
  protected constructor(protected readonly tokens: Repository<Token>) {}

  /** Returns when it was made. */
  async insert(token: Omit<Token, LaterOfToken>): Promise<Date> {
    const { generatedMaps } = await this.tokens.insert(token as unknown as QueryDeepPartialEntity<Token>);
    return (generatedMaps[0] as Pick<Token, 'createdAt'>).createdAt;
  }

  /**
   * Writes down when and from where they were last used: addresses by their ids. Once a minute is enough, unless the address
   * is another.
   */
  async recordUse(given: ReadonlyMap<string, string>): Promise<void> {
    const { manager, target } = this.tokens;
    const [ids, addresses] = [[...given.keys()], [...given.values()].map(writtenAddress)];
    await manager
      .createQueryBuilder()
      .update(target as EntityTarget<TokenEntity>)
      .set({ lastUsedAt: NOW, lastUsedAddress: () => ADDRESS })
      .where({ id: Any(ids) })
      .andWhere(
        `(last_used_at IS NULL OR last_used_at < now() - interval '1 minute' OR last_used_address IS DISTINCT FROM ${ADDRESS})`,
      )
      .setParameters({ ids, addresses })
      .execute();
  }

  /** null: it has not expired, was revoked, or there is none. */
  async expiredAt(hash: Buffer): Promise<Date | null> {
    const expired = { hash, revokedAt: IsNull(), expiresAt: isPast() };
    return (await this.tokens.findOneBy(expired as FindOptionsWhere<Token>))?.expiresAt ?? null;
  }
}
