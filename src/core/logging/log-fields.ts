/**
 * What a line of the log is about, besides its words: ids such as `requestId`, `runId` and `workspaceId`, and small facts
 * such as a status. Never what somebody wrote, sent or stored.
 *
 * @example
 * this.logger.warn('The end could not be written.', { runId: run.id, workspaceId: run.workspaceId });
 */
export type LogFields = Record<string, string | number>;

interface LogLine {
  message: string;
  stack?: string;
  /** Who says it: the name that the logger was made with. */
  context?: string;
  fields: LogFields;
}

/** What Nest tells of its own start, line by line, belongs to whoever looks for a fault in it. */
const FRAMEWORK = ['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver'];

export function isOfFramework(rest: readonly unknown[]): boolean {
  const context = rest.at(-1);
  return typeof context === 'string' && FRAMEWORK.includes(context);
}

/** Several services may run in the process of a test, each with its own database. Nest warns of that. */
export function isOfSeveralServices(rest: readonly unknown[]): boolean {
  return rest.at(-1) === 'DataSourceNameRegistry';
}

/** What ends a start is said by whoever started it: to the operator in a sentence where it is made for one. */
export function isOfFailedStart(rest: readonly unknown[]): boolean {
  return rest.at(-1) === 'ExceptionHandler';
}

/** Nest hands over what was said, then whatever else was given, then the logger's name. */
export function lineOf(said: unknown, rest: readonly unknown[]): LogLine {
  const names = rest.filter((one) => typeof one === 'string');
  const context = names.at(-1);
  const stack = said instanceof Error ? said.stack : names.length > 1 ? names[0] : undefined;
  return {
    message: said instanceof Error ? said.message : typeof said === 'string' ? said : JSON.stringify(said),
    ...(stack !== undefined && { stack }),
    ...(context !== undefined && { context }),
    fields: Object.assign({}, ...rest.filter((one) => typeof one === 'object' && one !== null)) as LogFields,
  };
}
