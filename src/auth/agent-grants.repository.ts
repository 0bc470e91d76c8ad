import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { inSeconds, isPast, NOW } from '../core/database/moments.js';
import { Expires } from '../core/work/expires.decorator.js';
import { AgentAccessToken } from './agent-access-token.entity.js';
import { AgentGrant } from './agent-grant.entity.js';

export type NewGrant = Pick<AgentGrant, 'id' | 'userId' | 'workspaceId' | 'appName' | 'clientId' | 'scopes'>;

@Injectable()
export class AgentGrantsRepository {
  constructor(
    @InjectRepository(AgentGrant) private readonly grants: Repository<AgentGrant>,
    @InjectRepository(AgentAccessToken) private readonly tokens: Repository<AgentAccessToken>,
  ) {}

  async insert(grant: NewGrant): Promise<void> {
    await this.grants.insert(grant);
  }

  async insertAccessToken(hash: Buffer, grantId: string, seconds: number): Promise<void> {
    await this.tokens.insert({ hash, grantId, expiresAt: inSeconds(seconds) });
  }

  async revokeOf(userId: string, workspaceId: string): Promise<void> {
    await this.grants.update({ userId, workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }

  async revokeAllIn(workspaceId: string): Promise<void> {
    await this.grants.update({ workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }

  /** Expired tokens open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpiredTokens(): Promise<number> {
    return (await this.tokens.delete({ expiresAt: isPast() })).affected!;
  }
}
