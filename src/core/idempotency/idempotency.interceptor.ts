import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Observable, from, lastValueFrom } from 'rxjs';

import { type AccessRequest, SessionCookie } from '../access/index.js';
import { Database } from '../database/index.js';
import { type GatehouseResponse, IDEMPOTENCY, LINK_TOKEN, STREAMED_BODY } from '../http/index.js';
import { IdempotencyService } from './idempotency.service.js';
import type { HeldKey } from './idempotency.repository.js';
import { linkHolder } from './link-holder.js';

/** Carries a request with an `Idempotency-Key` out once, and gives a retry the first request's response. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    private readonly reflector: Reflector,
    private readonly cookie: SessionCookie,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AccessRequest>();
    if (request.method === 'GET' || request.method === 'HEAD') return next.handle();
    const key = this.idempotency.readKey(request);
    if (this.reflector.get<boolean | undefined>(STREAMED_BODY, context.getHandler())) return next.handle();
    const place = this.reflector.get<'path' | 'body' | undefined>(LINK_TOKEN, context.getHandler());
    const credentialId =
      request.caller?.credentialId ?? linkHolder(request, place, this.cookie.read(request));
    if (key === null || credentialId === null) return next.handle();
    return from(this.idempotency.holding({ credentialId, key }, (held) => this.once(held, context, next)));
  }

  private async once(key: HeldKey, context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const response = context.switchToHttp().getResponse<GatehouseResponse>();
    const fingerprint = this.idempotency.fingerprint(request, request.rawBody ?? '');
    const earlier = await this.idempotency.begin(key, fingerprint, request.workspaceCaller);
    if (earlier) {
      response.status(earlier.status).setHeader('idempotent-replayed', 'true');
      return earlier.body;
    }
    const work = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    try {
      if (this.reflector.get<string | undefined>(IDEMPOTENCY, context.getHandler()) === 'resource') {
        return await this.withResource(key, work, response);
      }
      return await this.database.transaction(async () => {
        const value = await work();
        await this.idempotency.succeed(key, response.statusCode, value);
        return value;
      });
    } catch (error) {
      await this.forget(key, error);
      throw error;
    }
  }

  /** The resource is committed before its response is known: a response that cannot be stored is made anew for a retry. */
  private async withResource(
    key: HeldKey,
    work: () => Promise<unknown>,
    response: GatehouseResponse,
  ): Promise<unknown> {
    const { value, completed } = await this.idempotency.during(key, work);
    if (completed) return value;
    await this.idempotency
      .succeed(key, response.statusCode, value)
      .catch((error: unknown) => this.logger.warn(`A response could not be stored: ${String(error)}`));
    return value;
  }

  private async forget(key: HeldKey, error: unknown): Promise<void> {
    await this.idempotency
      .fail(key, error)
      .catch((reason: unknown) => this.logger.warn(`A key could not be released: ${String(reason)}`));
  }
}
