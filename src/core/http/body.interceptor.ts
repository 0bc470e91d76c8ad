import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { type Observable, from, mergeMap } from 'rxjs';

import { InvalidRequest, ProblemError } from '../errors/index.js';
import { isLarge, parseJson, readBody } from './json-body.js';
import { LargeBodyParser } from './large-body-parser.js';
import type { GatehouseRequest } from './request.js';
import { BODY_LIMIT, DEFAULT_BODY_LIMIT, FOREIGN_REQUEST, STREAMED_BODY } from './route-options.js';

/** Nest's own numbers for a route's parameters. */
const BODY_PARAMETER = 3;
const QUERY_PARAMETER = 4;

interface RouteShape {
  takesBody: boolean;
  takesQuery: boolean;
  limit: number;
  streamed: boolean;
  foreign: boolean;
}

/** Reads and checks body and query after the guards: no byte of a stranger's body is parsed. */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly shapes = new WeakMap<object, RouteShape>();

  constructor(
    private readonly reflector: Reflector,
    private readonly large: LargeBodyParser,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    const shape = this.shapeOf(context);
    if (shape.foreign) return next.handle();
    const [unexpected] = Object.keys(request.query);
    if (unexpected !== undefined && !shape.takesQuery)
      throw InvalidRequest.at(unexpected, 'is not a query parameter of this request');
    if (request.method === 'GET' || request.method === 'HEAD') return next.handle();
    checkCoding(request);
    if (shape.streamed) return next.handle();
    return from(this.read(request, shape)).pipe(mergeMap(() => next.handle()));
  }

  private async read(request: GatehouseRequest, shape: RouteShape): Promise<void> {
    const body = await readBody(request, shape.limit);
    request.rawBody = body;
    if (body.length === 0) {
      if (shape.takesBody) request.body = {};
      return;
    }
    checkMediaType(request.headers['content-type']);
    const value = isLarge(body) ? await this.large.read(body, request.owner ?? request.ip) : parseJson(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidRequest('The body must be a JSON object.');
    }
    const [unexpected] = Object.keys(value);
    if (!shape.takesBody && unexpected !== undefined) {
      throw InvalidRequest.at(unexpected, 'is not a field of this request, which takes no body');
    }
    request.body = value;
  }

  private shapeOf(context: ExecutionContext): RouteShape {
    const handler = context.getHandler();
    let shape = this.shapes.get(handler);
    if (!shape) {
      const parameters = Object.keys(
        (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as object | undefined) ??
          {},
      );
      shape = {
        takesBody: parameters.some((key) => key.startsWith(`${BODY_PARAMETER}:`)),
        takesQuery: parameters.some((key) => key.startsWith(`${QUERY_PARAMETER}:`)),
        limit: this.reflector.get<number | undefined>(BODY_LIMIT, handler) ?? DEFAULT_BODY_LIMIT,
        streamed: this.reflector.get<boolean | undefined>(STREAMED_BODY, handler) ?? false,
        foreign: this.reflector.get<boolean | undefined>(FOREIGN_REQUEST, handler) ?? false,
      };
      this.shapes.set(handler, shape);
    }
    return shape;
  }
}

/** A small compressed body may unpack to anything, so none is taken. */
function checkCoding({ headers }: GatehouseRequest): void {
  const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (empty || headers['content-encoding'] === undefined) return;
  throw new ProblemError(
    'unsupported_media_type',
    'Send the body as it is, without a `Content-Encoding`: compressed bodies are not taken.',
  );
}

function checkMediaType(header: string | undefined): void {
  if (header !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(header)) return;
  throw new ProblemError(
    'unsupported_media_type',
    `Send the body as JSON with \`Content-Type: application/json\`${header ? `, not ${header.split(';')[0]}` : ''}.`,
  );
}
