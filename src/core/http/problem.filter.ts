import type { ServerResponse } from 'node:http';

import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Injectable,
  Logger,
} from '@nestjs/common';

import { InvalidInput } from '../../../libs/invalid-input/index.js';
import { CredentialCheck } from '../access/credential-check.js';
import { Settings } from '../config/settings.js';
import { isDatabaseAway, isUnstorableText } from '../database/database-errors.js';
import { RateLimitInterceptor } from '../rate-limit/rate-limit.interceptor.js';
import { BlobTooLarge, StorageFull, StorageUnavailable } from '../storage/storage.errors.js';
import { type ErrorCode, ERROR_CODES, InvalidRequest, ProblemError, Unavailable } from './errors.js';
import { type GatehouseReply, type GatehouseRequest, routeOf } from './request.js';
import { RouteTable } from './route-table.js';

/** Turns whatever was thrown into the one error envelope. What is not meant for the client stays in the log. */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly credential: CredentialCheck,
    private readonly rateLimit: RateLimitInterceptor,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<GatehouseRequest>();
    const reply = host.switchToHttp().getResponse<GatehouseReply>();
    this.judge(thrown, request, reply)
      .then((error) => this.answer(error, request, reply))
      .catch((error: unknown) => {
        // Nest waits for no filter: what one throws would end the process.
        this.logger.error(error);
        reply.destroy();
      });
  }

  /** What was thrown, or what comes before it: too many requests, a credential that is refused. */
  private async judge(thrown: unknown, request: GatehouseRequest, reply: GatehouseReply): Promise<unknown> {
    const error = this.routes.isUnknown(thrown, request) ? await this.judgeUnknown(request) : thrown;
    // What a guard refuses has not come to the interceptor that counts requests.
    return this.rateLimit.count(request, reply).then(
      () => error,
      (refusal: unknown) => refusal,
    );
  }

  /** No guard has seen it: a credential that comes with it is judged, and costs, all the same. */
  private judgeUnknown(request: GatehouseRequest): Promise<unknown> {
    return this.credential.checkPresented(request).then(
      () => this.routes.problemOf(request),
      (refusal: unknown) => refusal,
    );
  }

  private answer(error: unknown, request: GatehouseRequest, reply: GatehouseReply): void {
    const problem = problemOf(error);
    // A 503 that was thrown as such is an answer; its place of origin says in the log what the operator must know.
    if (problem.status >= 500 && problem !== error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.logger.error(`${request.method} ${routeOf(request) ?? ''} ${request.id}: ${reason}`);
    }
    if (reply.headersSent) {
      // The answer has begun: all that can still be said is that it is not whole.
      reply.destroy();
      return;
    }
    sendProblem(reply, problem, request.id, this.settings.baseUrl);
  }
}

export function sendProblem(
  response: ServerResponse,
  problem: ProblemError,
  requestId: string,
  baseUrl: string,
): void {
  const body = JSON.stringify(envelope(problem, requestId, baseUrl));
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

export function envelope(problem: ProblemError, requestId: string, baseUrl: string): object {
  const { code, message, details } = problem;
  return {
    error: { code, message, requestId, docs: `${baseUrl}/docs/errors#${code}`, ...(details && { details }) },
  };
}

export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof InvalidInput) return InvalidRequest.of(error);
  if (isDatabaseAway(error))
    return new Unavailable('The database cannot be reached just now. Try again shortly.');
  if (isUnstorableText(error))
    return new InvalidRequest('A text in the request has a character that cannot be stored.');
  if (error instanceof StorageFull || error instanceof StorageUnavailable)
    return new Unavailable(error.message, 10);
  if (error instanceof BlobTooLarge) return new ProblemError('payload_too_large', error.message);
  const status = statusOf(error);
  const code = (Object.keys(ERROR_CODES) as ErrorCode[]).find((name) => ERROR_CODES[name].status === status);
  // Only a client's mistake is told in the words of the framework that found it.
  if (code && status < 500) return new ProblemError(code, (error as Error).message);
  return status >= 400 && status < 500
    ? new InvalidRequest((error as Error).message)
    : new ProblemError(
        'internal_error',
        'Something failed on our side. The log tells more under this requestId.',
      );
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
}
