import { createHash } from 'node:crypto';

import { entityTag, isKnown } from './entity-tag.js';
import { type GatehouseReply, type GatehouseRequest, singleHeader } from './request.js';

/** Bytes of our own that stay the same while a version runs: a page, a document, a stylesheet. */
export class FixedAnswer {
  readonly body: Buffer;
  private readonly tag: string;

  constructor(
    body: string | Buffer,
    private readonly type: string,
    /** How long a browser may keep it without asking, in seconds. */
    private readonly maxAge = 0,
  ) {
    this.body = Buffer.from(body);
    this.tag = entityTag(createHash('sha256').update(this.body).digest('hex').slice(0, 32));
  }

  /** 200 with the bytes, or 304. For a handler with `@Res({ passthrough: true })`, which returns the result. */
  send(request: GatehouseRequest, reply: GatehouseReply): Buffer | undefined {
    reply.setHeader('etag', this.tag);
    reply.setHeader('cache-control', this.maxAge > 0 ? `public, max-age=${this.maxAge}` : 'no-cache');
    reply.setHeader('x-content-type-options', 'nosniff');
    if (isKnown(singleHeader(request, 'if-none-match'), this.tag)) {
      reply.status(304);
      return undefined;
    }
    reply.setHeader('content-type', this.type);
    return this.body;
  }
}
