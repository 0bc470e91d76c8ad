import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';

import { ExtensionProblem, type LoadedExtension } from '../extensions/index.js';
import { type Route, Routes, uncheckedInput } from '../http/index.js';
import { type AccessRule, REACHES } from './access-rule.js';
import { ACCESS_RULE } from './access.decorator.js';
import { ROLES } from './roles.js';
import { RouteOwners } from './route-owners.js';
import { SCOPES } from './scopes.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Holds the routes of extensions to what ours keep to by themselves: an access rule that makes sense, and an address
 * below the extension's name, where everything is counted, repeatable and described.
 */
@Injectable()
export class ExtensionRoutes implements OnModuleInit {
  constructor(
    private readonly owners: RouteOwners,
    private readonly routes: Routes,
  ) {}

  onModuleInit(): void {
    const owners = this.owners.all();
    if (owners.size === 0) return;
    for (const [controller, owner] of owners) assertOnePath(controller, owner);
    const routes = this.routes.all();
    const ours = routes.filter(({ controller }) => !owners.has(controller));
    for (const route of routes) {
      const owner = owners.get(route.controller);
      const problem = owner && problemOf(route, owner, ours);
      if (problem) {
        throw new ExtensionProblem(owner.reference, `${route.controller.name}.${route.name} ${problem}.`);
      }
    }
  }
}

function problemOf(
  { controller, handler, name: handlerName, method, path }: Route,
  { name }: LoadedExtension,
  ours: readonly Route[],
): string | null {
  const rule = Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined;
  if (rule === undefined) return 'does not declare who may use it; add @Access';
  if (!METHODS.includes(method)) return `takes ${method}; it has to be one of ${METHODS.join(', ')}`;
  const base = `/v1/${name}`;
  if (path !== base && !path.startsWith(`${base}/`)) {
    return `has the path ${path}; an extension's routes are ${base} and below`;
  }
  const taken = ours.find((route) => route.path === base || route.path.startsWith(`${base}/`));
  if (taken)
    return `has the path ${path}, and ${taken.path} is Gatehouse's own; give the extension another name`;
  const namesake = ours.find((route) => route.controller.name === controller.name);
  if (namesake) return 'has a controller that is called as one of ours; give it another name';
  const unchecked = uncheckedInput(controller, handlerName);
  if (unchecked !== null) {
    return `has a ${unchecked} of which nothing would be checked; give it a class whose fields have class-validator's decorators, imported without \`type\`, or a pipe`;
  }
  return ruleProblem(rule);
}

function ruleProblem(rule: AccessRule): string | null {
  if (rule === 'public') return null;
  if (typeof rule !== 'object' || rule === null) return 'may be for a workspace or public';
  const { role, scope } = rule;
  const reach = (rule as Partial<typeof rule>).reach ?? 'all';
  if (!ROLES.includes(role)) return `asks for the role ${JSON.stringify(role)}, which there is not`;
  if (scope !== undefined && !SCOPES.includes(scope)) {
    return `asks for the scope ${JSON.stringify(scope)}, which there is not; @Extension({ scopes }) declares it`;
  }
  if (!REACHES.includes(reach)) return `reaches ${JSON.stringify(reach)}, which there is not`;
  return null;
}

function assertOnePath(controller: Type, { reference }: LoadedExtension): void {
  if (typeof Reflect.getMetadata(PATH_METADATA, controller) === 'string') return;
  throw new ExtensionProblem(reference, `${controller.name} needs one path: @Controller('v1/…').`);
}
