import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { DiskRoom } from '../../core/disk/index.js';
import { NotFound, ProblemError } from '../../core/errors/index.js';
import { type GatehouseRequest, type GatehouseResponse, readBody } from '../../core/http/index.js';
import type { OpenHook } from '../hooks.repository.js';
import type { Received } from '../verify/received.js';
import { HookLimits } from './hook-limits.js';
import { HookMetrics } from './hook-metrics.js';
import { OpenHooks } from './open-hooks.js';
import { receivedOf } from './request-of.js';

/** Lets requests of strangers in: to a hook that there is, as often and as large as its limits say. */
@Injectable()
export class HookAdmissionService {
  constructor(
    private readonly hooks: OpenHooks,
    private readonly limits: HookLimits,
    private readonly metrics: HookMetrics,
    private readonly disk: DiskRoom,
    private readonly settings: Settings,
  ) {}

  /** @throws NotFound, RateLimited, Unavailable, unsupported media type */
  async admit(request: GatehouseRequest, response: GatehouseResponse, address: string): Promise<OpenHook> {
    const hook = await this.hooks.find(address);
    if (!hook) {
      this.metrics.count('unknown');
      await this.limits.takeUnknown(request, response);
      throw new NotFound('hook');
    }
    await this.limits.take(hook);
    if (request.headers['content-encoding'] !== undefined) {
      throw new ProblemError(
        'unsupported_media_type',
        'Send the body as it is, without a `Content-Encoding`: compressed bodies are not taken.',
      );
    }
    this.disk.assertEnough();
    return hook;
  }

  /** @throws payload too large */
  async read(request: GatehouseRequest): Promise<Received> {
    return receivedOf(request, await readBody(request, this.settings.hookBytes));
  }
}
