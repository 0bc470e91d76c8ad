import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';

import { Metrics } from './metrics.js';

/** From a plain look-up to a run that is waited for, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 40];

/** Counts and times every answer by method, route and class of status. Routes are templates, so that ids add no series. */
@Injectable()
export class HttpMetrics implements OnModuleInit {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(
    private readonly host: HttpAdapterHost,
    metrics: Metrics,
  ) {
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    // Without HTTP (a worker, a command line) there is nothing to count.
    const server = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    server?.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      const status = `${Math.floor(reply.statusCode / 100)}xx`;
      this.duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
      done();
    });
  }
}
