import { IncomingMessage, STATUS_CODES, type Server, ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';

import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { RouteInfo } from '@nestjs/common/internal.js';
import express, { type Express, type RequestHandler, type Response } from 'express';

import type { Settings } from '../config/index.js';
import { stringifyJson } from '../json/index.js';
import { InvalidRequest, NotFound, type ProblemError } from '../errors/index.js';
import { AllowedHosts } from './allowed-hosts.js';
import { refuseExpectations } from './expectations.js';
import { envelope, sendProblem } from './problem-response.js';
import { type Parameters, parseQuery } from './query-string.js';
import { newRequestId } from './request-id.js';
import type { GatehouseRequest } from './request.js';

/** How long a request may take to send its headers, and to arrive whole: slow clients would hold connections for ever. */
const HEADERS_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 300_000;
/** Longer than the usual minute of load balancers, so that they close first and send nothing to a closed connection. */
const KEEP_ALIVE_MS = 72_000;
/** How often connections that were in use when the stop began are looked at again. */
const CLOSING_MS = 50;
/** Some clients add a slash to the address that they are given. All other routes are strict. */
const MCP_WITH_SLASH = /^\/mcp\/(?=$|\?)/;
/** What a separate worker serves. */
const PROBES = new Set(['/health/live', '/health/ready', '/metrics']);

/** Express with all that is special here. Bodies are not read before the guards have let the request in. */
export class HttpServer extends ExpressAdapter {
  private readonly hosts: AllowedHosts;
  private closing = false;

  constructor(private readonly settings: Settings) {
    super(expressFor(settings));
    this.hosts = new AllowedHosts(settings.baseUrl, settings.hosts);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const options = {
      ...expressMessages(app),
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node would refuse a request without `Host` by itself, without our envelope.
      requireHostHeader: false,
    };
    const server = createServer(options, (message, response) => this.take(app, message, response));
    server.on('clientError', (error, socket) =>
      refuseUnreadable(socket as Socket, error, this.settings.baseUrl),
    );
    refuseExpectations(server, this.settings.baseUrl);
    this.httpServer = server;
  }

  /** Sends what a handler returns. Express's own `send` would encode a Buffer as JSON, turn `If-None-Match: *` into a 304 and parse each media type again. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (body instanceof StreamableFile) return super.reply(response, body, status);
    if (status !== undefined) response.statusCode = status;
    if (body === undefined || body === null) return response.end();
    if (Buffer.isBuffer(body)) return sendWhole(response, 'application/octet-stream', body);
    if (typeof body === 'string') return sendWhole(response, 'text/plain; charset=utf-8', body);
    return sendWhole(response, 'application/json; charset=utf-8', stringifyJson(body));
  }

  /** For HEAD, Express leaves the route of another method that it has passed in the request. */
  override setNotFoundHandler(handler: RequestHandler, ...rest: [string?, RouteInfo[]?]): unknown {
    const withoutRoute: RequestHandler = (request, response, next) => {
      request.route = undefined;
      handler(request, response, next);
    };
    return super.setNotFoundHandler(withoutRoute, ...rest);
  }

  /** The router throws its own error for an address with a malformed escape. */
  override mapException(error: unknown): unknown {
    return isOfAddress(error) ? malformedAddress() : super.mapException(error);
  }

  /** Takes no new connections, closes idle ones and waits until the others have their responses. */
  override async close(): Promise<void> {
    this.closing = true;
    const server = this.httpServer as Server;
    if (!server.listening) return;
    const idle = setInterval(() => server.closeIdleConnections(), CLOSING_MS);
    await new Promise((done) => server.close(done));
    clearInterval(idle);
  }

  private take(app: Express, message: IncomingMessage, response: ServerResponse): void {
    const request = message as GatehouseRequest;
    message.url = message.url!.replace(MCP_WITH_SLASH, '/mcp');
    request.id = newRequestId();
    response.setHeader('x-request-id', request.id);
    // A response that may be cached sets its own.
    response.setHeader('cache-control', 'no-store');
    if (this.closing) response.setHeader('connection', 'close');
    const refuse = (problem: ProblemError): void =>
      sendProblem(response, problem, request.id, this.settings.baseUrl);
    const misdirected = this.hosts.refusal(request);
    if (misdirected) {
      refuse(misdirected);
    } else if (!this.settings.servesApi && !PROBES.has(message.url!.split('?', 1)[0]!)) {
      refuse(new NotFound('route: a worker answers no more than /health and /metrics'));
    } else {
      // Nest handles whatever has a path. What has none, Express hands back.
      app(request, response as Response, () => refuse(malformedAddress()));
    }
  }
}

function expressFor(settings: Settings): Express {
  const app = express();
  app.disable('x-powered-by');
  // Set before the router is made, which happens with the first route.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('etag', false);
  app.set('trust proxy', settings.trustProxy.length > 0 ? settings.trustProxy : false);
  return app;
}

/**
 * Express changes the prototype of each request and response, which makes them slow to use from then on. These have the
 * right one from the beginning.
 */
function expressMessages(app: Express) {
  class Request extends IncomingMessage {
    originalUrl: string | undefined;
    private parameters: Parameters | undefined;

    /** Strict, and parsed once: Express would parse it at each use. */
    get query(): Parameters {
      return (this.parameters ??= parseQuery(this.originalUrl ?? this.url!));
    }
  }
  class Response<T extends IncomingMessage> extends ServerResponse<T> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(Response.prototype, app.response) as Express['response'];
  return { IncomingMessage: Request, ServerResponse: Response };
}

function isOfAddress(error: unknown): boolean {
  return error instanceof URIError && (error as { status?: unknown }).status === 400;
}

function malformedAddress(): InvalidRequest {
  return new InvalidRequest('The address of the request is malformed.');
}

function sendWhole(response: Response, type: string, body: string | Buffer): Response {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(body));
  return response.end(body);
}

/** Bytes that are not HTTP have no request to respond to, but still get the envelope. */
function refuseUnreadable(socket: Socket, error: NodeJS.ErrnoException, baseUrl: string): void {
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
