import { Injectable } from '@nestjs/common';

import type { LoadedExtension } from '../extensions/index.js';
import { Routes } from '../http/index.js';
import { type AccessRule, refusalInWorkspace } from './access-rule.js';
import { ACCESS_RULE } from './access.decorator.js';
import type { WorkspaceCaller } from './caller.js';
import { RouteOwners } from './route-owners.js';

/** A route that a page or a command of an extension is made for. */
export interface DeclaredRoute {
  method: string;
  /** With its parameters in braces: `/v1/tickets/{id}`. */
  path: string;
  rule: AccessRule;
}

/** Finds the routes that pages and commands of extensions name: each may name those of its own extension only. */
@Injectable()
export class DeclaredRoutes {
  constructor(
    private readonly owners: RouteOwners,
    private readonly routes: Routes,
  ) {}

  /**
   * @param owner whose route it has to be; null for one of Gatehouse's own
   * @param text such as `GET /v1/tickets/{id}`, with the parameters as in the OpenAPI document
   */
  find(owner: LoadedExtension | null, text: unknown): DeclaredRoute | null {
    const owners = this.owners.all();
    const found = this.routes
      .all()
      .filter(({ controller }) => (owners.get(controller) ?? null) === owner)
      .find(({ method, path }) => `${method} ${path}` === text);
    if (!found) return null;
    const { method, path, handler } = found;
    return { method, path, rule: Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule };
  }
}

/** Whether the route would let the caller in, as `AccessGuard` decides it. */
export function letsIn({ rule }: DeclaredRoute, caller: WorkspaceCaller): boolean {
  if (rule === 'public') return true;
  return typeof rule === 'object' && refusalInWorkspace(rule, caller) === null;
}
