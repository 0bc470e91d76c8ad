import { createHash } from 'node:crypto';

import { entityTag, isKnown } from './entity-tag.js';
import { type GatehouseResponse, type GatehouseRequest, singleHeader } from './request.js';

/** Bytes of our own that stay the same while a version runs: a page, a document, a stylesheet. */
export class FixedResponse {
  readonly body: Buffer;
  private readonly tag: string;

  constructor(
    body: string | Buffer,
    private readonly type: string,
    /** How long a browser may keep it: for seconds without asking, not at all (`no-store`), or asking each time. */
    private readonly kept: number | 'no-store' | 'no-cache' = 'no-cache',
  ) {
    this.body = Buffer.from(body);
    this.tag = entityTag(createHash('sha256').update(this.body).digest('hex').slice(0, 32));
  }

  /** 200 with the bytes, or 304: then there is no body. */
  send(request: GatehouseRequest, response: GatehouseResponse): Buffer | undefined {
    const kept = typeof this.kept === 'number' ? `public, max-age=${this.kept}` : this.kept;
    response.setHeader('etag', this.tag);
    response.setHeader('cache-control', kept);
    response.setHeader('x-content-type-options', 'nosniff');
    if (isKnown(singleHeader(request, 'if-none-match'), this.tag)) {
      response.status(304);
      return undefined;
    }
    response.setHeader('content-type', this.type);
    return this.body;
  }
}
