import type { Server, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';

import type { HttpAdapterHost } from '@nestjs/core';

import type { GatehouseRequest } from './request.js';

/** Called when a response is over, with the time since the request's first byte. */
type ResponseObserver = (request: GatehouseRequest, response: ServerResponse, ms: number) => void;

/** Without HTTP (a command line) there is nothing to observe. */
export function observeResponses(host: HttpAdapterHost, observe: ResponseObserver): void {
  const server = host.httpAdapter?.getHttpServer() as Server | undefined;
  server?.prependListener('request', (request: GatehouseRequest, response: ServerResponse) => {
    const begun = performance.now();
    response.once('close', () => observe(request, response, performance.now() - begun));
  });
}
