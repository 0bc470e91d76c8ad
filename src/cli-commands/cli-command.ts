import { DiscoveryService } from '@nestjs/core';

/** What is typed behind a command, as an argument or an option. */
export interface CliParameter {
  /**
   * The parameter of the path or the query, or the field of the body, that it fills: `openedAfter`. As an option it is
   * `--opened-after`.
   */
  name: string;
  description: string;
  /** `string` by default. A `boolean` is an option that is given or not. */
  type?: 'string' | 'integer' | 'number' | 'boolean';
  choices?: readonly string[];
  /** By default, an argument is required and an option is not. */
  required?: boolean;
}

/** A command of the command line, as data: it carries out no code of the extension. */
export interface CliCommandDefinition {
  /** Words in lower case with `-` between; it is called as `gatehouse <name of the extension> <name>`. */
  name: string;
  /** What it does, in a few words, as `--help` lists it: `list the tickets, newest first`. */
  summary: string;
  /** One of the extension's own routes, such as `GET /v1/tickets/{id}`. Each of its parameters is an argument or a required option. */
  route: string;
  /** In their order. What is not in the path is in the query of `GET` and `DELETE`, and in the body otherwise. */
  arguments?: readonly CliParameter[];
  options?: readonly CliParameter[];
  /** What every request has besides, where an argument or option would be: `{ state: 'closed' }` makes a `close` of a `PATCH`. */
  fields?: Readonly<Record<string, string | number | boolean>>;
  /** Fields of the response (`id`, `owner.name`) that a person sees: a table of a list, lines of a single thing. Without: JSON. */
  columns?: readonly string[];
  /** The route gives a `Page`: the command has `--limit`, and reads as many pages as that takes. */
  list?: true;
}

/** What a class marked with `@DefinesCliCommands()` looks like. */
export interface CliCommandSource {
  readonly cliCommands: readonly CliCommandDefinition[];
}

/**
 * An extension point: marks a provider whose `cliCommands` join the command line of whoever may use their routes. The service
 * checks them when it starts, and the command line asks for them: nothing of an extension is installed beside it. A command
 * that is there already under that name stays what it is.
 *
 * @example
 * ```ts
 * \@DefinesCliCommands()
 * export class TicketCommands implements CliCommandSource {
 *   readonly cliCommands: CliCommandDefinition[] = [
 *     { name: 'list', summary: 'list the tickets', route: 'GET /v1/tickets', columns: ['id', 'title'], list: true },
 *   ];
 * }
 * ```
 */
export const DefinesCliCommands = DiscoveryService.createDecorator();
