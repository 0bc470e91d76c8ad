import { format } from 'node:util';

import { JsonLogger } from './json-logger.js';
import { LogLevels } from './log-levels.js';

const CONTEXT = 'Gatehouse';

/**
 * Whatever this process prints is a line of JSON from now on, at any log level: what a start says to whoever started it, why
 * it ended, and what libraries and Node itself have to say.
 */
export function printJsonLines(): void {
  const logger = new JsonLogger(new LogLevels('debug'));
  console.log = console.info = (...said) => logger.log(format(...said), CONTEXT);
  console.debug = console.trace = (...said) => logger.debug(format(...said), CONTEXT);
  console.warn = (...said) => logger.warn(format(...said), CONTEXT);
  console.error = (...said) => {
    const { stack } = said.find((one): one is Error => one instanceof Error) ?? {};
    const message = format(...said.map((one) => (one instanceof Error ? one.message : one)));
    logger.error(message, ...(stack === undefined ? [] : [stack]), CONTEXT);
  };
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => console.warn(`${name}: ${message}`));
}
