import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';

import { Tracing } from '../tracing/index.js';
import { CoreHealth } from './core-health.js';
import { DatabaseMetrics } from './database-metrics.js';
import { DiskWatch } from './disk-watch.js';
import { HealthChecks } from './health-checks.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { LoopMetrics } from './loop-metrics.js';
import { Metrics } from './metrics.js';
import { MetricsController } from './metrics.controller.js';
import { RequestTracer } from './request-tracer.js';

/** What supervisors ask for every few seconds, and Prometheus. */
const UNTRACED = ['/health/{*path}', '/metrics'];

/** How the process is: health for supervisors, metrics for Prometheus, a trace of each request where traces are wanted. */
@Global()
@Module({
  // What fails is logged when that changes, not at each request.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [HealthChecks, CoreHealth, Metrics, HttpMetrics, LoopMetrics, DatabaseMetrics, DiskWatch],
  exports: [HealthChecks, Metrics],
})
export class TelemetryModule implements NestModule {
  constructor(private readonly tracing: Tracing) {}

  configure(consumer: MiddlewareConsumer): void {
    if (!this.tracing.isOn) return;
    consumer
      .apply(RequestTracer)
      .exclude(...UNTRACED)
      .forRoutes('{*path}');
  }
}
