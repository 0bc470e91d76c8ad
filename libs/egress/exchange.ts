import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { relayResponse } from './relay-response.js';
import { framingOf, trailers } from './forwarded-headers.js';
import type { GateContext } from './gate-context.js';
import { describeHeld } from './describe-held.js';
import { type Refusal, type RefusalCode, refuse } from './refusal.js';
import { malformed } from './request-checks.js';
import { type Route, schemeOf } from './router.js';
import { headBytes, type HostUsage } from './usage-counters.js';
import {
  describeFailure,
  NotSent,
  UnhashableBody,
  UnreadableResponse,
  UpstreamSilent,
} from './upstream-failure.js';
import { isMasked, isRepeatable, upstreamRequest } from './upstream-request.js';
import { BodyDigest, withheldRequest } from './withheld-request.js';
import type { WithheldRequests } from './withheld-requests.js';

/** Nothing has left then. */
const DENIED = new Set<RefusalCode>(['address_refused', 'request_not_signable']);

interface ExchangeOptions {
  expectsContinue: boolean;
  /** Nothing of it leaves before somebody has decided. */
  isHeld: boolean;
}

/** One request of the script that passed the checks, and its response. */
export class Exchange {
  private up: ClientRequest | undefined;
  private repeated = false;
  private hasResponse = false;
  private continued = false;
  private over = false;
  private isWaiting = false;
  private readonly expectsContinue: boolean;
  private readonly hasBody: boolean;
  private readonly usage: HostUsage;

  constructor(
    private readonly gate: GateContext,
    private readonly route: Route,
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly options: ExchangeOptions,
  ) {
    this.expectsContinue = options.expectsContinue;
    this.hasBody = framingOf(req.rawHeaders) !== 'none';
    this.usage = gate.usage.of(route.label);
  }

  start(): void {
    const { gate, req, res } = this;
    this.usage.requests += 1;
    res.once('close', () => this.end());
    res.once('finish', () => this.discardRest());
    req.on('error', () => this.end());
    if (this.options.isHeld && gate.withheld) this.withhold(gate.withheld);
    else if (this.options.isHeld) this.hold();
    // Its hash is signed. Clients that say the hash themselves do not get here.
    else if (this.hasBody && this.route.signing?.payloadHash === null)
      this.gather(tooLargeToSign, (body) => this.send(body));
    else this.send();
  }

  /** Reads a request to its end of which nothing is sent. */
  private withhold(withheld: WithheldRequests): void {
    const { req, res, route } = this;
    this.isWaiting = true;
    if (this.expectsContinue) {
      this.continued = true;
      res.writeContinue();
    }
    const protocol = schemeOf(route.origin);
    const body = new BodyDigest();
    req.on('data', (chunk: Buffer) => {
      if (this.over) return;
      body.add(chunk);
      if (body.isTooLong) this.fail(new NotSent(TOO_LONG_TO_LIST));
    });
    req.once('end', () => {
      if (!this.over)
        this.fail(new NotSent(withheld.add(withheldRequest(route.label, protocol, req, body.end()))));
    });
  }

  /** Keeps the request here, whole, until it is decided what becomes of it. */
  private hold(): void {
    const refusal = this.gate.held.begin(this.res);
    if (refusal) return this.fail(new NotSent(refusal));
    this.isWaiting = true;
    this.gather(tooLargeToHold, (body) => void this.ask(body));
  }

  private async ask(body: Buffer): Promise<void> {
    const { gate, req, res, route } = this;
    if (req.rawTrailers.length > 0)
      return this.fail(new NotSent(malformed('a request that is held cannot have trailers')));
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const refusal = await gate.held.ask(describeHeld(gate, route, req, body), gone.signal);
    if (this.over) return;
    this.isWaiting = false;
    if (refusal) this.fail(new NotSent(refusal));
    else this.send(body);
  }

  /** Reads the body whole. */
  private gather(tooLarge: (most: number) => Error, next: (body: Buffer) => void): void {
    const { req, res, usage } = this;
    const { hashed } = this.gate;
    const declared = Number(req.headers['content-length'] ?? 0);
    if (declared > hashed.most) return this.fail(tooLarge(hashed.most));
    if (this.expectsContinue) {
      this.continued = true;
      res.writeContinue();
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    res.once('close', () => hashed.give(bytes));
    req.on('data', (chunk: Buffer) => {
      if (this.over) return;
      usage.bytesOut += chunk.length;
      if (!hashed.take(chunk.length)) return this.fail(tooLarge(hashed.most));
      bytes += chunk.length;
      chunks.push(chunk);
    });
    req.once('end', () => {
      if (!this.over) next(Buffer.concat(chunks));
    });
  }

  /** @param body that has been read already */
  private send(body?: Buffer): void {
    const { req, gate, usage } = this;
    let up: ClientRequest;
    try {
      up = upstreamRequest(gate, this.route, req, body && { body });
    } catch {
      return this.fail(new UnreadableResponse('its head cannot be passed on as it is'));
    }
    this.up = up;
    up.setTimeout(gate.timeouts.idleMs);
    up.on('timeout', () => this.onSilence(up));
    up.once('socket', () => {
      usage.bytesOut += headBytes((req.method?.length ?? 0) + (req.url?.length ?? 0) + 10, req.rawHeaders);
    });
    up.on('continue', () => {
      if (!this.expectsContinue || this.continued || this.res.headersSent) return;
      this.continued = true;
      this.res.writeContinue();
    });
    up.on('response', (response) => this.relay(up, response));
    up.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.fail(new UnreadableResponse('it switched protocols although nobody asked it to'));
    });
    up.on('error', (error) => this.onError(up, error));
    if (!this.hasBody || body) return void up.end(body);
    up.flushHeaders();
    req.on('data', (chunk: Buffer) => {
      usage.bytesOut += chunk.length;
    });
    req.once('end', () => {
      const after = trailers(req.rawTrailers, this.route.secretHeaders, null);
      if (after.length === 0) return;
      try {
        up.addTrailers(after);
      } catch (error) {
        this.fail(error);
      }
    });
    req.pipe(up);
  }

  private relay(up: ClientRequest, response: IncomingMessage): void {
    this.hasResponse = true;
    const { gate, usage } = this;
    usage.bytesIn += headBytes((response.statusMessage?.length ?? 0) + 13, response.rawHeaders);
    response.on('data', (chunk: Buffer) => {
      usage.bytesIn += chunk.length;
    });
    // Without its "100 Continue" the script may or may not send the body, so what comes next could be either.
    if (this.expectsContinue && !this.continued) this.res.shouldKeepAlive = false;
    try {
      relayResponse(response, this.res, {
        method: this.req.method ?? 'GET',
        patterns: isMasked(gate) ? gate.patterns : null,
        secretHeaders: this.route.secretHeaders,
        signed: this.route.signing !== null,
        onBroken: (error) => this.fail(error),
      });
    } catch (error) {
      response.on('error', () => undefined);
      this.fail(error);
      up.destroy();
    }
  }

  private onError(up: ClientRequest, error: Error): void {
    const untouched = !this.hasResponse && !this.over && !this.repeated && up.reusedSocket;
    if (untouched && isReset(error) && isRepeatable(this.req)) {
      this.repeated = true;
      return this.send();
    }
    this.fail(error);
  }

  private onSilence(up: ClientRequest): void {
    const scriptIsSlow =
      this.res.writableNeedDrain || (this.hasBody && !this.req.complete && !up.writableNeedDrain);
    if (scriptIsSlow && !this.over) up.socket?.setTimeout(this.gate.timeouts.idleMs);
    else this.fail(new UpstreamSilent(this.gate.timeouts.idleMs));
  }

  private fail(error: unknown): void {
    if (this.over) return;
    const failure = describeFailure(this.route.label, error);
    if (error instanceof NotSent || DENIED.has(failure.code)) {
      this.usage.denied += 1;
      this.usage.requests -= 1;
      this.gate.log.refused(this.route.label, failure.reason);
    } else {
      this.gate.log.failed(this.route.label, failure.reason);
    }
    this.over = true;
    this.isWaiting = false;
    this.req.unpipe();
    this.up?.destroy();
    if (this.res.headersSent) this.res.destroy();
    else refuse(this.res, failure, this.expectsContinue && !this.continued);
  }

  /** The script is gone, or has its response. */
  private end(): void {
    this.over = true;
    if (this.isWaiting) this.usage.requests -= 1;
    this.isWaiting = false;
    if (!this.res.writableFinished || !this.req.complete) this.up?.destroy();
  }

  private discardRest(): void {
    this.over = true;
    if (this.req.complete) return;
    this.req.unpipe();
    this.up?.destroy();
    discardBody(this.req, this.gate.limits.discardedBytes);
  }
}

/** Reads on so that the response arrives at a script that is still sending, but not for ever. */
export function discardBody(req: IncomingMessage, limit: number): void {
  let left = limit;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.socket.destroy();
  });
  req.resume();
}

const TOO_LONG_TO_LIST: Refusal = {
  ...malformed('a body of a run that is only planned has at most 1 GiB'),
  status: 413,
  code: 'body_too_large',
};

function tooLargeToHold(most: number): NotSent {
  const problem = `the gate holds bodies of at most ${most / 1024 / 1024} MiB at a time until they are decided about; send less`;
  return new NotSent({ ...malformed(problem), status: 413, code: 'body_too_large' });
}

function tooLargeToSign(most: number): UnhashableBody {
  return new UnhashableBody(
    `its body comes without a hash (x-amz-content-sha256), and the gate hashes at most ${most / 1024 / 1024} MiB at a time; send less, or the hash`,
  );
}

function isReset(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}
