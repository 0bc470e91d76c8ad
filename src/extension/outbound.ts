import { Injectable } from '@nestjs/common';

import { createSafeFetch, type SafeFetch } from '../../libs/egress/index.js';
import { Settings } from '../core/config/index.js';

const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;

/** What may differ from request to request. */
export interface OutboundOptions {
  /** Certificates of authorities to trust besides those of the process, PEM. */
  ca?: string;
}

/**
 * Requests to the outside, by the dialer with which Gatehouse makes all of its own: it connects to public addresses and
 * to those of `GATEHOUSE_OUTBOUND_ALLOW`, whatever a name stands for, and checks certificates always.
 *
 * @example
 * ```ts
 * const response = await this.outbound.fetch(this.url, { method: 'POST', body: JSON.stringify({ text }), signal });
 * if (!response.ok) throw new Unavailable(`The chat responded ${response.status}.`);
 * ```
 */
@Injectable()
export class Outbound {
  /** By the authorities that each trusts besides. */
  private readonly clients = new Map<string, SafeFetch>();

  /** @internal */
  constructor(private readonly settings: Settings) {}

  /**
   * Called by Nest. The published types leave it out, so the class does not say that it implements it.
   *
   * @internal
   */
  onApplicationShutdown(): void {
    for (const client of this.clients.values()) client.close();
  }

  /**
   * As the global `fetch`, with a body that is a text or bytes. It follows no redirect and keeps no cookies. It gives
   * up a response whose head takes 30 s or whose body is longer than 8 MiB.
   *
   * @throws Error whose message names the host and the reason, where no connection is made; any error of the signal
   */
  fetch(url: string | URL, init?: RequestInit, { ca = '' }: OutboundOptions = {}): Promise<Response> {
    const client = this.clients.get(ca) ?? this.client(ca);
    this.clients.set(ca, client);
    return client.fetch(url, init);
  }

  private client(ca: string): SafeFetch {
    return createSafeFetch({
      allow: this.settings.outboundAllow,
      maxResponseBytes: MOST_RESPONSE_BYTES,
      ...(ca !== '' && { ca: [ca] }),
    });
  }
}
