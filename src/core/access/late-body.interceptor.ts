import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Observable, from, mergeMap } from 'rxjs';

import { STREAMED_BODY } from '../http/index.js';
import type { AccessRequest } from './access-request.js';
import { LateBodyCheck } from './late-body-check.js';

/** Judges callers once more whose body came late. A route that reads its body itself asks `LateBodyCheck` itself. */
@Injectable()
export class LateBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly lateBodyCheck: LateBodyCheck,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const streamed = this.reflector.get<boolean | undefined>(STREAMED_BODY, context.getHandler());
    if (!request.bodyIsDue || streamed) return next.handle();
    return from(this.lateBodyCheck.afterBody(request)).pipe(mergeMap(() => next.handle()));
  }
}
