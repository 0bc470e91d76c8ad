import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

import { freeMemory } from '../../../libs/sandbox/index.js';
import { type LogFormat, logFormat } from './log-format.js';
import { type LogSinkSettings, readLogSink } from './log-sink-settings.js';
import { type ModelSettings, readModels } from './model-settings.js';
import { type OidcProviderSettings, readOidc } from './oidc-settings.js';
import { type PlanTable, parsePlans } from './plans.js';
import { type GivenRetention, parseRetention, type Retention, retentionOf } from './retention.js';
import { readSecretStores, type SecretStoreSettings } from './secret-store-settings.js';
import { SettingsReader } from './settings-reader.js';
import { readTracingSettings, type TracingSettings } from './tracing-settings.js';
import { readWorkerTags } from './worker-tags.js';

type Role = 'all' | 'api' | 'worker';
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type FilesLocation =
  | { kind: 'file'; directory: string }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string | null; region: string }
  | { kind: 'extension'; name: string };

/** In MiB, a quarter of what was free when the process was started. Runs have the rest. */
const QUARTER = Math.floor(freeMemory() / 4 / 1024 / 1024);
const WORKER_MEMORY = 3 * QUARTER;
/** Enough for some dozens, and for a few. A small machine has less to spare. */
const TEMPLATE_MEMORY = Math.min(2048, QUARTER);
const KEPT_MEMORY = Math.min(256, Math.floor(QUARTER / 2));
const MOST_SECONDS = 7 * 24 * 3600;
const ADDRESS = String.raw`[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+`;
const MAIL_FROM = new RegExp(String.raw`^(?:${ADDRESS}|[^<>@"\\\p{Cc}]+ <${ADDRESS}>)$`, 'u');

const EXTENSION_STORAGE = /^[a-z][a-z0-9_.]*$/;

/** Everything that can be set from outside, read and checked once at start. `.env.example` explains each variable. */
export class Settings {
  readonly role: Role;
  readonly port: number;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** Where a separate worker serves supervisors and Prometheus; 0: nowhere. */
  readonly workerPort: number;
  readonly host: string;
  readonly baseUrl: string;
  /** Hosts that it serves, besides that of the base address and this machine's. */
  readonly hosts: string[];
  readonly dataDirectory: string;
  /** Below so much free room on a disk, new work that fills it is refused. */
  readonly diskReserveMb: number;
  /** null: the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | null;
  /** null: the queue runs on PostgreSQL. */
  readonly redisUrl: string | null;
  readonly databasePool: number;
  /** How long a start waits for a database or a Redis that cannot be reached. */
  readonly startWaitSeconds: number;
  /** null: the key file in the data directory. */
  readonly masterKey: Buffer | null;
  readonly outboundAllow: string[];
  /** Addresses to which the gate may send secrets in the clear. */
  readonly plainSecrets: string[];
  readonly trustProxy: string[];
  /** Addresses besides this machine's own to which `/metrics` is served. */
  readonly metricsAllow: string[];
  /** With which it is served to anybody; null: there is none. */
  readonly metricsToken: string | null;
  readonly files: FilesLocation;
  readonly fileLinks: boolean;
  /** null: entries of the audit trail and ends of runs are sent nowhere. */
  readonly logSink: LogSinkSettings | null;
  readonly personalTokens: boolean;
  /** Whether people sign in with passwords; if not, only at providers. */
  readonly passwords: boolean;
  /** Companies' providers at which people sign in. */
  readonly oidc: readonly OidcProviderSettings[];
  /** Whether people with a password need a second factor in every workspace. */
  readonly secondFactorRequired: boolean;
  /** Whether apps that have no page about themselves may register by themselves. */
  readonly oauthRegistration: boolean;
  /** How many tools an app is told of at once by the Model Context Protocol. */
  readonly mcpTools: number;
  /** Requests a minute and credential; 0 turns the limit off. */
  readonly rateLimit: number;
  readonly rateBurst: number;
  /** How many times as much all credentials of a person have together, and all API keys of a workspace. */
  readonly rateTogether: number;
  /** The Node that scripts run on. */
  readonly nodePath: string;
  readonly runConcurrency: number;
  /** What this worker carries, for runs that ask for it. */
  readonly workerTags: string[];
  /** What a worker has for its runs. */
  readonly workerMemoryMb: number;
  /** The most that a version may ask for. */
  readonly maxMemoryMb: number;
  readonly maxTimeoutSeconds: number;
  /** Whether a worker tries the walls around scripts at its start, and whether it starts only where they hold. */
  readonly requireProof: 'off' | 'warn' | 'on';
  /** Walls that may be missing then where the machine cannot have them. */
  readonly proofWithout: string[];
  /** Whether interpreters are started before there is a run for them. */
  readonly warmInterpreters: boolean;
  /** Whether an interpreter that has imported what a version does is kept and forked for each of its runs. */
  readonly templates: boolean;
  /** What all of these may take of a worker's memory. */
  readonly templateMemoryMb: number;
  /** What processes may take of it that stay for further runs; 0: none stays. */
  readonly keptMemoryMb: number;
  /** The part of a worker's places that one workspace, and all of one owner, may have while there are others. */
  readonly workspaceShare: number;
  /** What becomes of long runs that may be tried again elsewhere when this worker is told to stop. */
  readonly drainLongRuns: 'wait' | 'retry';
  readonly drainSeconds: number;
  readonly signup: 'invite' | 'open';
  readonly workspacesPerPerson: number;
  /** How many schedules, how many triggers and how many hooks a workspace may have. */
  readonly automationsPerWorkspace: number;
  /** Requests a minute that a hook takes; all of a workspace take ten times as many. 0 turns the limit off. */
  readonly hookRate: number;
  /** How large a request to a hook may be. */
  readonly hookBytes: number;
  readonly smtpUrl: string | null;
  /** An address, or `Name <address>`. */
  readonly mailFrom: string;
  readonly retention: Retention;
  readonly plans: PlanTable;
  readonly models: ModelSettings;
  /** Which share of the calls by which agents only read is in the audit trail; all that change something are. */
  readonly agentAuditSample: number;
  readonly secretStores: SecretStoreSettings;
  /** null: no traces are made. */
  readonly tracing: TracingSettings | null;
  readonly extensions: string[];
  /** To which paths of extensions are relative, and in which packages are installed. */
  readonly extensionsDirectory: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string | null;

  constructor(environment: NodeJS.ProcessEnv) {
    const read = new SettingsReader(environment);
    this.role = read.oneOf('GATEHOUSE_ROLE', ['all', 'api', 'worker'], 'all');
    this.port = read.integer('PORT', 3000, 0, 65_535);
    read.oneOf('GATEHOUSE_LOG_FORMAT', ['auto', 'text', 'json'], 'auto');
    this.logFormat = logFormat(environment);
    this.logLevel = read.oneOf('GATEHOUSE_LOG_LEVEL', ['error', 'warn', 'info', 'debug'], 'warn');
    this.workerPort = read.integer('GATEHOUSE_WORKER_PORT', 0, 0, 65_535);
    this.host = read.text('GATEHOUSE_HOST') ?? '::';
    this.baseUrl = read.url('GATEHOUSE_BASE_URL', ['http:', 'https:']) ?? `http://localhost:${this.port}`;
    this.hosts = read.hosts('GATEHOUSE_HOSTS');
    this.dataDirectory = resolve(read.text('GATEHOUSE_DATA') ?? './.data');
    this.diskReserveMb = read.integer('GATEHOUSE_DISK_RESERVE_MB', 256, 0, 1_000_000_000);
    this.databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
    this.redisUrl = read.url('REDIS_URL', ['redis:', 'rediss:', 'valkey:', 'valkeys:']);
    this.databasePool = read.integer('GATEHOUSE_DATABASE_POOL', 16, 2, 500);
    this.startWaitSeconds = read.integer('GATEHOUSE_START_WAIT_SECONDS', 30, 0, 3600);
    this.masterKey = read.base64('GATEHOUSE_MASTER_KEY', 32);
    this.outboundAllow = read.cidrs('GATEHOUSE_OUTBOUND_ALLOW');
    this.plainSecrets = read.cidrs('GATEHOUSE_PLAIN_SECRETS');
    this.trustProxy = read.cidrs('GATEHOUSE_TRUST_PROXY');
    this.metricsAllow = read.cidrs('GATEHOUSE_METRICS_ALLOW');
    this.metricsToken = read.matching(
      'GATEHOUSE_METRICS_TOKEN',
      /^[\x21-\x7e]{16,200}$/,
      '16 to 200 printable characters without blanks',
    );
    const store = {
      endpoint: read.url('GATEHOUSE_S3_ENDPOINT', ['http:', 'https:']),
      region: read.text('AWS_REGION') ?? 'us-east-1',
    };
    this.files = this.filesLocation(read, store);
    this.logSink = readLogSink(read, store);
    this.fileLinks = read.oneOf('GATEHOUSE_FILE_LINKS', ['on', 'off'], 'on') === 'on';
    this.personalTokens = read.oneOf('GATEHOUSE_PERSONAL_TOKENS', ['on', 'off'], 'on') === 'on';
    this.passwords = read.oneOf('GATEHOUSE_PASSWORDS', ['on', 'off'], 'on') === 'on';
    this.oidc = readOidc(read);
    const secondFactor = read.oneOf('GATEHOUSE_SECOND_FACTOR', ['optional', 'required'], 'optional');
    this.secondFactorRequired = secondFactor === 'required';
    this.oauthRegistration = read.oneOf('GATEHOUSE_OAUTH_REGISTRATION', ['on', 'off'], 'on') === 'on';
    this.mcpTools = read.integer('GATEHOUSE_MCP_TOOLS', 40, 20, 100_000);
    this.rateLimit = read.integer('GATEHOUSE_RATE_LIMIT', 600, 0, 1_000_000_000);
    this.rateBurst = read.integer('GATEHOUSE_RATE_BURST', 100, 1, 1_000_000_000);
    this.rateTogether = read.integer('GATEHOUSE_RATE_TOGETHER', 3, 1, 1000);
    this.nodePath = read.program('GATEHOUSE_NODE') ?? process.execPath;
    this.requireProof = read.oneOf('GATEHOUSE_REQUIRE_PROOF', ['off', 'warn', 'on'], 'off');
    this.proofWithout = read.list('GATEHOUSE_PROOF_WITHOUT');
    this.warmInterpreters = read.oneOf('GATEHOUSE_WARM', ['on', 'off'], 'on') === 'on';
    this.templates = read.oneOf('GATEHOUSE_TEMPLATES', ['on', 'off'], 'on') === 'on';
    this.templateMemoryMb = read.integer('GATEHOUSE_TEMPLATE_MEMORY', TEMPLATE_MEMORY, 0, 1_000_000_000);
    this.keptMemoryMb = read.integer('GATEHOUSE_KEPT_MEMORY', KEPT_MEMORY, 0, 1_000_000_000);
    this.runConcurrency = read.integer('GATEHOUSE_RUN_CONCURRENCY', availableParallelism() * 2, 1, 1000);
    this.workerTags = readWorkerTags(read);
    this.workerMemoryMb = read.integer('GATEHOUSE_WORKER_MEMORY', WORKER_MEMORY, 0, 1_000_000_000);
    this.maxMemoryMb = read.integer('GATEHOUSE_MAX_MEMORY', 2048, 512, 1_048_576);
    this.maxTimeoutSeconds = read.integer('GATEHOUSE_MAX_TIMEOUT', 900, 30, MOST_SECONDS);
    this.workspaceShare = read.fraction('GATEHOUSE_WORKSPACE_SHARE', 0.75);
    this.drainLongRuns = read.oneOf('GATEHOUSE_DRAIN_LONG_RUNS', ['wait', 'retry'], 'wait');
    this.drainSeconds = read.integer('GATEHOUSE_DRAIN_SECONDS', 60, 0, 3600);
    this.signup = read.oneOf('GATEHOUSE_SIGNUP', ['invite', 'open'], 'invite');
    const perPerson = this.signup === 'open' ? 10 : 100;
    this.workspacesPerPerson = read.integer('GATEHOUSE_WORKSPACES_PER_PERSON', perPerson, 1, 1_000_000);
    this.automationsPerWorkspace = read.integer('GATEHOUSE_AUTOMATIONS_PER_WORKSPACE', 500, 1, 1_000_000);
    this.hookRate = read.integer('GATEHOUSE_HOOK_RATE', 600, 0, 1_000_000_000);
    this.hookBytes = read.integer('GATEHOUSE_HOOK_BYTES', 1_048_576, 1024, 1_048_576);
    this.smtpUrl = this.mailServer(read);
    this.mailFrom =
      read.matching('MAIL_FROM', MAIL_FROM, 'an e-mail address, or `Name <address>`') ?? this.defaultSender();
    const kept = this.givenRetention(read);
    this.retention = retentionOf(kept);
    this.plans = this.planTable(read, kept);
    this.models = readModels(read);
    this.agentAuditSample = read.share('GATEHOUSE_AGENT_AUDIT_SAMPLE', 0);
    this.secretStores = readSecretStores(read);
    this.tracing = readTracingSettings(read);
    this.extensions = read.list('GATEHOUSE_EXTENSIONS');
    this.extensionsDirectory = resolve(read.text('GATEHOUSE_EXTENSIONS_DIR') ?? '.');
    this.ownerEmail =
      read.matching('GATEHOUSE_OWNER_EMAIL', /^[^\s@]+@[^\s@]+$/, 'an e-mail address') ?? 'owner@localhost';
    this.ownerPassword = read.matching('GATEHOUSE_OWNER_PASSWORD', /^.{8,200}$/su, '8 to 200 characters');
    read.finish();
  }

  get servesApi(): boolean {
    return this.role !== 'worker';
  }

  get runsScripts(): boolean {
    return this.role !== 'api';
  }

  get secureCookies(): boolean {
    return this.baseUrl.startsWith('https:');
  }

  private givenRetention(read: SettingsReader): GivenRetention {
    const pairs = read.list('GATEHOUSE_RETENTION');
    try {
      return parseRetention(pairs);
    } catch (error) {
      const takes = 'days by kind, such as runs=90,logs=14';
      read.refuseShowing('GATEHOUSE_RETENTION', pairs.join(','), takes, (error as Error).message);
      return {};
    }
  }

  private planTable(read: SettingsReader, kept: GivenRetention): PlanTable {
    const value = read.text('GATEHOUSE_PLANS');
    if (value === null) return parsePlans('{}', kept);
    try {
      return parsePlans(value.startsWith('{') ? value : readFileSync(resolve(value), 'utf8'), kept);
    } catch (error) {
      const takes = 'plans as JSON, or the path of a file with them';
      read.refuseShowing('GATEHOUSE_PLANS', value, takes, (error as Error).message);
      return parsePlans('{}', kept);
    }
  }

  private mailServer(read: SettingsReader): string | null {
    const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
    if (url !== null && URL.canParse(url) && new URL(url).hostname === '') {
      read.refuse('SMTP_URL', 'an address with a host, such as smtp://user:password@host:587');
    }
    return url;
  }

  private defaultSender(): string {
    const host = URL.canParse(this.baseUrl) ? new URL(this.baseUrl).hostname : 'localhost';
    return `Gatehouse <gatehouse@${isIP(host.replace(/[[\]]/g, '')) ? 'localhost' : host}>`;
  }

  private filesLocation(
    read: SettingsReader,
    store: { endpoint: string | null; region: string },
  ): FilesLocation {
    const value = read.text('GATEHOUSE_FILES');
    const s3 = /^s3:\/\/([^/@]+)(?:\/(.*))?$/.exec(value ?? '');
    if (s3) return { kind: 's3', bucket: s3[1]!, prefix: (s3[2] ?? '').replace(/\/+$/, ''), ...store };
    if (value?.startsWith('file:')) {
      return { kind: 'file', directory: resolve(value.slice('file:'.length).replace(/^\/\/(?=\/)/, '')) };
    }
    if (value !== null && EXTENSION_STORAGE.test(value)) return { kind: 'extension', name: value };
    if (value !== null) {
      read.refuse(
        'GATEHOUSE_FILES',
        "`file:<directory>`, `s3://bucket/prefix` or the name of an extension's blob storage",
      );
    }
    return { kind: 'file', directory: resolve(this.dataDirectory, 'files') };
  }
}
