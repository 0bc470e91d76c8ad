import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { countSome, Database } from '../../core/database/index.js';
import { InstanceHeartbeat, LEASE } from '../../core/work/index.js';
import { WebhookDelivery } from '../webhook-delivery.entity.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { type DueDelivery, type DueRow, IS_DUE, SOME_DUE, TAKE, WAITING } from './due.sql.js';

/** An endpoint as it is now, and the next deliveries to it. */
export type DueBatch = Omit<DueRow, keyof DueDelivery> & { deliveries: DueDelivery[] };

export interface WaitingEndpoint {
  id: string;
  /** Whom its workspace counts for; null: it is deleted. */
  owner: string | null;
  /** False: it is disabled or deleted, so that nothing will be sent. */
  sendable: boolean;
}

/** Of what is due at an endpoint that gets nothing any more. */
const FAILED_AT_ONCE = 5_000;

/** This worker's leases on endpoints, so that only one worker sends to each, and what is due there. */
@Injectable()
export class DueRepository {
  constructor(
    @InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>,
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly database: Database,
    private readonly instance: InstanceHeartbeat,
  ) {}

  /**
   * Takes leases on endpoints, and returns the next deliveries to each of them. Left out are those where nothing is due, or on
   * which another worker has the lease.
   *
   * @param held deliveries that this worker has already
   */
  async take(endpointIds: readonly string[], held: readonly string[]): Promise<Map<string, DueBatch>> {
    const batches = new Map<string, DueBatch>();
    for (const row of await this.database.query<DueRow>(TAKE, [endpointIds, this.instance.id, held])) {
      const batch = batches.get(row.endpointId);
      if (batch) batch.deliveries.push(row);
      else batches.set(row.endpointId, { ...row, deliveries: [row] });
    }
    return batches;
  }

  /** Returns the endpoints on which the lease is still ours. */
  async renew(endpointIds: readonly string[]): Promise<Set<string>> {
    const { raw } = await this.endpoints
      .createQueryBuilder()
      .update()
      .set({ leaseUntil: () => `now() + ${LEASE}` })
      .where({ id: Any([...endpointIds]), workerId: this.instance.id, enabled: true })
      .returning('id')
      .execute();
    return new Set((raw as Pick<WebhookEndpoint, 'id'>[]).map(({ id }) => id));
  }

  async release(endpointIds: readonly string[]): Promise<void> {
    await this.endpoints.update(
      { id: Any([...endpointIds]), workerId: this.instance.id },
      { leaseUntil: null },
    );
  }

  /** The endpoints where something is due and on which no other worker has a lease. */
  waiting(): Promise<WaitingEndpoint[]> {
    return this.database.query<WaitingEndpoint>(WAITING, [this.instance.id]);
  }

  /** How many deliveries are due at all endpoints, counted no further than is worth knowing. */
  count(): Promise<number> {
    return countSome(this.deliveries.createQueryBuilder().where(IS_DUE));
  }

  /** Fails some of what is due at an endpoint that is disabled or deleted. */
  async failDue(endpointId: string): Promise<void> {
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ status: 'failed' })
      .where(`id IN (${SOME_DUE})`, { endpointId, most: FAILED_AT_ONCE })
      .execute();
  }
}
