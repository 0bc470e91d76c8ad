import { format } from 'node:util';

import { destination } from 'pino';

import { JsonLogger } from './json-logger.js';
import { LogLevels } from './log-levels.js';

const CONTEXT = 'Gatehouse';
const STDERR = 2;

/**
 * Whatever this process prints is a line of JSON from now on, at any log level: what a start says to whoever started it, why
 * it ended (on standard error, where one looks for that), and what libraries and Node itself have to say.
 */
export function printJsonLines(): void {
  const levels = new LogLevels('debug');
  const logger = new JsonLogger(levels);
  const errors = new JsonLogger(levels, undefined, destination({ fd: STDERR, sync: true }));
  console.log = console.info = (...said) => logger.log(format(...said), CONTEXT);
  console.debug = console.trace = (...said) => logger.debug(format(...said), CONTEXT);
  console.warn = (...said) => logger.warn(format(...said), CONTEXT);
  console.error = (...said) => {
    const { stack } = said.find((one): one is Error => one instanceof Error) ?? {};
    const message = format(...said.map((one) => (one instanceof Error ? one.message : one)));
    errors.error(message, ...(stack === undefined ? [] : [stack]), CONTEXT);
  };
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => console.warn(`${name}: ${message}`));
}
