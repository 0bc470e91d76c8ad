import type { ServerResponse } from 'node:http';

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import type { AccessRequest } from '../access/index.js';
import { observeResponses, routeOf } from '../http/index.js';
import { logFieldsOf } from '../tracing/index.js';
import type { LogFields } from './log-fields.js';
import { LogLevels } from './log-levels.js';

/** What supervisors and Prometheus ask for every few seconds. */
const PROBES = ['/health/live', '/health/ready', '/metrics'];

/** A line for each request, at the level `info`. Routes are templates: what comes in addresses stays out of the log. */
@Injectable()
export class RequestLogger implements OnModuleInit {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly levels: LogLevels,
  ) {}

  onModuleInit(): void {
    observeResponses(this.host, (request, response, ms) => this.tell(request, response, ms));
  }

  private tell(request: AccessRequest, response: ServerResponse, ms: number): void {
    const workspaceId = request.workspaceCaller?.workspace.id;
    const about: LogFields = workspaceId === undefined ? {} : { workspaceId };
    if (!this.levels.writes('info', about)) return;
    const route = routeOf(request) ?? 'unknown';
    if (PROBES.includes(route)) return;
    this.logger.log(`${request.method} ${route} ${response.statusCode}`, {
      requestId: request.id,
      ...about,
      ...(request.span && logFieldsOf(request.span)),
      ms: Math.round(ms),
    });
  }
}
