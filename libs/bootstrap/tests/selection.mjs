import { quarantinedFiles } from './flaky-files.mjs';

/** What needs a browser or another runtime, installs packages, waits for real leases, or starts a process for each question. */
const ONLY_IN_FULL = [
  ...['test/browser/**', 'test/client/browser*', 'test/client/deno*', 'test/client/package*'],
  'test/client/{python,generators}*',
  ...['test/faults/**', 'test/conformance/**', 'test/upgrades/upgrade*'],
  ...[
    'test/e2e/packages*',
    'test/e2e/mcp-clients*',
    'examples/pages.spec.ts',
    'src/core/docs/excerpts.spec.ts',
  ],
  'test/e2e/secret-stores*',
  ...['test/e2e/gate-{aws,packages}*', 'test/e2e/builds*'],
  'test/e2e/cli/{action,package,administration,folder-sync,at-hand,hostile-service,extension-commands}*',
  'test/e2e/cli/{account,folders,runs,workspace}*',
  'test/e2e/{master-key,several-processes,tracing,backup,embedded-copies,operators,doctor,old-data,log-sink,logging}*',
  'test/e2e/{refused-starts,extension-rules,passwords-off}*',
  ...['test/security/{missing-sandbox,hostile-scripts,embedded-pages}*', 'test/e2e/{extensions,mail}.e2e.ts'],
  ...[
    'test/security/{cloned-folders,secret-stores,templates,kept-processes}*',
    'test/e2e/{first-run,guide}.e2e.ts',
  ],
  'src/core/database/embedded/embedded-postgres.spec.ts',
  // A hundred programs each, three times; and the memory of the whole machine.
  'libs/sandbox/{templates,templates-imitated,forked-python,kernel-memory,kept-traces}.spec.ts',
  // Floods, real waits, and many processes: a quarter of the time of all others.
  'test/security/{event,gate,mail,schedule,schema}-floods.security.ts',
  'test/security/{floods,starvation,long-answers,event-handlers,chains,gate-process}.security.ts',
  'test/security/{multiplied-limits,memory,large-from-small}.security.ts',
  'test/e2e/{agent-chat-endings,credential-expiry,resources,rate-limit,event-stream}.e2e.ts',
  'test/e2e/{monitoring,gate-clients,build-mirrors,retention,health}.e2e.ts',
  'test/e2e/{webhooks/failures,cli/general,cli/events,cli/desk-walk}.e2e.ts',
  'libs/sandbox/warm-{slots,node,python}.spec.ts',
];

/**
 * What only a change of its own library or domain breaks, and takes long. The gate runs it for such a change, see
 * `gate/suites.mjs`; one file of each stays in `npm test`.
 */
export const BY_PATH = [
  'libs/sandbox/{writable-app,ordinary-user,unavailable,orphans,socket-memory,network}.spec.ts',
  'test/security/{kernel,network,space,processes,read-only,ordinary-user}.security.ts',
  'test/security/gate-{requests,upstreams,reflection,aws,streams,oracle}.security.ts',
  ...['libs/archive/refused-archives.spec.ts', 'test/security/{archives,build-trees}.security.ts'],
  ...['test/e2e/scim.e2e.ts', 'test/security/scim.security.ts', 'test/security/company-sign-in.security.ts'],
  'test/security/{providers-of-settings,registration,unproven-addresses}.security.ts',
  'test/e2e/{account-sessions,second-factors,password-reset,oauth-registration}.e2e.ts',
  ...[
    'test/e2e/agent-{chat,conversations,budgets,asks}.e2e.ts',
    'test/security/agent-conversations.security.ts',
  ],
  ...['test/e2e/alerts.e2e.ts', 'test/security/alerts.security.ts', 'test/e2e/usage.e2e.ts'],
  ...['test/e2e/mcp-{listen,pages}.e2e.ts', 'test/security/{event-stream,grants,metrics}.security.ts'],
  ...['test/e2e/causes.e2e.ts', 'test/e2e/testing.e2e.ts', 'test/e2e/webhooks/verification-snippets.e2e.ts'],
  ...[
    'libs/sandbox/{kept,kept-attacks,kept-neighbours,tree-removal}.spec.ts',
    'test/e2e/kept-processes.e2e.ts',
  ],
  ...['libs/sandbox/templates-handover.spec.ts', 'test/security/shared-folders.security.ts'],
  'libs/egress/protocols/postgres/{postgres.fuzz,postgres-{read-only,held-settings,planned,asks-hostile}}.spec.ts',
  ...['test/e2e/whole-log.e2e.ts', 'test/security/{whole-log,errors,plain-secrets}.security.ts'],
  ...['test/e2e/{prove,lost-access}.e2e.ts', 'test/e2e/cli/json.e2e.ts'],
  ...[
    'src/core/storage/blob-store-checks.spec.ts',
    'examples/{webdav-files,vault-secrets,perl-scripts}/*.spec.ts',
  ],
  'examples/{on-call,tickets,company-login,deploy-action}/*.spec.ts',
];

/** Globs of the test files that `npm test` leaves out, those in quarantine among them. */
export const leftOutOfNpmTest = () => [...ONLY_IN_FULL, ...BY_PATH, ...quarantinedFiles()];
