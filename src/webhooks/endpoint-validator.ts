import { Injectable } from '@nestjs/common';

import { InvalidRequest } from '../core/errors/index.js';
import { lineProblem } from '../core/http/index.js';
import { EventTypes } from '../core/outbox/index.js';
import type { EndpointInput, EndpointPatch } from './endpoint.dto.js';
import { EndpointUrlCheck } from './endpoint-url-check.js';
import { urlProblem } from './endpoint-url.js';

/** What is checked of an endpoint's settings besides their form. */
@Injectable()
export class EndpointValidator {
  constructor(
    private readonly urlCheck: EndpointUrlCheck,
    private readonly types: EventTypes,
  ) {}

  /**
   * Asks the DNS for the URL's host, so never within a transaction.
   *
   * @throws InvalidRequest
   */
  async check({ url, eventTypes }: EndpointPatch): Promise<void> {
    this.checkTypes(eventTypes);
    if (url !== undefined) await this.urlCheck.check(url);
  }

  /**
   * What the route's validation finds, and the types, for an input that came another way.
   *
   * @throws InvalidRequest
   */
  checkForm({ url, description, eventTypes }: EndpointInput): void {
    const problem = urlProblem(url);
    if (problem !== null) throw InvalidRequest.at('url', problem);
    const line = lineProblem(description ?? '');
    if (line !== null) throw InvalidRequest.at('description', line);
    this.checkTypes(eventTypes);
  }

  /** @throws InvalidRequest naming each type that there is not */
  checkTypes(types: readonly string[] | null | undefined): void {
    const unknown = (types ?? []).flatMap((type, index) =>
      this.types.find(type)
        ? []
        : [{ path: `eventTypes.${index}`, message: `${JSON.stringify(type)} is no event type` }],
    );
    const [first] = unknown;
    if (first) {
      throw new InvalidRequest(
        `${first.path}: ${first.message}. GET /v1/workspace/event-types lists them all.`,
        unknown,
      );
    }
  }
}
