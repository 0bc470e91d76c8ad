import { DiscoveryService } from '@nestjs/core';

/** A field of a form, as JSON Schema says it. */
export interface SettingsField {
  type: 'string' | 'integer' | 'number' | 'boolean';
  /** Its label; the name of the field by default. */
  title?: string;
  /** Stands below the label. */
  description?: string;
  /** What can be chosen. */
  enum?: readonly (string | number)[];
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  /** A regular expression that a text has to match somewhere. */
  pattern?: string;
  format?: 'email' | 'uri' | 'textarea';
  /**
   * A secret: `GET` leaves it out, and what is typed is hidden. Left empty, it is not in what `PUT` gets, which then keeps
   * what it has. It cannot be required.
   */
  writeOnly?: true;
}

/** The fields of a form, in their order: a small part of JSON Schema. */
export interface SettingsSchema {
  type: 'object';
  properties: Readonly<Record<string, SettingsField>>;
  required?: readonly string[];
}

/** What a class marked with `@SettingsPage(name)` looks like whose page is a form. The console draws it. */
export interface SettingsFormProvider {
  /** What the navigation and the page call it; one line of up to 40 characters. */
  readonly title: string;
  /** What it is for; a sentence or two. */
  readonly description?: string;
  /**
   * A path of the extension's own: `GET` gives the values as an object, `PUT` takes all of them. Both have their rules of
   * access, and say with 400 and the path of a field what is wrong with it.
   */
  readonly path: string;
  readonly schema: SettingsSchema;
}

/**
 * What a class marked with `@SettingsPage(name)` looks like whose page is HTML of its own. It is shown in a frame without an
 * origin: without the console's cookies, storage and document, and without any network. It reaches `routes` by
 * `gatehouse.request`, and nothing else.
 */
export interface EmbeddedPageProvider {
  /** What the navigation and the page call it; one line of up to 40 characters. */
  readonly title: string;
  readonly description?: string;
  /** The extension's own routes that the page uses, such as `DELETE /v1/tickets/{id}`. */
  readonly routes: readonly string[];
  /**
   * What stands in the page's body, with its `<style>` and `<script>`; up to 1 MiB. The same for everybody who is signed in,
   * so there is nothing in it that not everybody may read. Its scripts have
   * `gatehouse.request(method, path, body?): Promise<{ status: number; body: unknown }>`, which sends a request as the person who
   * looks at the page, in their workspace and environment.
   */
  readonly html: string;
}

/**
 * An extension point: marks a provider as a page in the settings of the console, by its name: that of the extension, or that
 * and a dot and more. It is offered to whoever may use all of its routes. Found when the application starts; two of one
 * name, or a route that there is not, stop it.
 *
 * @example
 * ```ts
 * \@SettingsPage('tickets')
 * export class TicketSettings implements SettingsFormProvider {
 *   readonly title = 'Tickets';
 *   readonly path = '/v1/tickets/settings';
 *   readonly schema: SettingsSchema = {
 *     type: 'object',
 *     properties: { overdueAfterDays: { type: 'integer', title: 'Overdue after (days)', minimum: 1 } },
 *     required: ['overdueAfterDays'],
 *   };
 * }
 * ```
 */
export const SettingsPage = DiscoveryService.createDecorator<string>();
