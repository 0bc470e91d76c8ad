import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';

import { CLOCKS_APART_MS, firstIdAt, newId } from '../core/crypto/index.js';
import { arraysOf, Database, newestFirst } from '../core/database/index.js';
import type { DispatchedEvent, EventText } from '../core/outbox/index.js';
import type { DeliveryStatus } from './delivery.status.js';
import { insertOriginals, RECEIVERS, RECOVERABLE, SOME_PENDING } from './deliveries.sql.js';
import { TEST, type TestRow } from './sending/test-attempt.sql.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

export type NewDelivery = Pick<WebhookDelivery, 'endpointId' | 'eventId' | 'eventType'> & {
  redeliveryOf?: string | null;
};

/** What narrows the list of deliveries. */
export interface DeliveryFilters {
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

@Injectable()
export class DeliveriesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    @InjectRepository(WebhookAttempt) private readonly attempts: Repository<WebhookAttempt>,
  ) {}

  /** Which endpoints get which of the events. */
  receivers(events: readonly DispatchedEvent[]): Promise<NewDelivery[]> {
    return this.database.query<NewDelivery>(
      RECEIVERS,
      arraysOf(events, 'id', 'workspaceId', 'environmentId', 'type'),
    );
  }

  /**
   * The next events since a moment that an endpoint should have got, in the order in which they happened. Without those
   * that were delivered or wait to be. `redeliveryOf` is an event's last failed delivery, or null.
   *
   * @param after the event to go on after, or the least id that may be
   */
  recoverable(
    endpointId: string,
    since: Date,
    after: string,
    count: number,
  ): Promise<Required<NewDelivery>[]> {
    return this.database.query<Required<NewDelivery>>(RECOVERABLE, [endpointId, since, after, count]);
  }

  /** Due once the surrounding transaction commits. An event that an endpoint got by itself already is left out. */
  async insertLast(deliveries: readonly NewDelivery[]): Promise<void> {
    const rows = deliveries.map((delivery) => ({ ...delivery, id: newId('delivery') }));
    await this.database.insertLast(insertOriginals, rows);
  }

  /** The same, now. Returns how many were made. */
  async insertMany(deliveries: readonly NewDelivery[]): Promise<number> {
    if (deliveries.length === 0) return 0;
    const { raw } = await this.deliveries
      .createQueryBuilder()
      .insert()
      .values(deliveries.map((delivery) => ({ ...delivery, id: newId('delivery') })))
      .orIgnore()
      .updateEntity(false)
      .returning('id')
      .execute();
    return (raw as unknown[]).length;
  }

  /** Due at once. */
  async insertRedelivery(id: string, delivery: Required<NewDelivery>): Promise<void> {
    await this.deliveries.insert({ id, ...delivery });
  }

  /**
   * One that this process attempts itself, once. Should the process die before, a worker finds it due a minute later.
   */
  async insertTest(id: string, delivery: NewDelivery): Promise<void> {
    const nextAttemptAt = () => `now() + interval '1 minute'`;
    await this.deliveries.insert({ id, ...delivery, maxAttempts: 1, nextAttemptAt });
  }

  /** All that the attempt of a test's delivery needs; null where the endpoint is deleted. */
  test(id: string): Promise<TestRow | null> {
    return this.database.one<TestRow>(TEST, [id]);
  }

  list(
    endpointId: string,
    { status, eventType, since, until }: DeliveryFilters,
    after: string | null,
    count: number,
  ): Promise<WebhookDelivery[]> {
    const query = this.deliveries.createQueryBuilder('delivery').where({ endpointId });
    if (status !== undefined) query.andWhere(OF_STATUS[status]);
    if (eventType !== undefined) query.andWhere('delivery.eventType = :eventType', { eventType });
    if (since !== undefined) {
      // Ids are made by our clocks and `created_at` by the database's. The ids let the index begin and end the search.
      const firstId = firstIdAt('delivery', new Date(since.getTime() - CLOCKS_APART_MS));
      query.andWhere('delivery.id >= :firstId AND delivery.createdAt >= :since', { firstId, since });
    }
    if (until !== undefined) {
      const endId = firstIdAt('delivery', new Date(until.getTime() + CLOCKS_APART_MS));
      query.andWhere('delivery.id < :endId AND delivery.createdAt < :until', { endId, until });
    }
    return newestFirst(query, after, count).getMany();
  }

  /** How many of the newest, of those since a moment, were made in which hour and are what by now. */
  countByHour(endpointId: string, since: Date, most: number): Promise<HourCount[]> {
    const firstId = firstIdAt('delivery', new Date(since.getTime() - CLOCKS_APART_MS));
    return this.deliveries.manager
      .createQueryBuilder()
      .select(`date_trunc('hour', d.created_at, 'UTC')`, 'at')
      .addSelect('d.status', 'status')
      .addSelect('count(*)::int', 'count')
      .addSelect('min(d.created_at)', 'first')
      .from(
        (query) =>
          query
            .select('newest.created_at', 'created_at')
            .addSelect('newest.status', 'status')
            .from(WebhookDelivery, 'newest')
            .where(
              'newest.endpoint_id = :endpointId AND newest.id >= :firstId AND newest.created_at >= :since',
            )
            .orderBy('newest.id', 'DESC')
            .limit(most),
        'd',
      )
      .groupBy('1, 2')
      .setParameters({ endpointId, firstId, since })
      .getRawMany<HourCount>();
  }

  /** What is sent of the event of a delivery; null: it is not kept any more. */
  async eventOf({ eventId }: Pick<WebhookDelivery, 'eventId'>): Promise<EventText | null> {
    const event = await this.deliveries.manager
      .createQueryBuilder('OutboxEvent', 'v')
      .select('v.id', 'eventId')
      .addSelect('v.type', 'eventType')
      .addSelect('v.createdAt', 'createdAt')
      .addSelect('v.data::text', 'data')
      .where('v.id = :eventId', { eventId })
      .getRawOne<EventText>();
    return event ?? null;
  }

  find(endpointId: string, id: string): Promise<WebhookDelivery | null> {
    return this.deliveries.findOneBy({ endpointId, id });
  }

  outcomeOf(id: string): Promise<Pick<WebhookDelivery, 'status' | 'lastStatus'> | null> {
    return this.deliveries.findOne({ select: { status: true, lastStatus: true }, where: { id } });
  }

  /** Newest first, those before a number where one is given. */
  attemptsOf(deliveryId: string, before: number | null, count: number): Promise<WebhookAttempt[]> {
    return this.attempts.find({
      where: before === null ? { deliveryId } : { deliveryId, number: LessThan(before) },
      order: { number: 'DESC' },
      take: count,
    });
  }

  /** The last one where no number is given. */
  attempt(deliveryId: string, number: number | null): Promise<WebhookAttempt | null> {
    return this.attempts.findOne({
      where: number === null ? { deliveryId } : { deliveryId, number },
      order: { number: 'DESC' },
    });
  }

  /** Some of what waits to be sent to an endpoint; returns how many. */
  async failPending(endpointId: string, count: number): Promise<number> {
    const { affected } = await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ status: 'failed' })
      .where(`id IN (${SOME_PENDING})`, { endpointId, count })
      .execute();
    return affected!;
  }
}

/** How many deliveries of a status were made in an hour, and when the first of them. */
export interface HourCount {
  at: Date;
  status: DeliveryStatus;
  count: number;
  first: Date;
}

/** As the indexes on what is pending and what has failed say it. */
const OF_STATUS: Record<DeliveryStatus, string> = {
  pending: `delivery.status = 'pending'`,
  delivered: `delivery.status = 'delivered'`,
  failed: `delivery.status = 'failed'`,
};
