import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { InvalidRequest } from '../errors/index.js';
import { envelope } from './problem-response.js';
import { newRequestId } from './request-id.js';

/** Node would refuse an `Expect` that it does not know without our envelope. `100-continue` never gets here. */
export function refuseExpectations(server: Server, baseUrl: string): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = newRequestId();
    const problem = InvalidRequest.at('expect', 'takes `100-continue` only');
    const body = JSON.stringify(envelope(problem, requestId, baseUrl));
    response
      .writeHead(417, {
        // The body may follow or not, so it is unknown where the next request would begin.
        connection: 'close',
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(body),
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': requestId,
      })
      .end(body);
  });
}
