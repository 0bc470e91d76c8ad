import { readFile } from 'node:fs/promises';

import type { Gatehouse, Page, RawRequest } from '@gatehouse/client';

import { parseJson } from '../output/json.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { printAsJson, printJson } from '../output/print.js';
import { writeBody } from '../output/write-body.js';
import { readStandardInput } from '../terminal/interactive.js';
import { type FieldOptions, givenFields } from './given-fields.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

interface ApiOptions extends FieldOptions {
  input?: string;
  paginate?: true;
}

/** What comes is written as it is, so that it can be piped on. */
export default async function api({ args, options, gatehouse }: Context<ApiOptions>): Promise<void> {
  const method = methodOf(args[0]!);
  const url = pathOf(args[1]!);
  const fields = givenFields(options);
  const isRead = method === 'GET';
  const query = isRead ? fields : undefined;
  const body = isRead ? undefined : await bodyOf(options, fields);
  const client = await gatehouse();
  if (options.paginate) {
    if (!isRead) throw new WrongUse('Only what is read has pages.');
    return printAsJson(await itemsOf(client, { method, url, query }), options);
  }
  const response = await client.request({ method, url, query, body });
  if (options.jq !== undefined) {
    const { printByJq } = await import('../output/print-by-jq.js');
    return printByJq(await response.text(), options.jq);
  }
  if (response.headers.get('content-type')?.startsWith('application/json') && process.stdout.isTTY) {
    return printJson(parseJson(await response.text()));
  }
  await writeBody(response);
}

async function itemsOf(gatehouse: Gatehouse, request: RawRequest): Promise<object[]> {
  const items: object[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await gatehouse.request({ ...request, query: { ...request.query, cursor } });
    const { items: more, nextCursor = null } = parseJson(await page.text()) as Page<object>;
    if (!Array.isArray(more)) throw new WrongUse(`${request.url} is no list.`);
    items.push(...more);
    cursor = nextCursor;
  }
  return items;
}

function methodOf(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method) return method;
  throw new WrongUse(`"${text}" is no method.`, `There are: ${METHODS.join(', ')}`);
}

function pathOf(text: string): string {
  const path = text.startsWith('/') ? text : `/${text}`;
  return /^\/(v1|health|docs)(\/|$)/.test(path) ? path : `/v1${path}`;
}

async function bodyOf({ input }: ApiOptions, fields: Record<string, unknown>): Promise<unknown> {
  const given = Object.keys(fields).length > 0;
  if (input === undefined) return given ? fields : undefined;
  if (given) throw new WrongUse('Give the body by --input or by fields, not by both.');
  const text = input === '-' ? await readStandardInput() : await readFile(input, 'utf8');
  try {
    return parseJson(text);
  } catch (error) {
    throw new WrongUse(`The body is no JSON: ${(error as Error).message}.`);
  }
}
