import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, type Repository } from 'typeorm';

import { newestFirst, NOW, returnedRow } from '../core/database/index.js';
import { ApiKey } from './api-key.entity.js';

export type NewApiKey = Omit<ApiKey, 'environment' | 'lastUsedAt' | 'revokedAt' | 'createdAt'>;

/** A key with the environment that it is bound to, or null. */
export type PlacedApiKey = ApiKey & Required<Pick<ApiKey, 'environment'>>;

@Injectable()
export class ApiKeysRepository {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** Returns when it was made. */
  async insert(key: NewApiKey): Promise<Date> {
    const { generatedMaps } = await this.keys.insert(key);
    return (generatedMaps[0] as Pick<ApiKey, 'createdAt'>).createdAt;
  }

  async list(workspaceId: string, after: string | null, count: number): Promise<PlacedApiKey[]> {
    const query = this.keys
      .createQueryBuilder('k')
      .leftJoin('k.environment', 'e')
      .addSelect(['e.id', 'e.name'])
      .where({ workspaceId, revokedAt: IsNull() });
    return (await newestFirst(query, after, count).getMany()) as PlacedApiKey[];
  }

  async recordUse(ids: readonly string[]): Promise<void> {
    await this.keys.update({ id: Any([...ids]) }, { lastUsedAt: NOW });
  }

  /** The name of the key, or null: there is no such key, or it is revoked already. */
  async revoke(workspaceId: string, id: string): Promise<string | null> {
    const unrevoked = { workspaceId, id, revokedAt: IsNull() };
    const revoking = this.keys.createQueryBuilder().update().set({ revokedAt: NOW }).where(unrevoked);
    return (await returnedRow(revoking, 'name'))?.name ?? null;
  }

  async revokeAll(workspaceId: string): Promise<void> {
    await this.keys.update({ workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }
}
