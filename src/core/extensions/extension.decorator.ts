import type { MigrationInterface } from 'typeorm';

const EXTENSION = 'gatehouse:extension';

/** What an extension says of itself that has to be known before the application is built. */
export interface ExtensionOptions {
  /**
   * Lower-case words with `-` between. Whatever the extension adds carries it: routes below `/v1/<name>`, events
   * `<name>.…`, tables `<name>_…`. By default what its package or file is called.
   */
  name?: string;
  /**
   * Families of scopes, each the name (with `_` for `-`) or `<name>.…`: `tickets` gives `tickets:read` and
   * `tickets:write`.
   */
  scopes?: readonly string[];
  /** Run in this order after those of Gatehouse itself, each in a transaction; their tables carry the extension's name. */
  migrations?: readonly (new () => MigrationInterface)[];
}

/**
 * Marks a Nest module as an extension, and says what must be known of it before the application is built.
 *
 * @example
 * ```ts
 * \@Extension({ name: 'tickets', scopes: ['tickets'], migrations: [MakeTickets1760000000000] })
 * \@Module({ controllers: [TicketsController], providers: [TicketsService] })
 * export default class TicketsExtension {
 *   static readonly version = '1.0.0';
 * }
 * ```
 */
export function Extension(options: ExtensionOptions): ClassDecorator {
  return (target) => Reflect.defineMetadata(EXTENSION, options, target);
}

/** What a module says of itself; nothing where it is not marked. */
export function extensionOptionsOf(module: object): ExtensionOptions {
  return (Reflect.getMetadata(EXTENSION, module) as ExtensionOptions | undefined) ?? {};
}
