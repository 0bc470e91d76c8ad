import type { LoggerService } from '@nestjs/common';

import type { Settings } from '../config/index.js';
import type { Tracing } from '../tracing/index.js';
import { JsonLogger } from './json-logger.js';
import type { LogLevels } from './log-levels.js';
import { TextLogger } from './text-logger.js';

/** Writes the log of this process as the settings say, each line with the trace that it belongs to. */
export function serviceLogger({ logFormat }: Settings, tracing: Tracing, levels: LogLevels): LoggerService {
  const around = (): Record<string, string> => tracing.logFields;
  return logFormat === 'json' ? new JsonLogger(levels, around) : new TextLogger(levels, around);
}
