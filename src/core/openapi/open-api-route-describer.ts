import { Injectable, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { ACCESS_RULE, type AccessRule } from '../access/index.js';
import { LINK_TOKEN, Routes } from '../http/index.js';
import type { Method } from './document.js';
import { words } from './words.js';

/** What a controller declares of a route and the generated OpenAPI document lacks. */
export interface ApiRoute {
  method: Method;
  /** As in the document: `/v1/runs/{id}`. */
  path: string;
  /** `<controller>.<handler>`, such as `runs.get`. */
  operationId: string;
  /** The module's name in words. */
  tag: string;
  rule: AccessRule;
  /** Whether an `Idempotency-Key` counts for the holder of the route's link. */
  byLink: boolean;
  /** The DTO classes of body and query. */
  requestTypes: Type[];
}

interface RouteArgument {
  index: number;
}

/** What the OpenAPI document says of each route. */
@Injectable()
export class OpenApiRouteDescriber {
  constructor(private readonly routes: Routes) {}

  all(): ApiRoute[] {
    return this.routes.all().map(({ method, path, module, controller, name, handler }) => ({
      method: method.toLowerCase() as Method,
      path,
      operationId: operationId(controller, name),
      tag: words(module.replace(/Module$/, '')),
      rule: Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule,
      byLink: Reflect.hasMetadata(LINK_TOKEN, handler),
      requestTypes: requestTypesOf(controller, name),
    }));
  }
}

export function isRepeatable({ method, path, rule, byLink }: ApiRoute): boolean {
  return method !== 'get' && (rule !== 'public' || byLink) && path.startsWith('/v1/');
}

function operationId(controller: Type, handler: string): string {
  const name = controller.name.replace(/Controller$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}.${handler}`;
}

function requestTypesOf(controller: Type, handler: string): Type[] {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    RouteArgument
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ??
    []) as Type[];
  return Object.entries(declared)
    .filter(([key]) => [RouteParamtypes.BODY, RouteParamtypes.QUERY].includes(Number(key.split(':')[0])))
    .flatMap(([, { index }]) => types[index] ?? []);
}
