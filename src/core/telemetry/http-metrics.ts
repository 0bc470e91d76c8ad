import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Histogram } from 'prom-client';

import { observeResponses, routeOf } from '../http/index.js';
import { Metrics } from './metrics.js';

/** From a plain look-up to a run that is waited for, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 40];

/** Counts and times every response by method, route and class of status. Routes are templates, so that ids add no series. */
@Injectable()
export class HttpMetrics implements OnModuleInit {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(
    private readonly host: HttpAdapterHost,
    metrics: Metrics,
  ) {
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its response.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    observeResponses(this.host, (request, response, ms) => {
      const route = routeOf(request) ?? 'unknown';
      const status = `${Math.floor(response.statusCode / 100)}xx`;
      this.duration.observe({ method: request.method, route, status }, ms / 1000);
    });
  }
}
