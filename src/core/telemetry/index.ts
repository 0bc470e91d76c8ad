export { HealthChecks } from './health-checks.js';
export { Metrics } from './metrics.js';
export { Sampled } from './sampled.js';
export { TelemetryModule } from './telemetry.module.js';
