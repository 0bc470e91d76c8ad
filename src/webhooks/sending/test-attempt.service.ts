import { Injectable } from '@nestjs/common';

import { NotFound } from '../../core/errors/index.js';
import { eventBody } from '../../core/outbox/index.js';
import { DeliveriesRepository } from '../deliveries.repository.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import type { AttemptOutcome } from './attempt.js';
import { DeliverySender } from './delivery-sender.js';
import { OutcomeWriter } from './outcome-writer.js';

/** Makes the one attempt of a test's delivery, in the process that was asked for it. */
@Injectable()
export class TestAttemptService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly secrets: EndpointSecrets,
    private readonly sender: DeliverySender,
    private readonly writer: OutcomeWriter,
  ) {}

  /**
   * Resolves once the outcome is written.
   *
   * @throws NotFound where the endpoint was deleted meanwhile
   */
  async attempt(deliveryId: string): Promise<AttemptOutcome> {
    const test = await this.deliveries.test(deliveryId);
    if (!test) throw new NotFound('webhook endpoint');
    const { endpointId } = test;
    const message = { id: deliveryId, body: eventBody(test) };
    const outcome = await this.sender.send(this.secrets.targetOf(test), message, { ...test, number: 1 });
    await this.writer.write({ ...outcome, endpointId, deliveryId, number: 1 });
    return outcome;
  }
}
