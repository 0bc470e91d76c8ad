import { Injectable, NotFoundException } from '@nestjs/common';

import { NotFound, ProblemError } from '../errors/index.js';
import { type GatehouseRequest, routeOf } from './request.js';
import { Routes } from './routes.js';

interface KnownPath {
  /** As in the document: `/v1/schedules/{id}`. */
  path: string;
  pattern: RegExp;
  methods: string[];
}

/** Which paths there are: a known one with another method is a 405 that says so. */
@Injectable()
export class MethodNotAllowedCheck {
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
      path,
      pattern: patternOf(path),
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    }));
    const matching = this.paths.filter(({ pattern }) => pattern.test(path));
    if (matching.length === 0) return new NotFound(`route as ${request.method} ${path.slice(0, 200)}`);
    const allow = methodsOf(mostLiteral(matching)).join(', ');
    return new ProblemError('method_not_allowed', `This path takes ${allow}.`, undefined, { allow });
  }
}

/** `/v1/schedules/preview` is that path alone, though it also looks like `/v1/schedules/{id}`. */
function mostLiteral(matching: readonly KnownPath[]): KnownPath[] {
  const fewest = Math.min(...matching.map(({ path }) => placeholdersIn(path)));
  return matching.filter(({ path }) => placeholdersIn(path) === fewest);
}

function placeholdersIn(path: string): number {
  return path.split('{').length - 1;
}

function methodsOf(paths: readonly KnownPath[]): string[] {
  return [...new Set(paths.flatMap(({ methods }) => methods))].sort();
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/\{\w+\}/)
    .map(RegExp.escape)
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
