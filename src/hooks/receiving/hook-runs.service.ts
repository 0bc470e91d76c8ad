import { Injectable } from '@nestjs/common';

import { Rendering, REQUEST_PLACEHOLDERS } from '../../automations/index.js';
import { Causes } from '../../core/causes/index.js';
import { newId } from '../../core/crypto/index.js';
import { Conflict, Unavailable } from '../../core/errors/index.js';
import { Tracing } from '../../core/tracing/index.js';
import { type AutomatedRunOrder, AutomatedRunsService, MOST_HOPS } from '../../runs/index.js';
import { HOOK } from '../hook.kind.js';
import type { OpenHook } from '../hooks.repository.js';
import type { NewReceipt } from './hook-receipts.repository.js';
import { HookRefusalsService } from './hook-refusals.service.js';
import { type HookResponse, HookResponsesService } from './hook-responses.service.js';
import { OpenHooks } from './open-hooks.js';
import type { RequestData } from './request-of.js';

/** A script that is published again and again keeps no sender waiting for long. */
const MOST_TRIES = 3;
const TOO_LONG = `A chain of runs stops after ${MOST_HOPS} triggers and hooks, and this request would have gone on with one.`;

/** What a run by a hook takes over from the one whose script sent the request. */
type Chained = Pick<AutomatedRunOrder, 'byAgent' | 'origin'>;

/** Starts the runs of requests that are verified. */
@Injectable()
export class HookRunsService {
  constructor(
    private readonly hooks: OpenHooks,
    private readonly responses: HookResponsesService,
    private readonly refusals: HookRefusalsService,
    private readonly runs: AutomatedRunsService,
    private readonly causes: Causes,
    private readonly tracing: Tracing,
  ) {}

  /**
   * @param key by what the request is known again; null: its sender gives its requests no names
   * @throws Conflict where a chain of runs would go on for too long; NotFound, Unavailable
   */
  async start(
    hook: OpenHook,
    data: RequestData,
    receipt: NewReceipt,
    key: Buffer | null,
  ): Promise<HookResponse> {
    const chained = await this.chained(hook, receipt);
    const { inputs, problem } = new Rendering(hook.inputs, data, REQUEST_PLACEHOLDERS).make();
    let { versionId } = hook;
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const order: AutomatedRunOrder = {
        ...hook,
        ...chained,
        id: newId('run'),
        inputs,
        problem,
        traceparent: this.tracing.traceparent,
        ...(problem === null && { fitted: await this.runs.fit({ ...hook, inputs }, versionId) }),
      };
      const response = await this.responses.accept(hook, { receipt, key, order });
      if (response !== 'changed') return response;
      versionId = await this.hooks.versionOf(hook);
    }
    throw new Unavailable('The script is being published just now. Send it again shortly.', 2);
  }

  /** A script may send to a hook of its own workspace: the gate says whose run it is, so that none goes on for ever. */
  private async chained(hook: OpenHook, receipt: NewReceipt): Promise<Chained> {
    const causedByRunId = this.causes.runIn(hook.workspaceId);
    const cause = causedByRunId === null ? null : await this.runs.causingRun(hook.workspaceId, causedByRunId);
    if (!cause) return { byAgent: hook.byAgent, origin: HOOK.origin(hook.id) };
    const hops = cause.hops + 1;
    if (hops > MOST_HOPS) {
      await this.refusals.keep(hook, { ...receipt, verdict: 'refused', reason: TOO_LONG });
      throw new Conflict(TOO_LONG);
    }
    const origin = { ...HOOK.origin(hook.id), causedByRunId, hops, chainEventId: cause.chainEventId };
    return {
      byAgent: hook.byAgent || cause.byAgent,
      origin,
    };
  }
}
