import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

import { RequestBodies } from '../http/request-bodies.js';
import type { GatehouseRequest, GatehouseResponse } from '../http/request.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { RequestLimits } from '../rate-limit/request-limits.js';

/**
 * What a request passes once the guards have let it in. A body is read only after the rate limit, and a request is
 * fingerprinted only once its body is there. One interceptor for all: each costs as much around it as what these do.
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly limits: RequestLimits,
    private readonly bodies: RequestBodies,
    private readonly idempotent: IdempotentRequests,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    await this.limits.count(http.getRequest<GatehouseRequest>(), http.getResponse<GatehouseResponse>());
    await this.bodies.accept(context);
    return this.idempotent.carryOut(context, next);
  }
}
