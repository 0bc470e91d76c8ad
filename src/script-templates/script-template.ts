import { DiscoveryService } from '@nestjs/core';

/** What a class marked with `@ScriptTemplate(name)` looks like: a script that somebody can begin with. */
export interface ScriptTemplateProvider {
  /** What it is called, and so is the script until it gets a name; one line of up to 40 characters. */
  readonly title: string;
  /** What it does; a sentence or two. */
  readonly description?: string;
  /** Text of each file by its path, such as `main.py`: 1 to 50 of them, of 256 KiB together. What ends in `.sh` can be executed. */
  readonly files: Readonly<Record<string, string>>;
  /** Omitted: it is worked out from the files. */
  readonly command?: string;
  /** JSON Schema of an object. Omitted: one text for each `{name}` of the command. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** The hosts that it reaches. None by default. */
  readonly hosts?: readonly string[];
}

/**
 * An extension point: marks a provider as a template of scripts, by its name: that of the extension, or that and a dot and
 * more. The console offers it where a new script begins, after its own. Found when the application starts; two of one name
 * stop it. What its files and settings say is checked when a version is made of them, as of any script.
 *
 * @example
 * ```ts
 * \@ScriptTemplate('acme.report')
 * export class ReportTemplate implements ScriptTemplateProvider {
 *   readonly title = 'Report';
 *   readonly description = 'Asks the warehouse, and returns a table.';
 *   readonly files = { 'main.py': 'print("hello")\n' };
 *   readonly hosts = ['warehouse.acme.example'];
 * }
 * ```
 */
export const ScriptTemplate = DiscoveryService.createDecorator<string>();
