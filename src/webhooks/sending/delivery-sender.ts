import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Dialer, createSafeAgent } from '../../../libs/egress/index.js';
import { retryAfter } from '../backoff.js';
import { signatureHeader } from '../signature.js';
import type { AttemptOutcome, Message, SendTarget } from './attempt.js';
import { AnswerBrokeOff, ATTEMPT_TIMEOUT_MS, AttemptTimedOut, whyNoAnswer } from './send-error.js';

const MOST_ANSWER_BYTES = 64 * 1024;
const KEPT_ANSWER_BYTES = 1024;
const USER_AGENT = 'Gatehouse-Webhooks/1.0';

/**
 * Sends signed requests over kept-alive connections. Every connection is made by the safe dialer, so that a name is judged
 * by what it stands for at that moment, and a redirect is an answer like any other.
 */
@Injectable()
export class DeliverySender implements OnApplicationShutdown {
  private readonly agent: https.Agent;

  constructor(dialer: Dialer) {
    this.agent = createSafeAgent({ dialer });
  }

  /** One attempt, of at most ten seconds from the connection to the last byte of the answer. Never rejects. */
  send(target: SendTarget, message: Message): Promise<AttemptOutcome> {
    return new Promise((resolve) => new Attempt(this.agent, target, message, resolve).begin());
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }
}

class Attempt {
  private readonly at = new Date();
  private readonly began = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private request: ClientRequest | undefined;
  private response: IncomingMessage | undefined;
  private readonly kept: Buffer[] = [];
  private bytes = 0;
  private over = false;

  constructor(
    private readonly agent: https.Agent,
    private readonly target: SendTarget,
    private readonly message: Message,
    private readonly done: (outcome: AttemptOutcome) => void,
  ) {}

  begin(): void {
    this.timer = setTimeout(() => this.fail(new AttemptTimedOut()), ATTEMPT_TIMEOUT_MS);
    try {
      this.sendRequest(true);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** @param pooled over a kept connection if there is one; where that turns out to be closed, again over a new one */
  private sendRequest(pooled: boolean): void {
    const { body } = this.message;
    const request = https.request(this.options(pooled), (response) => this.read(response));
    this.request = request;
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (this.over || request !== this.request) return;
      const wasClosed = request.reusedSocket && this.response === undefined && isHangUp(error);
      if (wasClosed && pooled) this.sendRequest(false);
      else this.fail(this.response ? new AnswerBrokeOff() : error);
    });
    request.once('close', () => {
      if (request === this.request) this.fail(new AnswerBrokeOff());
    });
    request.end(body);
  }

  private options(pooled: boolean): RequestOptions {
    const { id, body } = this.message;
    const timestamp = Math.floor(this.at.getTime() / 1000);
    return {
      ...urlToHttpOptions(new URL(this.target.url)),
      method: 'POST',
      defaultPort: 443,
      ...(pooled
        ? { agent: this.agent }
        : { createConnection: (...to) => this.agent.createConnection(...to) }),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': USER_AGENT,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatureHeader(this.target.keys, { id, timestamp, body }),
      },
    };
  }

  private read(response: IncomingMessage): void {
    this.response = response;
    response.on('data', (chunk: Buffer) => {
      if (this.bytes < KEPT_ANSWER_BYTES) this.kept.push(chunk.subarray(0, KEPT_ANSWER_BYTES - this.bytes));
      this.bytes += chunk.length;
      // More is of no interest, and an answer that never ends must not keep anything busy.
      if (this.bytes > MOST_ANSWER_BYTES) this.finish();
    });
    response.once('end', () => (response.complete ? this.finish() : this.fail(new AnswerBrokeOff())));
    response.once('error', () => this.fail(new AnswerBrokeOff()));
    response.once('close', () => this.fail(new AnswerBrokeOff()));
  }

  private finish(): void {
    const { statusCode = 0, headers } = this.response!;
    const asksToWait = statusCode === 429 || statusCode === 503;
    this.settle({
      ok: statusCode >= 200 && statusCode < 300,
      status: statusCode,
      error: statusCode >= 300 && statusCode < 400 ? 'redirects are not followed' : null,
      answer: this.answer(),
      retryAfterMs: asksToWait ? retryAfter(headers['retry-after']) : null,
    });
  }

  private fail(error: Error): void {
    this.settle({
      ok: false,
      status: this.response?.statusCode ?? null,
      error: whyNoAnswer(error),
      answer: this.response ? this.answer() : null,
      retryAfterMs: null,
    });
  }

  private settle(outcome: Omit<AttemptOutcome, 'durationMs' | 'at'>): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    // One that was read to its end has given its connection back already.
    if (!this.response?.complete) this.request?.destroy();
    this.done({ ...outcome, durationMs: Math.round(performance.now() - this.began), at: this.at });
  }

  private answer(): string {
    // As a stream, so that a character that was cut in two is left out; PostgreSQL keeps no U+0000.
    return new TextDecoder().decode(Buffer.concat(this.kept), { stream: true }).replaceAll('\0', '\ufffd');
  }
}

function isHangUp({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}
