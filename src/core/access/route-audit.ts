import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

import { ACCESS_RULE } from './access.decorator.js';

/** Stops the start when a route does not say who may use it: a forgotten declaration must not be an open door. */
@Injectable()
export class RouteAudit implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]!))
        .filter((name) => this.reflector.get(ACCESS_RULE, prototype[name]!) === undefined)
        .map((name) => `${metatype?.name}.${name}`);
    });
    if (open.length > 0) {
      throw new Error(
        `These routes do not declare who may use them; add @Access to each: ${open.join(', ')}`,
      );
    }
  }
}
