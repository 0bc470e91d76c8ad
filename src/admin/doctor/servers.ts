import { existsSync } from 'node:fs';

import type { Settings } from '../../core/config/index.js';
import {
  checkDatabase,
  ConnectionOptions,
  type DatabaseFacts,
  placeOfDatabase,
  waitingMigrations,
} from '../../core/database/index.js';
import { EmbeddedPostgres } from '../../core/database/embedded/index.js';
import { checkMailServer } from '../../core/mail/index.js';
import { checkRedis, placeOfRedis } from '../../core/queue/index.js';
import { createBlobStore } from '../../core/storage/index.js';
import { CompanyWay, OpenId } from '../../sign-in/index.js';
import { examined, fail, type Finding, ok, warn } from './finding.js';

/** Leases and signatures bear less than this; sessions and links of an hour would bear more. */
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 60_000;
const ANSWER_MS = 5_000;

export async function examineDatabase({ databaseUrl, dataDirectory }: Settings): Promise<Finding[]> {
  const url = databaseUrl ?? (await EmbeddedPostgres.runningUrl(dataDirectory));
  if (url === null)
    return [ok('database', 'the embedded one, which starts and stops with the service; it does not run')];
  const facts = await checkDatabase(url);
  const where = databaseUrl === null ? 'embedded' : placeOfDatabase(url);
  return [
    ok('database', `PostgreSQL ${facts.version}, ${where}`),
    clock(facts),
    ...(await examined('tables', () => examineTables(url))),
  ];
}

/** Fails as a start would: where they are a newer version's, or another program's. */
async function examineTables(url: string): Promise<Finding> {
  const waiting = await waitingMigrations(new ConnectionOptions(url, 1));
  return ok('tables', waiting === 0 ? 'up to date' : `the next start carries out ${waiting} migrations`);
}

function clock({ clockAheadMs }: DatabaseFacts): Finding {
  const name = 'clock';
  const ms = Math.abs(clockAheadMs);
  if (ms < CLOCK_WARN_MS) return ok(name, "as the database's");
  const found = `${(ms / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'behind' : 'ahead of'} the database's`;
  const cure = 'Keep the clocks of both machines by NTP: timedatectl set-ntp true';
  return ms < CLOCK_FAIL_MS ? warn(name, found, cure) : fail(name, found, cure);
}

export async function examineQueue({ redisUrl }: Settings): Promise<Finding> {
  if (redisUrl === null) return ok('queue', 'in the database');
  return ok('queue', `${await checkRedis(redisUrl)}, ${placeOfRedis(redisUrl)}`);
}

export async function examineStorage({ files }: Settings): Promise<Finding> {
  if (files.kind === 'extension') {
    return ok('files', `kept by the extension ${files.name}; /health/ready of the service says how it is`);
  }
  if (files.kind === 'file' && !existsSync(files.directory)) {
    return ok('files', `${files.directory} is made by the first start`);
  }
  const store = await createBlobStore(files);
  await store.ready();
  return ok('files', files.kind === 'file' ? files.directory : `s3://${files.bucket}/${files.prefix}`);
}

export async function examineMail({ smtpUrl }: Settings): Promise<Finding> {
  if (smtpUrl === null) return ok('mail', 'none is sent: SMTP_URL is not set');
  await checkMailServer(smtpUrl);
  return ok('mail', new URL(smtpUrl).host);
}

/** As a sign-in does it, from this machine. */
export async function examineProviders(settings: Settings): Promise<Finding[]> {
  const openId = new OpenId(settings);
  const findings = settings.oidc.map(async (provider) => {
    const name = `sign-in with ${provider.id}`;
    const problem = await new CompanyWay(provider, openId).check().then(
      () => null,
      (error: Error) => error,
    );
    if (problem === null) return ok(name, provider.issuer);
    return fail(
      name,
      problem.message,
      'Correct its settings (docs/guide/sign-in.md), or what keeps this machine from it.',
    );
  });
  return Promise.all(findings).finally(() => openId.onApplicationShutdown());
}

/** Under which people reach it. This machine may reach it another way than they do, or not at all. */
export async function examineAddress({ baseUrl }: Settings): Promise<Finding> {
  const name = 'address';
  const answer = await fetch(`${baseUrl}/health/ready`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => error as Error);
  if (answer instanceof Error) {
    const why = answer.cause instanceof Error ? answer.cause.message : answer.message;
    return warn(
      name,
      `${baseUrl} gives no answer here: ${why}`,
      'Start the service, or correct GATEHOUSE_BASE_URL, its DNS entry or the proxy.',
    );
  }
  const body = (await answer.json().catch(() => null)) as {
    status?: string;
    error?: { message: string };
  } | null;
  if (answer.status === 200 && body?.status === 'ready') return ok(name, `${baseUrl} is ready`);
  if (answer.status === 421) {
    return fail(
      name,
      `${baseUrl} leads to a proxy that sends a host of its own`,
      'Have the proxy pass the Host header on, or name that host in GATEHOUSE_HOSTS.',
    );
  }
  if (body?.error)
    return fail(name, `${baseUrl} is not ready: ${body.error.message}`, 'See the log of the service.');
  return fail(
    name,
    `something else answers at ${baseUrl} (status ${answer.status})`,
    'Stop what has the port (PORT), or correct GATEHOUSE_BASE_URL or where the proxy sends it.',
  );
}
