import type { ServerResponse } from 'node:http';

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import type { AccessRequest } from '../access/index.js';
import { Settings } from '../config/index.js';
import { observeResponses, routeOf } from '../http/index.js';
import { logFieldsOf } from '../tracing/index.js';

/** What supervisors and Prometheus ask for every few seconds. */
const PROBES = ['/health/live', '/health/ready', '/metrics'];

/** A line for each request, at the level `info`. Routes are templates: what comes in addresses stays out of the log. */
@Injectable()
export class RequestLogger implements OnModuleInit {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    if (this.settings.logLevel !== 'info' && this.settings.logLevel !== 'debug') return;
    observeResponses(this.host, (request, response, ms) => this.tell(request, response, ms));
  }

  private tell(request: AccessRequest, response: ServerResponse, ms: number): void {
    const route = routeOf(request) ?? 'unknown';
    if (PROBES.includes(route)) return;
    const workspaceId = request.workspaceCaller?.workspace.id;
    this.logger.log(`${request.method} ${route} ${response.statusCode}`, {
      requestId: request.id,
      ...(workspaceId !== undefined && { workspaceId }),
      ...(request.span && logFieldsOf(request.span)),
      ms: Math.round(ms),
    });
  }
}
