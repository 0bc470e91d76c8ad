import { Injectable } from '@nestjs/common';

import { NotFound } from '../../core/errors/index.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import { eventBody } from '../../core/outbox/index.js';
import type { AttemptOutcome } from './attempt.js';
import { DeliverySender } from './delivery-sender.js';
import { OutcomeWriter } from './outcome-writer.js';
import { TestAttemptRepository } from './test-attempt.repository.js';

/** Makes the one attempt of a test's delivery, in the process that was asked for it. */
@Injectable()
export class TestAttemptService {
  constructor(
    private readonly repository: TestAttemptRepository,
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
    const prepared = await this.repository.prepare(deliveryId);
    if (!prepared) throw new NotFound('webhook endpoint');
    const { endpointId, url, key, sealedSecrets, event } = prepared;
    const keys = this.secrets.signingKeys(key, endpointId, sealedSecrets);
    const message = { id: deliveryId, body: eventBody(event) };
    const outcome = await this.sender.send({ url, keys }, message, { ...event, endpointId, number: 1 });
    await this.writer.write({ ...outcome, endpointId, deliveryId, number: 1 });
    return outcome;
  }
}
