import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';

import { CredentialCheck } from '../access/index.js';
import { Settings } from '../config/index.js';
import type { ProblemError } from '../errors/index.js';
import {
  type GatehouseRequest,
  type GatehouseResponse,
  routeOf,
  MethodNotAllowedCheck,
  sendProblem,
} from '../http/index.js';
import { RateLimitInterceptor } from '../rate-limit/index.js';
import { problemOf } from './problem-of.js';

/** Turns whatever was thrown into the one error envelope. What is not meant for the client stays in the log. */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly settings: Settings,
    private readonly routes: MethodNotAllowedCheck,
    private readonly credential: CredentialCheck,
    private readonly rateLimit: RateLimitInterceptor,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<GatehouseRequest>();
    const response = host.switchToHttp().getResponse<GatehouseResponse>();
    this.errorToSend(thrown, request, response)
      .then((error) => this.send(error, request, response))
      .catch((error: unknown) => {
        // Nest does not wait for a filter: an error thrown here would end the process.
        this.logger.error(error, { requestId: request.id });
        response.destroy();
      });
  }

  /** What was thrown, or what takes precedence over it: too many requests, a credential that is refused. */
  private async errorToSend(
    thrown: unknown,
    request: GatehouseRequest,
    response: GatehouseResponse,
  ): Promise<unknown> {
    const error = this.routes.isUnknown(thrown, request) ? await this.errorOfUnknownRoute(request) : thrown;
    // A request that a guard refused never reached the interceptor that counts requests.
    return this.rateLimit.count(request, response).then(
      () => error,
      (refusal: unknown) => refusal,
    );
  }

  /** No guard has seen the request: a credential that comes with it is checked and counted all the same. */
  private errorOfUnknownRoute(request: GatehouseRequest): Promise<unknown> {
    return this.credential.checkPresented(request).then(
      () => this.routes.problemOf(request),
      (refusal: unknown) => refusal,
    );
  }

  private send(error: unknown, request: GatehouseRequest, response: GatehouseResponse): void {
    const problem = problemOf(error);
    // Whoever throws a 503 on purpose has logged what the operator must know.
    if (problem.status >= 500 && problem !== error) {
      const route = `${request.method} ${routeOf(request) ?? 'unknown'}`;
      this.logger.error(error, { requestId: request.id, route });
    }
    if (response.headersSent) {
      // The body has begun: cutting the connection is the only way left to say that it is incomplete.
      response.destroy();
      return;
    }
    this.write(problem, request, response);
  }

  /** Protocols of others have an envelope of their own. */
  protected write(problem: ProblemError, request: GatehouseRequest, response: GatehouseResponse): void {
    sendProblem(response, problem, request.id, this.settings.baseUrl);
  }
}
