export { ConfigModule } from './config.module.js';
export { isLoopbackHost } from './loopback-host.js';
export type { LogSinkSettings } from './log-sink-settings.js';
export type { ModelSettings } from './model-settings.js';
export { decidedWorkspaces, type OidcKind, type OidcProviderSettings } from './oidc-settings.js';
export { DEFAULT_PLAN, type LimitsOfRun, type Meter, METERS, type Plan, type RunLimit } from './plans.js';
export { type PlanRetention, type RetentionKind } from './retention.js';
export { readSecretFile } from './read-secret-file.js';
export type {
  AwsSecretsSettings,
  KeptCredential,
  VaultLogin,
  VaultSettings,
} from './secret-store-settings.js';
export { InvalidSettings, SettingsReader } from './settings-reader.js';
export { type FilesLocation, type LogLevel, Settings } from './settings.js';
export { SAMPLER_NAMES, type SamplerName, type TracingSettings } from './tracing-settings.js';
export { VERSION } from './version.js';
export { MOST_WORKER_TAGS, WORKER_TAG, WORKER_TAG_RULE } from './worker-tags.js';
