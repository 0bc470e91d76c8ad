import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { claimEnding, type EndingCredentials, TokensRepository } from '../auth/index.js';
import type { Role } from '../core/access/index.js';
import { newestFirst, NOW, returnedRow } from '../core/database/index.js';
import { ApiKey } from './api-key.entity.js';

/** What ends of the keys that somebody made in a workspace. */
export type EndingKeys = Pick<ApiKey, 'workspaceId' | 'createdByUserId'> & EndingCredentials;

/** Somebody in a workspace to whom it may be told that a key of it ends. */
export interface KeyKeeper {
  workspaceId: string;
  workspaceName: string;
  workspaceSlug: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
}

/** A key with the environment that it is bound to, or null. */
type PlacedApiKey = ApiKey & Required<Pick<ApiKey, 'environment'>>;

@Injectable()
export class ApiKeysRepository extends TokensRepository<ApiKey> {
  constructor(@InjectRepository(ApiKey) keys: Repository<ApiKey>) {
    super(keys);
  }

  async list(workspaceId: string, after: string | null, count: number): Promise<PlacedApiKey[]> {
    const query = this.tokens
      .createQueryBuilder('k')
      .leftJoin('k.environment', 'e')
      .addSelect(['e.id', 'e.name'])
      .where({ workspaceId, revokedAt: IsNull() });
    return (await newestFirst(query, after, count).getMany()) as PlacedApiKey[];
  }

  /** Takes keys that end soon, all of a workspace, and marks that somebody is told. To be called in a transaction. */
  claimEnding(): Promise<EndingKeys[]> {
    return claimEnding(this.tokens, 'workspaceId', 'createdByUserId');
  }

  /** Of these workspaces, the owners and those of the people named who are in them still. Whoever is disabled is not there. */
  keepers(workspaceIds: readonly string[], userIds: readonly string[]): Promise<KeyKeeper[]> {
    return this.tokens.manager
      .createQueryBuilder('Membership', 'm')
      .innerJoin('User', 'u', 'u.id = m.userId AND u.disabledAt IS NULL')
      .innerJoin('Workspace', 'w', 'w.id = m.workspaceId AND w.deletedAt IS NULL')
      .select('m.workspaceId', 'workspaceId')
      .addSelect('w.name', 'workspaceName')
      .addSelect('w.slug', 'workspaceSlug')
      .addSelect('m.userId', 'userId')
      .addSelect('m.role', 'role')
      .addSelect('u.name', 'name')
      .addSelect('u.email', 'email')
      .where('m.workspaceId = ANY(:workspaceIds)', { workspaceIds })
      .andWhere(`(m.role = 'owner' OR m.userId = ANY(:userIds))`, { userIds })
      .orderBy('m.id')
      .getRawMany();
  }

  /** The name of the key, or null: there is no such key, or it is revoked already. */
  async revoke(workspaceId: string, id: string): Promise<string | null> {
    const unrevoked = { workspaceId, id, revokedAt: IsNull() };
    const revoking = this.tokens.createQueryBuilder().update().set({ revokedAt: NOW }).where(unrevoked);
    return (await returnedRow(revoking, 'name'))?.name ?? null;
  }

  async revokeAll(workspaceId: string): Promise<void> {
    await this.tokens.update({ workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }
}
