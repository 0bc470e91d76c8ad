import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { CLOCKS_APART_MS, firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { Conflict, InvalidRequest, QuotaExceeded } from '../core/errors/index.js';
import { Waker } from '../core/work/index.js';
import { UsageService } from '../usage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import type { RecoverInput, WebhookRecoveryDto } from './delivery.dto.js';
import { EndpointsService } from './endpoints.service.js';

const BATCH = 1_000;
const DAY_MS = 86_400_000;
const MOST_DAYS = 30;
/** A client that asks for the last 30 days has read its clock a little earlier, and its clock may differ from ours. */
const ASKED_EARLIER_MS = 60_000;
const CLOCK_AHEAD_MS = 5_000;

/** Queues again what an endpoint missed, because its receiver failed or because it was disabled. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsService,
    private readonly waker: Waker,
    private readonly database: Database,
    private readonly usage: UsageService,
  ) {}

  async recover(
    caller: WorkspaceCaller,
    endpointId: string,
    input: RecoverInput,
  ): Promise<WebhookRecoveryDto> {
    const since = momentOf(input.since);
    let queued = 0;
    let refusal: string | null = null;
    let after: string | null = firstIdAt('event', new Date(since.getTime() - CLOCKS_APART_MS));
    while (after !== null) {
      const from: string = after;
      const batch = await this.database.transaction(() => this.recoverBatch(caller, endpointId, since, from));
      queued += batch.queued;
      ({ last: after, refusal } = batch);
    }
    if (queued === 0 && refusal !== null) throw new QuotaExceeded(refusal);
    await this.database.transaction(async () => {
      const endpoint = await this.endpoints.find(caller, endpointId);
      const details = { since: since.toISOString(), queued };
      await this.endpoints.record(caller, 'webhook_endpoint.recovered', endpoint, details);
    });
    return { queued };
  }

  /** `last`: the event to go on after; null where nothing is left, or nothing more is allowed (`refusal`). */
  private async recoverBatch(
    caller: WorkspaceCaller,
    endpointId: string,
    since: Date,
    after: string,
  ): Promise<{ queued: number; last: string | null; refusal: string | null }> {
    // Two that recover at once take turns, so that nothing is queued by both.
    const endpoint = await this.endpoints.lock(caller, endpointId);
    if (!endpoint.enabled) throw new Conflict('The endpoint is disabled. Enable it first.');
    const events = await this.deliveries.recoverable(endpoint.id, since, after, BATCH);
    if (events.length === 0) return { queued: 0, last: null, refusal: null };
    const refusals = await this.usage.admit(
      'webhook_deliveries',
      events.map(() => caller.workspace.id),
    );
    const refusal = refusals.find((reason) => reason !== null) ?? null;
    const queued = await this.deliveries.insertMany(events.filter((_, index) => refusals[index] === null));
    this.waker.wake(DELIVERIES_QUEUE, [endpoint.id]);
    const more = refusal === null && events.length === BATCH;
    return { queued, last: more ? events.at(-1)!.eventId : null, refusal };
  }
}

function momentOf(text: string): Date {
  const since = new Date(text);
  const age = Date.now() - since.getTime();
  if (age < -CLOCK_AHEAD_MS) throw InvalidRequest.at('since', 'must not be in the future');
  if (age > MOST_DAYS * DAY_MS + ASKED_EARLIER_MS)
    throw InvalidRequest.at('since', `must not be more than ${MOST_DAYS} days ago`);
  return since;
}
