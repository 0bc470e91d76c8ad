import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** A route as its controller declares it. */
export interface Route {
  /** In capitals. */
  method: string;
  /** With its parameters in braces: `/v1/runs/{id}`. */
  path: string;
  module: string;
  controller: Type;
  /** The name of the controller's method, and the method. */
  name: string;
  handler: object;
}

/** Every route of every module, straight from the decorators: for the OpenAPI document, 405 and `RouteAccessCheck`. */
@Injectable()
export class Routes {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): Route[] {
    return [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].flatMap(({ metatype }) =>
        this.routesOf(metatype as Type, module.name),
      ),
    );
  }

  private routesOf(controller: Type, module: string): Route[] {
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .map((name) => ({ name, handler: prototype[name]! }))
      .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler))
      .map(({ name, handler }) => ({
        method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
        path: pathOf(controller, handler),
        module,
        controller,
        name,
        handler,
      }));
  }
}

function pathOf(controller: object, handler: object): string {
  const parts = [controller, handler].flatMap((target) =>
    (Reflect.getMetadata(PATH_METADATA, target) as string).split('/').filter((part) => part !== ''),
  );
  return `/${parts.map((part) => part.replace(/:(\w+)/g, '{$1}')).join('/')}`;
}
