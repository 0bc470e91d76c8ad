import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

import { ACCESS_RULE } from '../access/access.decorator.js';
import type { AccessRule } from '../access/access-rule.js';
import { LINK_TOKEN } from '../http/route-options.js';
import type { Method } from './document.js';
import { words } from './words.js';

/** A route as its controller declares it: what the OpenAPI document cannot tell by itself. */
export interface ApiRoute {
  method: Method;
  /** As in the document: `/v1/runs/{id}`. */
  path: string;
  /** `<controller>.<handler>`, such as `runs.get`. */
  operationId: string;
  /** The module's name in words. */
  tag: string;
  rule: AccessRule;
  /** Whether an `Idempotency-Key` counts for whoever holds the route's link. */
  byLink: boolean;
  /** The DTO classes of body and query. */
  requestTypes: Type[];
}

interface RouteArgument {
  index: number;
}

/** Every route of every module, straight from the decorators. */
@Injectable()
export class ApiRoutes {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): ApiRoute[] {
    return [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].flatMap(({ metatype }) =>
        this.routesOf(metatype as Type, words(module.name.replace(/Module$/, ''))),
      ),
    );
  }

  private routesOf(controller: Type, tag: string): ApiRoute[] {
    const prototype = controller.prototype as Record<string, object>;
    const name = controller.name.replace(/Controller$/, '');
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((handler) => Reflect.hasMetadata(PATH_METADATA, prototype[handler]!))
      .map((handler) => ({
        method: methodOf(prototype[handler]!),
        path: pathOf(controller, prototype[handler]!),
        operationId: `${name.charAt(0).toLowerCase()}${name.slice(1)}.${handler}`,
        tag,
        rule: Reflect.getMetadata(ACCESS_RULE, prototype[handler]!) as AccessRule,
        byLink: Reflect.hasMetadata(LINK_TOKEN, prototype[handler]!),
        requestTypes: requestTypesOf(controller, handler),
      }));
  }
}

export function isRepeatable({ method, path, rule, byLink }: ApiRoute): boolean {
  return method !== 'get' && (rule !== 'public' || byLink) && path.startsWith('/v1/');
}

function methodOf(handler: object): Method {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  return RequestMethod[method].toLowerCase() as Method;
}

function pathOf(controller: object, handler: object): string {
  const parts = [controller, handler].flatMap((target) =>
    (Reflect.getMetadata(PATH_METADATA, target) as string).split('/').filter((part) => part !== ''),
  );
  return `/${parts.map((part) => part.replace(/:(\w+)/g, '{$1}')).join('/')}`;
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
