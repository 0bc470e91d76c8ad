import type { CallHandler, ExecutionContext, NestInterceptor, StreamableFile } from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';

import { type ByteContent, byteResponse } from './byte-response.js';

/** Sends the `ByteContent` that a handler returns. */
export class ByteResponseInterceptor implements NestInterceptor<ByteContent> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<ByteContent>,
  ): Observable<StreamableFile | undefined> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(mergeMap((content) => byteResponse(http.getRequest(), http.getResponse(), content)));
  }
}
