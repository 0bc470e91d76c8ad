import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/index.js';
import { newestFirst } from '../core/database/index.js';
import { Workspace } from '../workspaces/index.js';
import { DeletedWebhookEndpoint } from './deleted-webhook-endpoint.entity.js';
import { IS_NOT_AMONG_NEWEST } from './endpoints.sql.js';
import { WebhookEarlierSecret } from './webhook-earlier-secret.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Of the notification that an endpoint has changed, for the worker that is sending to it. */
export const ENDPOINT_TOPIC = 'webhook_endpoint';

/** Where an endpoint is looked for: another environment's do not exist there. */
type EndpointPlace = Pick<WebhookEndpoint, 'workspaceId' | 'environmentId'>;

export type NewEndpoint = EndpointPlace &
  EndpointSettings &
  Pick<WebhookEndpoint, 'id' | 'sealedSecret' | 'createdByUserId'>;

export type EndpointSettings = Pick<WebhookEndpoint, 'url' | 'description' | 'eventTypes'>;

export type DisabledEndpoint = EndpointPlace &
  Pick<WebhookEndpoint, 'url' | 'description' | 'workspace' | 'environment'>;

export function placeOf({ workspace, environment }: WorkspaceCaller): EndpointPlace {
  return { workspaceId: workspace.id, environmentId: environment.id };
}

/** Beside the newest. */
const MOST_EARLIER_SECRETS = 5;

@Injectable()
export class EndpointsRepository {
  constructor(
    @InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>,
    @InjectRepository(WebhookEarlierSecret) private readonly earlier: Repository<WebhookEarlierSecret>,
    @InjectRepository(DeletedWebhookEndpoint) private readonly deleted: Repository<DeletedWebhookEndpoint>,
  ) {}

  /** How many a workspace has, in all environments. Whoever makes another one waits until this transaction ends. */
  async countLocked(workspaceId: string): Promise<number> {
    const lock = { mode: 'for_no_key_update' } as const;
    await this.endpoints.manager.findOne(Workspace, { where: { id: workspaceId }, lock });
    return this.endpoints.countBy({ workspaceId });
  }

  async insert(endpoint: NewEndpoint): Promise<void> {
    await this.endpoints.insert(endpoint);
  }

  list(place: EndpointPlace, after: string | null, count: number): Promise<WebhookEndpoint[]> {
    return newestFirst(this.endpoints.createQueryBuilder('endpoint').where(place), after, count).getMany();
  }

  find(place: EndpointPlace, id: string): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOneBy({ ...place, id });
  }

  /** As `find`, locked until the transaction ends. */
  lock(place: EndpointPlace, id: string): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOne({ where: { ...place, id }, lock: { mode: 'for_no_key_update' } });
  }

  async change(id: string, settings: EndpointSettings): Promise<void> {
    await this.endpoints.update({ id }, settings);
  }

  async enable(id: string): Promise<void> {
    await this.endpoints.update({ id }, { enabled: true, consecutiveFailures: 0 });
  }

  /** Part of a transaction. null: it is disabled already, or deleted. */
  async disable(id: string): Promise<DisabledEndpoint | null> {
    const { affected } = await this.endpoints.update(
      { id, enabled: true },
      { enabled: false, leaseUntil: null },
    );
    if (affected === 0) return null;
    return this.endpoints.findOne({ where: { id }, relations: { workspace: true, environment: true } });
  }

  /** Who is mailed about its endpoints: the addresses of the workspace's owners. */
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

  /**
   * Part of a transaction that has locked the endpoint. What signed until now goes on signing beside the new secret for a
   * day, the newest five at most.
   */
  async rotate({ id, sealedSecret }: WebhookEndpoint, newSecret: Buffer): Promise<void> {
    const signsUntil = () => `now() + interval '24 hours'`;
    await this.earlier.insert({ endpointId: id, sealedSecret, signsUntil });
    await this.endpoints.update({ id }, { sealedSecret: newSecret });
    await this.earlier
      .createQueryBuilder()
      .delete()
      .where({ endpointId: id })
      .andWhere(`(signs_until <= now() OR ${IS_NOT_AMONG_NEWEST})`, { id, most: MOST_EARLIER_SECRETS })
      .execute();
  }

  /** Part of a transaction. Its secrets go with it; its deliveries are deleted later, in batches. */
  async delete(id: string): Promise<void> {
    await this.endpoints.delete({ id });
    await this.deleted.insert({ id });
  }
}
