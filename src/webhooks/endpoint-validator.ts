import { Injectable } from '@nestjs/common';

import { Dialer, EgressError, EgressRefused } from '../../libs/egress/index.js';
import { Database } from '../core/database/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { lineProblem } from '../core/http/index.js';
import { EventTypes } from '../core/outbox/index.js';
import type { EndpointInput, EndpointPatch } from './endpoint.dto.js';
import { hostOf, isNeverPublic, urlProblem } from './endpoint-url.js';

/** What is checked of an endpoint's settings besides their form. */
@Injectable()
export class EndpointValidator {
  constructor(
    private readonly dialer: Dialer,
    private readonly database: Database,
    private readonly types: EventTypes,
  ) {}

  /**
   * Asks the DNS for the URL's host, so never within a transaction. The name is resolved again, and the addresses are
   * checked again, whenever a connection is made.
   *
   * @throws InvalidRequest
   */
  async check({ url, eventTypes }: EndpointPatch): Promise<void> {
    this.checkTypes(eventTypes);
    if (url !== undefined) await this.checkUrl(url, 'url');
  }

  /**
   * The same for the address of anything else that is sent to.
   *
   * @throws InvalidRequest at that path
   */
  async checkUrl(url: string, path: string): Promise<void> {
    if (this.database.inTransaction) throw new Error('A URL is looked up before a transaction begins.');
    const problem = urlProblem(url) ?? (await this.hostProblem(hostOf(url)));
    if (problem !== null) throw InvalidRequest.at(path, problem);
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

  /** A name that cannot be resolved is accepted: it may be public by the time of the first event. */
  private async hostProblem(host: string): Promise<string | null> {
    try {
      await this.dialer.addresses(host);
      return null;
    } catch (error) {
      if (error instanceof EgressRefused) return `cannot be sent to: ${error.reason}`;
      if (!(error instanceof EgressError)) throw error;
      return isNeverPublic(host) ? 'cannot be sent to: the name is of a private network' : null;
    }
  }
}
