import { ConsoleLogger } from '@nestjs/common';

import { type LogFields, isOfFailedStart, isOfFramework, isOfSeveralServices, lineOf } from './log-fields.js';
import type { LineLevel, LogLevels } from './log-levels.js';

/** A line of text each, for people. */
export class TextLogger extends ConsoleLogger {
  /** @param around what each line says besides, at the moment that it is written */
  constructor(
    private readonly levels: LogLevels,
    private readonly around: () => LogFields = () => ({}),
  ) {
    super({ colors: process.stdout.isTTY === true, prefix: 'Gatehouse' });
  }

  override log(said: unknown, ...rest: unknown[]): void {
    if (isOfFramework(rest)) this.debug(said, ...rest);
    else this.write('info', said, rest, (line) => super.log(...line));
  }

  override error(said: unknown, ...rest: unknown[]): void {
    if (isOfFailedStart(rest)) this.debug(said, ...rest);
    else this.write('error', said, rest, (line) => super.error(...line));
  }

  override warn(said: unknown, ...rest: unknown[]): void {
    if (isOfSeveralServices(rest)) this.debug(said, ...rest);
    else this.write('warn', said, rest, (line) => super.warn(...line));
  }

  override debug(said: unknown, ...rest: unknown[]): void {
    this.write('debug', said, rest, (line) => super.debug(...line));
  }

  override fatal(said: unknown, ...rest: unknown[]): void {
    this.write('fatal', said, rest, (line) => super.fatal(...line));
  }

  /** With a stack instead of the message where there is one: it begins with the message. */
  private write(
    level: LineLevel,
    said: unknown,
    rest: readonly unknown[],
    print: (line: [string, ...string[]]) => void,
  ): void {
    const { message, stack, context, fields } = lineOf(said, rest);
    if (!this.levels.writes(level, fields)) return;
    const text = [stack ?? message, idsOf({ ...fields, ...this.around() })].filter(Boolean).join(' ');
    print(context === undefined ? [text] : [text, context]);
  }
}

function idsOf(fields: LogFields): string {
  const named = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return named.length === 0 ? '' : `(${named.join(' ')})`;
}
