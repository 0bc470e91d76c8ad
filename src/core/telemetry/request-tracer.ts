import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction } from 'express';

import type { AccessRequest } from '../access/index.js';
import { type GatehouseResponse, routeOf, singleHeader } from '../http/index.js';
import { type Span, type SpanFacts, Tracing } from '../tracing/index.js';

/**
 * A span for each request, within which it is handled. It says the route's template, never the address. A client's
 * `traceparent` is gone on with; what it says of sampling does not count.
 */
@Injectable()
export class RequestTracer implements NestMiddleware {
  constructor(private readonly tracing: Tracing) {}

  use(request: AccessRequest, response: GatehouseResponse, next: NextFunction): void {
    const { method } = request;
    const parent = singleHeader(request, 'traceparent');
    const span = this.tracing.begin(method, { kind: 'server', parent, fromClient: true });
    if (span) {
      request.span = span;
      response.once('close', () => end(span, request, response));
    }
    this.tracing.within(span, next);
  }
}

function end(span: Span, request: AccessRequest, response: GatehouseResponse): void {
  const route = routeOf(request) ?? 'unknown';
  const { statusCode } = response;
  const workspaceId = request.workspaceCaller?.workspace.id;
  const facts: SpanFacts = {
    'http.request.method': request.method,
    'http.route': route,
    'http.response.status_code': statusCode,
    'gatehouse.request.id': request.id,
    ...(workspaceId !== undefined && { 'gatehouse.workspace.id': workspaceId }),
  };
  span.rename(`${request.method} ${route}`);
  span.set(facts);
  span.end({ failed: statusCode >= 500 });
}
