import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { mismatch } from '../../automations/index.js';
import { newId } from '../../core/crypto/index.js';
import { InvalidRequest, NotFound, RateLimited, Unavailable } from '../../core/errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../../core/http/index.js';
import type { OpenHook } from '../hooks.repository.js';
import { metaChallenge, slackChallenge } from '../verify/handshake.js';
import type { Received } from '../verify/received.js';
import { verify } from '../verify/verify.js';
import { HookAcceptanceService } from './hook-acceptance.service.js';
import { HookAdmissionService } from './hook-admission.service.js';
import { HookMetrics } from './hook-metrics.js';
import type { NewReceipt } from './hook-receipts.repository.js';
import { HookRefusalsService } from './hook-refusals.service.js';
import type { HookResponse } from './hook-responses.service.js';
import { HookRunsService } from './hook-runs.service.js';
import { OpenHooks } from './open-hooks.js';
import { keptHeaders, parseBody, receivedOf, type RequestData } from './request-of.js';

/** After so long a hook may have changed. */
const READ_AGAIN_MS = 1_000;

/** Takes requests of strangers: who is it, are they who they say, and what does it start. */
@Injectable()
export class HookReceivingService {
  constructor(
    private readonly admission: HookAdmissionService,
    private readonly hooks: OpenHooks,
    private readonly refusals: HookRefusalsService,
    private readonly acceptance: HookAcceptanceService,
    private readonly runs: HookRunsService,
    private readonly metrics: HookMetrics,
  ) {}

  /** @throws NotFound for all that must not be told apart; InvalidRequest, Conflict, RateLimited, Unavailable, payload too large */
  async receive(
    request: GatehouseRequest,
    response: GatehouseResponse,
    address: string,
  ): Promise<HookResponse> {
    try {
      let hook = await this.admission.admit(request, response, address);
      const began = performance.now();
      const received = await this.admission.read(request);
      // Whoever holds a body back goes by what the hook says when it is there.
      if (performance.now() - began > READ_AGAIN_MS) hook = await this.hooks.get(address);
      return await this.take(hook, received);
    } catch (error) {
      // A sender that is still writing has to hear of it.
      request.resume();
      if (error instanceof RateLimited) this.metrics.count('limited');
      if (error instanceof Unavailable) this.metrics.count('unavailable');
      throw error;
    }
  }

  /** What Meta asks an address before it sends there. */
  async greet(request: GatehouseRequest, response: GatehouseResponse, address: string): Promise<string> {
    const hook = await this.admission.admit(request, response, address);
    const { query } = receivedOf(request, Buffer.alloc(0));
    const challenge = metaChallenge(hook.verify, await this.keysOf(hook), query);
    if (challenge === null) throw new NotFound('hook');
    this.metrics.count('handshake');
    return challenge;
  }

  private async take(hook: OpenHook, received: Received): Promise<HookResponse> {
    const verdict = verify(hook.verify, await this.keysOf(hook), received);
    const receipt = newReceipt(hook, received);
    if (!verdict.verified) {
      await this.refusals.keep(hook, { ...receipt, verdict: 'refused', reason: verdict.reason });
      throw new NotFound('hook');
    }
    receipt.providerId = verdict.id;
    const data = await this.read(hook, received, receipt);
    const challenge = slackChallenge(hook.verify, data.body);
    if (challenge !== null) {
      await this.acceptance.accept({ receipt: { ...receipt, verdict: 'handshake' }, key: null, order: null });
      this.metrics.count('handshake');
      return { status: 200, body: { challenge } };
    }
    const key =
      verdict.id === null
        ? null
        : hash('sha256', `${verdict.id} ${receipt.digest.toString('hex')}`, 'buffer');
    const path = mismatch(hook.filter, data);
    if (path === null) return this.runs.start(hook, data, receipt, key);
    const reason = `the request does not have at ${path} what the filter asks for`;
    const filtered = { ...receipt, verdict: 'filtered' as const, reason };
    await this.acceptance.accept({ receipt: filtered, key, order: null });
    this.metrics.count('filtered');
    return { status: 202, body: { id: receipt.id } };
  }

  /** @throws InvalidRequest where a verified body is not what it says it is */
  private async read(hook: OpenHook, received: Received, receipt: NewReceipt): Promise<RequestData> {
    const { headers } = receipt;
    try {
      const body = parseBody(received.body, received.headers['content-type'], hook.verify);
      return { body, headers, query: receipt.query };
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      await this.refusals.keep(hook, { ...receipt, verdict: 'refused', reason: error.message });
      throw error;
    }
  }

  /** A source of secrets that is away is no reason to lose what is sent. */
  private async keysOf(hook: OpenHook): Promise<ReadonlyMap<string, string>> {
    try {
      return await this.hooks.keys(hook);
    } catch {
      throw new Unavailable('Requests cannot be verified just now. Send it again shortly.');
    }
  }
}

function newReceipt(
  { id: hookId, workspaceId, headers, verify: rule }: OpenHook,
  received: Received,
): NewReceipt {
  const { body, query } = received;
  return {
    id: newId('receipt'),
    workspaceId,
    hookId,
    verdict: 'accepted',
    reason: null,
    providerId: null,
    digest: hash('sha256', body, 'buffer'),
    bodyBytes: body.length,
    body,
    headers: keptHeaders(received, headers, rule),
    query,
    runId: null,
  };
}
