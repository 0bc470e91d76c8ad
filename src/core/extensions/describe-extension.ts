import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { ExtensionProblem } from './extension-problem.js';
import { type ExtensionOptions, extensionOptionsOf } from './extension.decorator.js';
import { type LoadedExtension, wordOf } from './loaded-extension.js';

const NAME = /^[a-z]+(-[a-z]+)*$/;
const LONGEST_NAME = 30;
const VERSION = /^[\x21-\x7e]{1,50}$/;
const MODULE_KEYS = ['imports', 'controllers', 'providers', 'exports'];
/** Providers under these tokens stand in the way of every request, not only of the extension's own. */
const GLOBAL_TOKENS: readonly unknown[] = [APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE];

interface Found {
  modules: Set<unknown>;
  entities: Set<Type>;
  reference: string;
}

type Imported = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

/**
 * What an extension's module says of itself, checked.
 *
 * @param found what is to be said where it does not say so itself
 * @throws ExtensionProblem
 */
export async function describeExtension(
  module: Type | DynamicModule,
  found: Pick<LoadedExtension, 'reference' | 'version'> & { name: string },
): Promise<LoadedExtension> {
  const { reference } = found;
  const type = 'module' in module ? module.module : module;
  const options = extensionOptionsOf(type);
  const name = options.name ?? found.name;
  const { scopes = [], migrations = [] } = options;
  const modules = new Set<unknown>();
  const entities = new Set<Type>();
  await collect(module, { modules, entities, reference });
  const version = (type as { version?: unknown }).version ?? found.version;
  const problem =
    problemOf(type, module) ?? nameProblem(name) ?? versionProblem(version) ?? optionsProblem(name, options);
  if (problem !== null) throw new ExtensionProblem(reference, problem);
  return {
    name,
    version: version as string | null,
    reference,
    module,
    scopes,
    migrations,
    modules,
    entities,
  };
}

function problemOf(type: Type, module: Type | DynamicModule): string | null {
  const isModule = MODULE_KEYS.some((key) => Reflect.hasMetadata(key, type));
  if (type !== module || isModule) return null;
  return `${type.name || 'its class'} is not marked with @Module, or has nothing in it.`;
}

function nameProblem(name: string): string | null {
  if (NAME.test(name) && name.length <= LONGEST_NAME) return null;
  return `it is called "${name}". A name has up to ${LONGEST_NAME} letters from a to z, with - between words; @Extension({ name }) gives one.`;
}

function versionProblem(version: unknown): string | null {
  if (version === null || (typeof version === 'string' && VERSION.test(version))) return null;
  return 'its static `version` is no text of up to 50 characters without blanks.';
}

function optionsProblem(name: string, { scopes, migrations }: ExtensionOptions): string | null {
  if (scopes !== undefined && !isList(scopes)) return '`scopes` of @Extension is no list.';
  if (migrations !== undefined && !isList(migrations)) return '`migrations` of @Extension is no list.';
  const own = new RegExp(`^${wordOf(name)}(\\.[a-z_]+)*$`);
  const foreign = scopes?.find((scope) => !own.test(scope));
  if (foreign !== undefined) {
    return `the family of scopes "${foreign}" has to be "${wordOf(name)}" or begin with "${wordOf(name)}.".`;
  }
  const unsound = migrations?.find((migration) => typeof migration?.prototype?.up !== 'function');
  if (unsound !== undefined) return 'a migration of @Extension is no class with `up` and `down`.';
  const names = (migrations ?? []).map((migration) => migration.name);
  const twice = names.find((migration, index) => names.indexOf(migration) !== index);
  return twice === undefined ? null : `two migrations are called ${twice}.`;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** The module and all that it imports, each checked for what would reach beyond its own routes. */
async function collect(imported: Imported, found: Found): Promise<void> {
  const given = await imported;
  const module = 'forwardRef' in given ? (given.forwardRef() as Type | DynamicModule) : given;
  const type = 'module' in module ? module.module : module;
  const providers = [...listed(type, 'providers'), ...('module' in module ? (module.providers ?? []) : [])];
  assertKeepsToItself(type, providers, found.reference);
  for (const entity of entitiesOf(providers)) found.entities.add(entity);
  const dynamic = 'module' in module ? (module.imports ?? []) : [];
  const declared = found.modules.has(type) ? [] : listed(type, 'imports');
  found.modules.add(type);
  for (const further of [...declared, ...dynamic]) await collect(further as Imported, found);
}

/** Of what `TypeOrmModule.forFeature` provides. */
function entitiesOf(providers: readonly unknown[]): Type[] {
  return providers.flatMap((provider) => {
    const { targetEntitySchema } = provider as { targetEntitySchema?: { target?: unknown } };
    return typeof targetEntitySchema?.target === 'function' ? [targetEntitySchema.target as Type] : [];
  });
}

function assertKeepsToItself(type: Type, providers: readonly unknown[], reference: string): void {
  const global = providers.find((provider) =>
    GLOBAL_TOKENS.includes((provider as { provide?: unknown }).provide),
  );
  if (global !== undefined) {
    const token = String((global as { provide: unknown }).provide);
    throw new ExtensionProblem(
      reference,
      `${type.name} provides ${token}, which would stand in the way of every route; use the decorators of a controller.`,
    );
  }
  if (typeof (type.prototype as { configure?: unknown }).configure === 'function') {
    throw new ExtensionProblem(
      reference,
      `${type.name} configures middleware, which comes before the access rules; a route has to do without.`,
    );
  }
}

function listed(type: Type, key: string): unknown[] {
  return (Reflect.getMetadata(key, type) as unknown[] | undefined) ?? [];
}
