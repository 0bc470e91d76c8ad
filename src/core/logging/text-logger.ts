import { ConsoleLogger, type LogLevel as NestLevel } from '@nestjs/common';

import type { LogLevel } from '../config/index.js';
import { type LogFields, isOfFailedStart, isOfFramework, lineOf } from './log-fields.js';

const LEVELS: Record<LogLevel, NestLevel[]> = {
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug'],
};

/** A line of text each, for people. */
export class TextLogger extends ConsoleLogger {
  /** @param around what each line says besides, at the moment that it is written */
  constructor(
    level: LogLevel,
    private readonly around: () => LogFields = () => ({}),
  ) {
    super({ logLevels: LEVELS[level], colors: process.stdout.isTTY === true, prefix: 'Gatehouse' });
  }

  override log(said: unknown, ...rest: unknown[]): void {
    if (isOfFramework(rest)) this.debug(said, ...rest);
    else super.log(...this.textOf(said, rest));
  }

  override error(said: unknown, ...rest: unknown[]): void {
    if (isOfFailedStart(rest)) this.debug(said, ...rest);
    else super.error(...this.textOf(said, rest));
  }

  override warn(said: unknown, ...rest: unknown[]): void {
    super.warn(...this.textOf(said, rest));
  }

  override debug(said: unknown, ...rest: unknown[]): void {
    super.debug(...this.textOf(said, rest));
  }

  override fatal(said: unknown, ...rest: unknown[]): void {
    super.fatal(...this.textOf(said, rest));
  }

  /** With a stack instead of the message where there is one: it begins with the message. */
  private textOf(said: unknown, rest: readonly unknown[]): [string, ...string[]] {
    const { message, stack, context, fields } = lineOf(said, rest);
    const text = [stack ?? message, idsOf({ ...fields, ...this.around() })].filter(Boolean).join(' ');
    return context === undefined ? [text] : [text, context];
  }
}

function idsOf(fields: LogFields): string {
  const named = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return named.length === 0 ? '' : `(${named.join(' ')})`;
}
