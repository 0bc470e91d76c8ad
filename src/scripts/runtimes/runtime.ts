import { DiscoveryService } from '@nestjs/core';

/** The folder of a version that was uploaded without a command. */
export interface ScriptFolder {
  /** The paths of its files, relative to it and with `/` between folders, such as `lib/words.pl`. */
  readonly files: readonly string[];
  /**
   * The text of a file, or null where there is none. Each call goes through the archive anew, so read few.
   *
   * @throws Error where the file is larger than 1 MiB, which refuses the version
   */
  read(path: string): Promise<string | null>;
}

/** What a class marked with `@Runtime(name)` looks like. */
export interface RuntimeProvider {
  /**
   * The program that runs its scripts, such as `perl`, without a path. It has to be on the machines of workers where boxes see it:
   * below `/usr`, with all that it needs. A worker that does not find it does not start.
   */
  readonly program: string;

  /** What `detect` looks for, such as `main.pl`. Whoever uploads a folder in which nobody finds anything reads it. */
  readonly looksFor: string;

  /**
   * The command of a folder: the program, then its arguments, up to 2,000 characters. It is quoted as every command is, and may name
   * inputs, as in `perl main.pl {city}`. null: it is no folder for this runtime.
   *
   * It is asked only where Gatehouse itself finds no command, and runtimes before it, in the order of their extensions, found none. It
   * has 5 seconds.
   *
   * @throws InvalidRequest, or another of Gatehouse's errors, which is the response to the upload. Any other error is a 503, and
   * the log has its class and place
   */
  detect(folder: ScriptFolder, call: { signal: AbortSignal }): Promise<string | null> | string | null;
}

/**
 * Marks a provider as one that knows how folders of its kind are run, by its name: that of the extension, or that and a dot and
 * more. Found when the application starts; two of one name stop it. Nothing of the box changes for it: no path of the host is
 * added, and limits and the gate stay as they are.
 *
 * @example
 * ```ts
 * \@Runtime('perl_scripts')
 * export class PerlScripts implements RuntimeProvider {
 *   readonly program = 'perl';
 *   readonly looksFor = 'main.pl';
 *
 *   detect({ files }: ScriptFolder): string | null {
 *     return files.includes('main.pl') ? 'perl main.pl' : null;
 *   }
 * }
 * ```
 */
export const Runtime = DiscoveryService.createDecorator<string>();
