import { addAbortSignal, pipeline, Readable } from 'node:stream';

import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiPropertyOptional, ApiResponse, OmitType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { stringify } from 'csv-stringify';

import { attachment } from './content-disposition.js';
import type { PageQuery } from './page-query.dto.js';
import type { GatehouseResponse } from './request.js';
import { sendStream, type Watch } from './stream-response.js';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;
type ExportFormat = keyof typeof TYPES;
const FORMATS = Object.keys(TYPES) as ExportFormat[];

/** However slowly it is read. */
const LONGEST_MS = 15 * 60_000;

/** What a list takes where all of it is exported: its filters, and a format. */
export function ExportOf<Query extends PageQuery>(
  query: Type<Query>,
): Type<Omit<Query, keyof PageQuery> & { format: ExportFormat }> {
  class Export extends OmitType(query as Type<PageQuery>, ['limit', 'cursor']) {
    @ApiPropertyOptional({
      enum: FORMATS,
      default: 'ndjson',
      description:
        '`ndjson`: a line of JSON each, as in the list. `csv`: a record each (RFC 4180), the first names the columns.',
    })
    @IsOptional()
    @IsIn(FORMATS)
    format: ExportFormat = 'ndjson';
  }
  return Export as unknown as Type<Omit<Query, keyof PageQuery> & { format: ExportFormat }>;
}

/** Documents a route that ends in {@link sendExport}. */
export function ApiExport(): MethodDecorator {
  const schema = { type: 'string' as const, format: 'binary' };
  // What generators of clients know as bytes.
  const types = ['application/octet-stream', TYPES.ndjson, 'text/csv'];
  return applyDecorators(
    ApiProduces(...types),
    ApiOkResponse({
      description: 'What was found, in the format that was asked for.',
      content: Object.fromEntries(types.map((type) => [type, { schema }])),
    }),
    ApiResponse({ status: 429, description: 'Too many requests, or too many streams at once.' }),
  );
}

/**
 * Sends items one after the other, as fast as they are read. It is cut off, so that nobody takes it for whole, where reading them
 * fails, the watch ends it, or it takes longer than a quarter of an hour.
 *
 * @param columns of a CSV file, as paths such as `script.slug`
 */
export async function sendExport(
  response: GatehouseResponse,
  { name, format, columns }: { name: string; format: ExportFormat; columns: readonly string[] },
  items: AsyncIterator<object>,
  watch: Watch,
): Promise<void> {
  // What is wrong with the first page is still an error as any other.
  const first = await items.next().catch((error: unknown) => {
    watch.close();
    throw error;
  });
  const all = startingWith(first, items);
  const body = format === 'csv' ? asCsv(all, columns) : Readable.from(asJson(all));
  const limit = AbortSignal.timeout(LONGEST_MS);
  response.setHeader('content-disposition', attachment(`${name}.${format}`));
  sendStream(response, TYPES[format], addAbortSignal(limit, body), watch);
}

async function* startingWith(
  first: IteratorResult<object>,
  rest: AsyncIterator<object>,
): AsyncGenerator<object> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* asJson(items: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe before it. All is quoted, and a semicolon at the start counts as a
 * formula does, since some spreadsheets begin a cell behind each.
 */
function asCsv(items: AsyncIterable<object>, columns: readonly string[]): Readable {
  const csv = stringify({
    columns: [...columns],
    header: true,
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted: true,
    cast: { boolean: String, string: (text) => (text.startsWith(';') ? `'${text}` : text) },
  });
  pipeline(items, csv, () => undefined);
  return csv;
}
