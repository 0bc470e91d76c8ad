import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { WebhookEndpoint } from '../webhook-endpoint.entity.js';

export type DisabledEndpoint = Pick<
  WebhookEndpoint,
  'workspaceId' | 'environmentId' | 'url' | 'description' | 'workspace' | 'environment'
>;

@Injectable()
export class EndpointDisablingRepository {
  constructor(@InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>) {}

  /** Part of a transaction. null: it is disabled already, or deleted. */
  async disable(id: string): Promise<DisabledEndpoint | null> {
    const { affected } = await this.endpoints.update(
      { id, enabled: true },
      { enabled: false, leaseUntil: null },
    );
    if (affected === 0) return null;
    return this.endpoints
      .createQueryBuilder('endpoint')
      .innerJoinAndSelect('endpoint.workspace', 'workspace')
      .innerJoinAndSelect('endpoint.environment', 'environment')
      .where({ id })
      .getOne();
  }

  /** Their mail addresses. */
  async ownersOf(workspaceId: string): Promise<string[]> {
    const rows = await this.endpoints.manager
      .createQueryBuilder('Membership', 'm')
      .innerJoin('m.user', 'u')
      .select('u.email', 'email')
      .where({ workspaceId, role: 'owner' })
      .orderBy('u.email')
      .getRawMany<{ email: string }>();
    return rows.map(({ email }) => email);
  }
}
