import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Observable, tap } from 'rxjs';

import type { GatehouseResponse } from '../../core/http/index.js';
import { ScimProblemFilter } from './scim-problem.filter.js';
import { ScimGuard } from './scim.guard.js';

/** Responses are of the protocol's own media type. */
@Injectable()
class ScimMediaTypeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<GatehouseResponse>();
    return next.handle().pipe(
      tap((body) => {
        if (body !== undefined) response.setHeader('content-type', 'application/scim+json');
      }),
    );
  }
}

/** A controller of the protocol, which describes itself: it is no part of our document. */
export function ScimController(path: string): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller(`scim/v2/${path}`),
    UseGuards(ScimGuard),
    UseFilters(ScimProblemFilter),
    UseInterceptors(ScimMediaTypeInterceptor),
  );
}
