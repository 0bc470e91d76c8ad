import { Readable } from 'node:stream';

import { StreamableFile } from '@nestjs/common';

import { ProblemError } from '../errors/index.js';
import type { ByteRange } from '../storage/index.js';
import { attachment } from './content-disposition.js';
import { entityTag, isKnown, rangeApplies } from './entity-tag.js';
import { parseRange, type RequestedRange } from './range-header.js';
import { type GatehouseRequest, type GatehouseResponse, singleHeader } from './request.js';

/** Stored bytes that somebody may download. */
export interface ByteContent {
  /** Opens all bytes, or a range with both ends inclusive. */
  open(range?: ByteRange): Promise<Readable>;
  /** In bytes. */
  size: number;
  /** In hex: the entity tag. Of what is not one file, any digest that is another one where the bytes are. */
  sha256: string;
  /** The name that it is saved under. */
  filename: string;
  /** Its media type. */
  type: string;
}

/** None of the bytes lie in the range: 416, with the size. */
class RangeNotSatisfiable extends ProblemError {
  override readonly status = 416;

  constructor(size: number) {
    super(
      'invalid_request',
      `No byte lies in this range: there are ${size}.`,
      [{ path: 'range', message: `must begin before byte ${size}` }],
      { 'content-range': `bytes */${size}` },
    );
  }
}

/**
 * A response with stored bytes: 200, 206 for one range, 304 for what the client has already. Its headers keep browsers from
 * showing or running the bytes under our origin, whatever they are.
 */
export async function byteResponse(
  request: GatehouseRequest,
  response: GatehouseResponse,
  content: ByteContent,
): Promise<StreamableFile | undefined> {
  const tag = entityTag(content.sha256);
  if (isKnown(singleHeader(request, 'if-none-match'), tag)) {
    response.status(304).setHeader('etag', tag).setHeader('cache-control', 'private');
    return undefined;
  }
  const range = rangeOf(request, tag, content.size);
  // Opened before any header is set: an error has headers of its own.
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await content.open(range ?? undefined);
  const headers = {
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': 'private',
    'content-disposition': attachment(content.filename),
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': content.type,
    'x-content-type-options': 'nosniff',
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${content.size}` }),
  };
  response.status(range ? 206 : 200).setHeaders(new Map(Object.entries(headers)));
  const length = range ? range.end - range.start + 1 : content.size;
  return new StreamableFile(bytes, { length }).setErrorHandler((error) => {
    if (!response.headersSent) for (const name of Object.keys(headers)) response.removeHeader(name);
    request.next!(error);
  });
}

/** Only GET knows ranges (RFC 9110, 14.2). */
function rangeOf(request: GatehouseRequest, tag: string, size: number): RequestedRange | null {
  if (request.method !== 'GET' || !rangeApplies(singleHeader(request, 'if-range'), tag)) return null;
  const range = parseRange(singleHeader(request, 'range'), size);
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(size);
  return range;
}
