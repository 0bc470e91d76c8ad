import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';

import type { FixedResponse } from './fixed-response.js';

/** Sends the `FixedResponse` that a handler returns. */
export class FixedResponseInterceptor implements NestInterceptor<FixedResponse> {
  intercept(context: ExecutionContext, next: CallHandler<FixedResponse>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    return next.handle().pipe(map((fixed) => fixed.send(http.getRequest(), http.getResponse())));
  }
}
