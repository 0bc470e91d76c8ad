import type { CliCommand, CliParameter, Gatehouse, Page, RawRequest } from '@gatehouse/client';

import { parseJson, stringifyJson } from '../output/json.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { wantsJson } from '../output/fields.js';
import { first } from '../output/first.js';
import { type Column, printAsJson, printJson, printList, printOne } from '../output/print.js';
import { say } from '../terminal/say.js';
import { optionName } from './option-name.js';

interface ListOptions {
  limit: string;
}

/** Carries out a command that is only declared: one request, and what is shown of its response. */
export const runExtensionCommand =
  (declared: CliCommand) =>
  async ({ args, options, gatehouse }: Context<ListOptions>): Promise<void> => {
    const request = requestOf(declared, args, options as unknown as Record<string, unknown>);
    const columns = (declared.columns ?? []).map(columnOf);
    const client = await gatehouse();
    if (declared.list) {
      const items = itemsOf(client, withPageSize(request, options.limit));
      return printList(await first(items, options.limit), options, columns);
    }
    const text = await (await client.request(request)).text();
    if (text === '') {
      if (!wantsJson(options)) say('Done.');
      return;
    }
    const value: unknown = parseJson(text);
    if (typeof value !== 'object' || value === null) return printJson(value);
    if (columns.length === 0) return printAsJson(value, options);
    if (Array.isArray(value)) return printList(value as object[], options, columns);
    return printOne(value, options, columns);
  };

function requestOf(
  { method, path, arguments: wanted, options, fields = {} }: CliCommand,
  args: readonly string[],
  given: Record<string, unknown>,
): RawRequest {
  const values = new Map<string, unknown>();
  wanted.forEach((parameter, place) => {
    if (args[place] !== undefined)
      values.set(parameter.name, valueOf(parameter, args[place], parameter.name));
  });
  for (const parameter of options) {
    const { name } = parameter;
    if (Object.hasOwn(given, name)) values.set(name, valueOf(parameter, given[name], optionName(name)));
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const rest = [...values].filter(([name]) => !inPath.includes(name));
  const all = { ...fields, ...Object.fromEntries(rest) };
  const others = Object.keys(all).length > 0 ? all : undefined;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return {
    method: method as RawRequest['method'],
    url: path,
    path: Object.fromEntries(inPath.map((name) => [name, named(name, values.get(name))])),
    ...(others && (hasBody ? { body: others } : { query: others })),
  };
}

/** What stands in an address names one thing: nothing that would make another address of it. */
function named(name: string, value: unknown): unknown {
  if (value !== undefined && !['', '.', '..'].includes(String(value))) return value;
  throw new WrongUse(`${name} has to be named.`);
}

function valueOf({ type }: CliParameter, given: unknown, called: string): unknown {
  if (type === 'string' || type === 'boolean') return given;
  const number = String(given).trim() === '' ? NaN : Number(given);
  if (type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)) return number;
  throw new WrongUse(
    `${called} has to be a ${type === 'integer' ? 'whole ' : ''}number, not "${String(given)}".`,
  );
}

/** A page is no larger than what is shown. */
function withPageSize(request: RawRequest, limit: string): RawRequest {
  const size = Math.min(Math.max(Number(limit) || 1, 1), 100);
  return { ...request, query: { ...request.query, limit: Math.trunc(size) } };
}

async function* itemsOf(gatehouse: Gatehouse, request: RawRequest): AsyncGenerator<object> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await gatehouse.request({ ...request, query: { ...request.query, cursor } });
    const { items, nextCursor = null } = parseJson(await page.text()) as Page<object>;
    if (!Array.isArray(items)) throw new WrongUse(`${request.url} is no list.`);
    yield* items;
    cursor = nextCursor;
  }
}

const columnOf = (path: string): Column<object> => [path, (item) => textAt(item, path.split('.'))];

function textAt(value: unknown, steps: readonly string[]): string | number | null {
  if (value === null || value === undefined) return null;
  const [step, ...rest] = steps;
  if (step !== undefined) {
    if (typeof value !== 'object' || !Object.hasOwn(value, step)) return null;
    return textAt((value as Record<string, unknown>)[step], rest);
  }
  return typeof value === 'object' ? stringifyJson(value) : typeof value === 'number' ? value : String(value);
}
