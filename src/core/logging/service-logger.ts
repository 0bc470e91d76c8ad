import type { LoggerService } from '@nestjs/common';

import type { Settings } from '../config/index.js';
import type { Tracing } from '../tracing/index.js';
import { JsonLogger } from './json-logger.js';
import { TextLogger } from './text-logger.js';

/** Writes the log of this process as the settings say, each line with the trace that it belongs to. */
export function serviceLogger({ logFormat, logLevel }: Settings, tracing: Tracing): LoggerService {
  const around = (): Record<string, string> => tracing.logFields;
  return logFormat === 'json' ? new JsonLogger(logLevel, around) : new TextLogger(logLevel, around);
}
