import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Settings } from '../config/settings.js';
import { stringifyJson } from '../json/raw-json.js';
import { InvalidRequest, type ProblemError } from './errors.js';
import { refuseExpectations } from './expectations.js';
import { envelope } from './problem.filter.js';
import { newRequestId } from './request-id.js';
import { RouteTable } from './route-table.js';

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable;
  }
}

/** Requests have this long to send their headers; without a limit, slow ones would hold connections for ever. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Fastify set up as the edge needs it: bodies left alone until the guard has spoken, errors in the one envelope. */
export function createHttpAdapter(settings: Settings): FastifyAdapter {
  const adapter = new FastifyAdapter({
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 500 },
    requestTimeout: REQUEST_TIMEOUT_MS,
    skipMiddie: true,
    multipart: false,
    return503OnClosing: false,
    // Node would answer such requests by itself, without our envelope.
    http: { requireHostHeader: false },
    clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket) {
      answerUnreadable(socket, error, settings.baseUrl);
    },
    frameworkErrors(_error: Error, request: FastifyRequest, reply: FastifyReply) {
      send(reply, request, new InvalidRequest('The address of the request is malformed.'), settings.baseUrl);
    },
  });
  const server = adapter.getInstance() as unknown as FastifyInstance;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  server.setReplySerializer(stringifyJson);
  server.decorate('routeTable', new RouteTable(server));
  refuseExpectations(server.server, settings.baseUrl);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Answers that may be kept say so themselves.
    reply.header('cache-control', 'no-store');
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      send(
        reply,
        request,
        InvalidRequest.at('host', 'is missing: HTTP/1.1 demands this header'),
        settings.baseUrl,
      );
      return;
    }
    done();
  });
  return adapter;
}

function send(reply: FastifyReply, request: FastifyRequest, problem: ProblemError, baseUrl: string): void {
  for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value);
  void reply
    .status(problem.status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(envelope(problem, request.id, baseUrl)));
}

/** What is not even HTTP has no request to answer to, but still gets the envelope. */
function answerUnreadable(socket: Socket, error: NodeJS.ErrnoException, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const requestId = newRequestId();
  const problem = new InvalidRequest(
    'The request is not readable as HTTP, or its headers are too large or too slow.',
  );
  const body = JSON.stringify(envelope(problem, requestId, baseUrl));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\nx-request-id: ${requestId}\r\n` +
      'cache-control: no-store\r\n' +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
