import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Routes } from '../http/index.js';
import { ACCESS_RULE } from './access.decorator.js';

/** Stops the start when a route does not declare who may use it: forgetting that must not leave it open. */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(private readonly routes: Routes) {}

  onModuleInit(): void {
    const open = this.routes
      .all()
      .filter(({ handler }) => !Reflect.hasMetadata(ACCESS_RULE, handler))
      .map(({ controller, name }) => `${controller.name}.${name}`);
    if (open.length > 0) {
      throw new Error(
        `These routes do not declare who may use them; add @Access to each: ${open.join(', ')}`,
      );
    }
  }
}
