import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, destination, pino, stdTimeFunctions } from 'pino';

import { type LogFields, isOfFailedStart, isOfFramework, isOfSeveralServices, lineOf } from './log-fields.js';
import type { LineLevel, LogLevels } from './log-levels.js';

/** A line of JSON each, for programs that collect logs: `{level, time, context, message, …ids}`. */
export class JsonLogger implements LoggerService {
  private readonly pino: Logger;

  /**
   * @param around what each line says besides, at the moment that it is written
   * @param stream by default standard output, written at once, so that a process that dies has said why
   */
  constructor(
    private readonly levels: LogLevels,
    private readonly around: () => LogFields = () => ({}),
    stream: DestinationStream = destination({ fd: 1, sync: true }),
  ) {
    this.pino = pino(
      {
        // Which lines are written is decided here, line by line.
        level: 'debug',
        base: null,
        messageKey: 'message',
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      stream,
    );
  }

  log(said: unknown, ...rest: unknown[]): void {
    this.write(isOfFramework(rest) ? 'debug' : 'info', said, rest);
  }

  error(said: unknown, ...rest: unknown[]): void {
    this.write(isOfFailedStart(rest) ? 'debug' : 'error', said, rest);
  }

  warn(said: unknown, ...rest: unknown[]): void {
    this.write(isOfSeveralServices(rest) ? 'debug' : 'warn', said, rest);
  }

  debug(said: unknown, ...rest: unknown[]): void {
    this.write('debug', said, rest);
  }

  fatal(said: unknown, ...rest: unknown[]): void {
    this.write('fatal', said, rest);
  }

  private write(level: LineLevel, said: unknown, rest: unknown[]): void {
    const { message, fields, ...about } = lineOf(said, rest);
    if (!this.levels.writes(level, fields)) return;
    this.pino[level]({ ...about, ...this.around(), ...fields }, message);
  }
}
