import type { DynamicModule, Type } from '@nestjs/common';

import type { ExtensionOptions } from './extension.decorator.js';

/** An extension whose module is at hand, and is sound as far as that can be told before it is built. */
export interface LoadedExtension {
  name: string;
  /** null where neither its module nor a package of its says one. */
  version: string | null;
  /** As `GATEHOUSE_EXTENSIONS` names it. */
  reference: string;
  module: Type | DynamicModule;
  scopes: NonNullable<ExtensionOptions['scopes']>;
  migrations: NonNullable<ExtensionOptions['migrations']>;
  /** The classes of its module and of those that it imports. */
  modules: ReadonlySet<unknown>;
  /** The classes that these give to `TypeOrmModule.forFeature`. */
  entities: ReadonlySet<Type>;
}

/** What its events, actions and tables begin with: the name with `_` for `-`. */
export function wordOf(name: string): string {
  return name.replaceAll('-', '_');
}
