import { Injectable, NotFoundException } from '@nestjs/common';

import { NotFound, ProblemError } from '../errors/problems.js';
import { type GatehouseRequest, routeOf } from './request.js';
import { Routes } from './routes.js';

interface KnownPath {
  pattern: RegExp;
  methods: string[];
}

/** Which paths there are: a known one with another method is a 405 that says so. */
@Injectable()
export class RouteTable {
  private paths: KnownPath[] | null = null;

  constructor(private readonly routes: Routes) {}

  /** Nest throws an exception of its own for unknown paths. */
  isUnknown(error: unknown, request: GatehouseRequest): boolean {
    return error instanceof NotFoundException && routeOf(request) === null;
  }

  /** What the client is told instead. */
  problemOf(request: GatehouseRequest): ProblemError {
    const path = request.originalUrl.split('?', 1)[0]!;
    this.paths ??= this.routes.all().map(({ path, method }) => ({
      pattern: patternOf(path),
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    }));
    const methods = this.paths.filter(({ pattern }) => pattern.test(path)).flatMap((known) => known.methods);
    if (methods.length === 0) return new NotFound(`route as ${request.method} ${path.slice(0, 200)}`);
    const allow = [...new Set(methods)].sort().join(', ');
    return new ProblemError('method_not_allowed', `This path takes ${allow}.`, undefined, { allow });
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/\{\w+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
