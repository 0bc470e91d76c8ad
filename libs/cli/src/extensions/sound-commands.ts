import type { CliCommand, CliParameter } from '@gatehouse/client';

const COMMAND = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const PARAMETER = /^(?!no[A-Z])[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;
/** Nobody types it, so none is taken back by `--no-…`. */
const FIELD = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;
const COLUMN = /^\w+(\.\w+)*$/;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TYPES = ['string', 'integer', 'number', 'boolean'];
/** Steps that are names, or stand for what is typed: a path of the service itself, whatever it says. */
const PATH = /^\/v1(\/([a-z0-9-]+|\{\w+\}))+$/;

/**
 * What of a service's list can be used as commands. The service has checked it, as far as it is the one that it should be;
 * here it decides what requests are sent, and what a shell completes to.
 *
 * @param taken names of options that every command has
 */
export function soundCommands(items: unknown, taken: readonly string[]): CliCommand[] {
  return Array.isArray(items) ? items.filter((one): one is CliCommand => isSound(one, taken)) : [];
}

function isSound(item: unknown, taken: readonly string[]): boolean {
  const { group, name, summary, method, path, columns, ...given } = (item ?? {}) as Partial<CliCommand>;
  const parameters = [given.arguments, given.options];
  return (
    [group, name].every((word) => isText(word) && COMMAND.test(word)) &&
    isText(summary) &&
    METHODS.includes(method as string) &&
    isText(path) &&
    PATH.test(path) &&
    areFields(given.fields) &&
    (columns === null ||
      (Array.isArray(columns) && columns.every((one) => isText(one) && COLUMN.test(one)))) &&
    parameters.every((all) => Array.isArray(all) && all.every((one) => isParameter(one, taken)))
  );
}

/** Services before 0.3.0 have none. */
function areFields(fields: unknown): boolean {
  if (fields === undefined) return true;
  if (typeof fields !== 'object' || fields === null) return false;
  return Object.entries(fields).every(
    ([name, value]) => FIELD.test(name) && ['string', 'number', 'boolean'].includes(typeof value),
  );
}

function isParameter(parameter: unknown, taken: readonly string[]): boolean {
  const { name, description, type, choices } = (parameter ?? {}) as Partial<CliParameter>;
  return (
    isText(name) &&
    PARAMETER.test(name) &&
    !taken.includes(name) &&
    isText(description) &&
    TYPES.includes(type as string) &&
    (choices === null || (Array.isArray(choices) && choices.every(isText)))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
