import type { LoggerService } from '@nestjs/common';

import type { Settings } from '../config/settings.js';
import { JsonLogger } from './json-logger.js';
import { TextLogger } from './text-logger.js';

/** Writes the log of this process as the settings say. */
export function serviceLogger({ logFormat, logLevel }: Settings): LoggerService {
  return logFormat === 'json' ? new JsonLogger(logLevel) : new TextLogger(logLevel);
}
