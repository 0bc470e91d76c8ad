import { CertificateAuthority } from '../../../../libs/egress/index.js';
import { archiveOf } from '../../../support/scripts.js';
import { signInOnceMore } from './another-session.js';
import { askFromDevice } from './ask-from-device.js';
import { firstCode, withAuthenticator } from './second-factors.js';
import { type RouteLine, inTheApp, inWorkspace, ofTheToken, open } from './route-line.js';

const W = '/v1/workspace';
const ENDPOINTS = `${W}/webhook-endpoints`;
const ENDPOINT = `${ENDPOINTS}/{endpoint}`;
const SCRIPT = '/v1/scripts/{script}';

const APP = ['session'] as const;
const NO_AGENTS = ['session', 'personal_token', 'api_key'] as const;
const IN_PERSON = ['session', 'personal_token'] as const;
const TOKENS = ['personal_token', 'agent'] as const;

const READS_HOOKS = { byToken: 'owner', bound: true } as const;
const SENDS_HOOKS = READS_HOOKS;
const CHANGES_ALERTS = { byToken: 'owner', only: NO_AGENTS } as const;
const CHANGES_HOOKS = { ...READS_HOOKS, only: NO_AGENTS } as const;

/**
 * Every route, and who may use it: written down from the contract, not from the code, so that the two can disagree.
 * `{kinds}` in a path are those of `resources.ts`. What is asked with and expected otherwise: see `request.ts`.
 */
export const ROUTES: Record<string, RouteLine> = {
  // The service itself.
  'GET /v1/openapi.json': open(200),
  'GET /docs': open(200),
  'GET /docs/guide': open(200),
  'GET /docs/guide/{page}': open(404),
  'GET /docs/{page}': open(404),
  'GET /docs/assets/{asset}': open(404),
  'GET /packages': open(200),
  'GET /packages/npm/{package}': open(404),
  'GET /packages/{package}': open(404),
  'GET /health/live': open(200),
  'GET /health/ready': open(200),
  'GET /metrics': open(404),

  // What agents use: its tools have a table of their own in `mcp.security.ts`.
  'POST /mcp': inWorkspace('mcp', 'guest', {
    bound: true,
    only: ['agent', 'personal_token', 'api_key'],
    openToApps: true,
    silent: true,
  }),

  // Signing in, accounts, tokens.
  'POST /v1/auth/login': open(400),
  'POST /v1/auth/logout': inTheApp({ silent: true }),
  'GET /v1/auth/session': inTheApp(),
  'POST /v1/auth/confirm': inTheApp({
    silent: true,
    body: ({ owner }) => ({ password: owner.password }),
  }),
  'POST /v1/auth/confirm/options': inTheApp({ silent: true }),
  'GET /v1/auth/second-factor': open(400),
  'POST /v1/auth/second-factor': open(400),
  'POST /v1/auth/passkey/options': open(200),
  'POST /v1/auth/passkey': open(400),
  'POST /v1/auth/password': inTheApp({
    body: ({ owner }) => ({ current: owner.password, next: 'a password of tomorrow' }),
  }),
  'POST /v1/auth/forgot': open(400),
  'POST /v1/auth/reset': open(400),
  'GET /v1/auth/ways': open(200),
  'POST /v1/auth/ways/{way}/start': open(404),
  'POST /v1/auth/sign-in-link': open(400),
  'GET /v1/account/second-factors': inTheApp(),
  'POST /v1/account/second-factors/authenticator': inTheApp({ silent: true }),
  'POST /v1/account/second-factors/authenticator/confirm': inTheApp({ body: firstCode }),
  'DELETE /v1/account/second-factors/authenticator': inTheApp({ body: withAuthenticator }),
  'POST /v1/account/second-factors/passkeys/options': inTheApp({ silent: true }),
  // It needs the cookie of its challenge: second-factors.e2e.ts sees it written down.
  'POST /v1/account/second-factors/passkeys': inTheApp({ silent: true }),
  'DELETE /v1/account/second-factors/passkeys/{passkey}': inTheApp(),
  'POST /v1/account/second-factors/recovery-codes': inTheApp({ body: withAuthenticator }),
  'GET /v1/account/scopes': inTheApp(),
  'GET /v1/settings-pages/{page}': inTheApp({ allowed: 404 }),
  'GET /v1/account/tokens': inTheApp(),
  'POST /v1/account/tokens': inTheApp({ body: { name: 'New', scopes: ['runs:read'] } }),
  'DELETE /v1/account/tokens/{personalToken}': inTheApp(),
  'GET /v1/account/apps': inTheApp(),
  'PATCH /v1/account/apps/{connectedApp}': inTheApp({ body: { budget: { day: { runs: 10 } } } }),
  'GET /v1/account/apps/{connectedApp}/usage': inTheApp(),
  'DELETE /v1/account/apps/{connectedApp}': inTheApp(),
  'GET /v1/account/app-requests/{appRequest}': inTheApp(),
  'POST /v1/account/app-requests/{appRequest}/approve': inTheApp({
    body: ({ slug }) => ({ workspace: slug, scopes: ['runs:read'] }),
  }),
  'POST /v1/account/app-requests/{appRequest}/deny': inTheApp({ silent: true }),
  'POST /v1/account/device-requests': inTheApp({ silent: true, body: askFromDevice }),
  'POST /v1/account/device-requests/approve': inTheApp({
    body: async ({ slug }) => ({ ...(await askFromDevice()), workspace: slug, scopes: ['runs:read'] }),
  }),
  'POST /v1/account/device-requests/deny': inTheApp({ silent: true, body: askFromDevice }),
  'GET /v1/account/sessions': inTheApp(),
  'DELETE /v1/account/sessions/{session}': inTheApp(),
  'DELETE /v1/account/sessions': inTheApp({ body: signInOnceMore }),
  'GET /v1/user/me': ofTheToken(),
  'DELETE /v1/user/token': ofTheToken(),

  // The workspace.
  'POST /v1/workspaces': inTheApp({ silent: true }),
  [`GET ${W}`]: inWorkspace('workspace:read', 'guest', { bound: true }),
  [`PATCH ${W}`]: inWorkspace('workspace:write', 'owner', {
    body: { name: 'Another name' },
  }),
  [`DELETE ${W}`]: inWorkspace('workspace:write', 'owner', { only: IN_PERSON }),
  [`GET ${W}/audit-events`]: inWorkspace('workspace.audit:read', 'admin', { byToken: 'owner' }),
  [`GET ${W}/audit-events/export`]: inWorkspace('workspace.audit:read', 'admin', { byToken: 'owner' }),
  [`GET ${W}/usage`]: inWorkspace('workspace.usage:read', 'member', { bound: true }),
  [`GET ${W}/event-types`]: inWorkspace(null, 'guest', { bound: true }),
  [`GET ${W}/cli-commands`]: inWorkspace(null, 'guest', { bound: true }),
  [`GET ${W}/script-templates`]: inWorkspace(null, 'member', { bound: true }),
  [`GET ${W}/settings-pages`]: inWorkspace(null, 'guest', { bound: true }),
  // Goes on for ever where nothing is wrong with the request: see event-stream.security.ts.
  [`GET ${W}/events/stream`]: inWorkspace(null, 'guest', { bound: true, followsScopes: true, allowed: 400 }),
  [`GET ${W}/api-keys`]: inWorkspace(null, 'admin', { only: APP }),
  [`POST ${W}/api-keys`]: inWorkspace(null, 'admin', { only: APP, body: { name: 'New' } }),
  [`DELETE ${W}/api-keys/{apiKey}`]: inWorkspace(null, 'admin', { only: APP }),

  // People.
  [`GET ${W}/members`]: inWorkspace('workspace.members:read', 'member', { bound: true }),
  [`PATCH ${W}/members/{member}`]: inWorkspace('workspace.members:write', 'admin', {
    only: IN_PERSON,
    body: { role: 'admin' },
  }),
  [`DELETE ${W}/members/{member}`]: inWorkspace('workspace.members:write', 'admin', { only: IN_PERSON }),
  [`GET ${W}/invitations`]: inWorkspace('workspace.members:read', 'admin', { bound: true }),
  [`POST ${W}/invitations`]: inWorkspace('workspace.members:write', 'admin', {
    only: IN_PERSON,
    body: { email: 'new@example.com' },
  }),
  [`DELETE ${W}/invitations/{invitation}`]: inWorkspace('workspace.members:write', 'admin', {
    only: IN_PERSON,
  }),
  'GET /v1/invitations/{link}': open(400),
  'POST /v1/invitations/{link}/accept': open(400),
  'POST /v1/invitations/{link}/decline': open(400),
  [`GET ${W}/teams`]: inWorkspace('workspace.teams:read', 'member', { bound: true }),
  [`POST ${W}/teams`]: inWorkspace('workspace.teams:write', 'admin', { body: { name: 'New' } }),
  [`GET ${W}/teams/{team}`]: inWorkspace('workspace.teams:read', 'member', { bound: true }),
  [`PATCH ${W}/teams/{team}`]: inWorkspace('workspace.teams:write', 'admin', {
    body: { name: 'Another name' },
  }),
  [`DELETE ${W}/teams/{team}`]: inWorkspace('workspace.teams:write', 'admin'),
  [`PUT ${W}/teams/{team}/members/{user}`]: inWorkspace('workspace.teams:write', 'admin'),
  [`DELETE ${W}/teams/{team}/members/{teammate}`]: inWorkspace('workspace.teams:write', 'admin'),

  // Approvals.
  [`GET ${W}/approval-actions`]: inWorkspace('workspace.approvals:read', 'member', { bound: true }),
  [`GET ${W}/approval-requests`]: inWorkspace(null, 'member', { only: APP }),
  [`POST ${W}/approval-requests`]: inWorkspace('workspace.approvals:write', 'member', {
    bound: true,
    only: TOKENS,
    body: { action: 'environment.create', input: { name: 'new' }, reason: 'Why not' },
  }),
  [`GET ${W}/approval-requests/{approval}`]: inWorkspace('workspace.approvals:read', 'member', {
    bound: true,
  }),
  [`POST ${W}/approval-requests/{approval}/approve`]: inWorkspace(null, 'member', { only: APP }),
  [`POST ${W}/approval-requests/{approval}/deny`]: inWorkspace(null, 'member', {
    only: APP,
    body: { reason: 'No.' },
  }),
  [`POST ${W}/approval-requests/{approvedRequest}/redeem`]: inWorkspace(
    'workspace.approvals:write',
    'member',
    { bound: true, only: TOKENS },
  ),

  // Environments and secrets.
  [`GET ${W}/environments`]: inWorkspace('workspace.environments:read', 'member', { bound: true }),
  [`POST ${W}/environments`]: inWorkspace('workspace.environments:write', 'admin', {
    body: { name: 'new' },
  }),
  [`GET ${W}/environments/{environment}`]: inWorkspace('workspace.environments:read', 'member', {
    bound: true,
  }),
  [`PATCH ${W}/environments/{environment}`]: inWorkspace('workspace.environments:write', 'admin', {
    body: { approvalPolicy: 'always' },
  }),
  [`DELETE ${W}/environments/{environment}`]: inWorkspace('workspace.environments:write', 'admin'),
  [`GET ${W}/host-authorities`]: inWorkspace('workspace:read', 'member', { bound: true }),
  [`PUT ${W}/host-authorities/{authoritiesHost}`]: inWorkspace('workspace:write', 'owner', {
    only: IN_PERSON,
    makes: true,
    body: () => ({ certificates: new CertificateAuthority().certificate }),
  }),
  [`DELETE ${W}/host-authorities/{authoritiesHost}`]: inWorkspace('workspace:write', 'owner', {
    only: IN_PERSON,
  }),
  [`GET ${W}/queues`]: inWorkspace('runs:read', 'member'),
  [`POST ${W}/queues`]: inWorkspace('runs:write', 'admin', { body: { name: 'new' } }),
  [`GET ${W}/queues/{queue}`]: inWorkspace('runs:read', 'member'),
  [`PATCH ${W}/queues/{queue}`]: inWorkspace('runs:write', 'admin', { body: { paused: true } }),
  [`DELETE ${W}/queues/{queue}`]: inWorkspace('runs:write', 'admin'),
  [`GET ${W}/views`]: inWorkspace('runs:read', 'guest', { only: IN_PERSON }),
  [`POST ${W}/views`]: inWorkspace('runs:write', 'guest', {
    only: IN_PERSON,
    body: { list: 'runs', name: 'new', search: 'status=failed' },
  }),
  [`PATCH ${W}/views/{view}`]: inWorkspace('runs:write', 'guest', {
    only: IN_PERSON,
    body: { search: 'status=cancelled' },
  }),
  [`DELETE ${W}/views/{view}`]: inWorkspace('runs:write', 'guest', { only: IN_PERSON }),
  [`GET ${W}/secret-sources`]: inWorkspace('workspace.secrets:read', 'member', { bound: true }),
  [`GET ${W}/secrets`]: inWorkspace('workspace.secrets:read', 'member', { bound: true }),
  [`GET ${W}/secrets/{secret}`]: inWorkspace('workspace.secrets:read', 'member', { bound: true }),
  [`PUT ${W}/secrets/{secret}`]: inWorkspace('workspace.secrets:write', 'member', {
    bound: true,
    makes: true,
    body: { value: 'another value', hosts: ['api.example.com'] },
  }),
  [`DELETE ${W}/secrets/{secret}`]: inWorkspace('workspace.secrets:write', 'member', { bound: true }),

  // Webhooks.
  [`GET ${ENDPOINTS}`]: inWorkspace('workspace.webhooks:read', 'admin', READS_HOOKS),
  [`POST ${ENDPOINTS}`]: inWorkspace('workspace.webhooks:write', 'admin', {
    ...CHANGES_HOOKS,
    body: { url: 'https://new.example.invalid/hook' },
  }),
  [`GET ${ENDPOINT}`]: inWorkspace('workspace.webhooks:read', 'admin', READS_HOOKS),
  [`PATCH ${ENDPOINT}`]: inWorkspace('workspace.webhooks:write', 'admin', {
    ...CHANGES_HOOKS,
    body: { description: 'Another description' },
  }),
  [`DELETE ${ENDPOINT}`]: inWorkspace('workspace.webhooks:write', 'admin', CHANGES_HOOKS),
  [`POST ${ENDPOINTS}/{disabledEndpoint}/enable`]: inWorkspace(
    'workspace.webhooks:write',
    'admin',
    CHANGES_HOOKS,
  ),
  [`POST ${ENDPOINT}/rotate-secret`]: inWorkspace('workspace.webhooks:write', 'admin', CHANGES_HOOKS),
  [`POST ${ENDPOINT}/test`]: inWorkspace('workspace.webhooks:write', 'admin', SENDS_HOOKS),
  [`POST ${ENDPOINT}/recover`]: inWorkspace('workspace.webhooks:write', 'admin', {
    ...CHANGES_HOOKS,
    body: { since: new Date(Date.now() - 60_000).toISOString() },
  }),
  [`GET ${ENDPOINT}/deliveries`]: inWorkspace('workspace.webhooks:read', 'admin', READS_HOOKS),
  [`GET ${ENDPOINT}/deliveries/{delivery}/attempts`]: inWorkspace(
    'workspace.webhooks:read',
    'admin',
    READS_HOOKS,
  ),
  [`GET ${ENDPOINT}/deliveries/{delivery}/request`]: inWorkspace(
    'workspace.webhooks:read',
    'admin',
    READS_HOOKS,
  ),
  [`GET ${ENDPOINT}/statistics`]: inWorkspace('workspace.webhooks:read', 'admin', READS_HOOKS),
  [`POST ${ENDPOINT}/deliveries/{delivery}/redeliver`]: inWorkspace(
    'workspace.webhooks:write',
    'admin',
    SENDS_HOOKS,
  ),

  // Alerts.
  'GET /v1/alerts': inWorkspace('workspace.webhooks:read', 'admin', { byToken: 'owner' }),
  'POST /v1/alerts': inWorkspace('workspace.webhooks:write', 'admin', {
    ...CHANGES_ALERTS,
    body: {
      name: 'New',
      on: ['failed'],
      destination: { channel: 'webhook', url: 'https://new.example.invalid/alerts' },
    },
  }),
  'GET /v1/alerts/{alert}': inWorkspace('workspace.webhooks:read', 'admin', { byToken: 'owner' }),
  'PATCH /v1/alerts/{alert}': inWorkspace('workspace.webhooks:write', 'admin', {
    ...CHANGES_ALERTS,
    body: { groupSeconds: 60 },
  }),
  'DELETE /v1/alerts/{alert}': inWorkspace('workspace.webhooks:write', 'admin', CHANGES_ALERTS),
  'POST /v1/alerts/{alert}/test': inWorkspace('workspace.webhooks:write', 'admin', CHANGES_ALERTS),
  'GET /v1/alerts/{alert}/messages': inWorkspace('workspace.webhooks:read', 'admin', { byToken: 'owner' }),

  // Errors, and how runs end.
  'GET /v1/runs/statistics': inWorkspace('runs:read', 'member', { bound: true }),
  'GET /v1/errors': inWorkspace('runs:read', 'member', { bound: true }),
  'GET /v1/errors/{error}': inWorkspace('runs:read', 'member', { bound: true }),
  'POST /v1/errors/{error}/resolve': inWorkspace('runs:write', 'member', { bound: true }),
  'POST /v1/errors/{error}/ignore': inWorkspace('runs:write', 'member', { bound: true, body: {} }),
  'POST /v1/errors/{resolvedError}/reopen': inWorkspace('runs:write', 'member', { bound: true }),

  // Scripts and their versions.
  'GET /v1/scripts': inWorkspace('scripts:read', 'guest', { bound: true }),
  'POST /v1/scripts': inWorkspace('scripts:write', 'member', {
    bound: true,
    body: { slug: 'new', name: 'New' },
  }),
  [`GET ${SCRIPT}`]: inWorkspace('scripts:read', 'guest', { bound: true }),
  [`PATCH ${SCRIPT}`]: inWorkspace('scripts:write', 'member', { body: { name: 'Another name' } }),
  [`DELETE ${SCRIPT}`]: inWorkspace('scripts:write', 'member'),
  'POST /v1/scripts/{draft}/publish': inWorkspace('scripts:write', 'member', {
    body: { version: 1 },
  }),
  [`POST ${SCRIPT}/unpublish`]: inWorkspace('scripts:write', 'member'),
  'POST /v1/scripts/{archivedScript}/restore': inWorkspace('scripts:write', 'member'),
  [`GET ${SCRIPT}/activity`]: inWorkspace('scripts:read', 'guest', { bound: true }),
  [`GET ${SCRIPT}/versions`]: inWorkspace('scripts:read', 'member', { bound: true }),
  [`POST ${SCRIPT}/versions`]: inWorkspace('scripts:write', 'member', {
    bound: true,
    body: async () => ({ archive: await archiveOf({ 'main.py': 'print(2)' }) }),
  }),
  [`GET ${SCRIPT}/versions/{version}`]: inWorkspace('scripts:read', 'member', { bound: true }),
  [`GET ${SCRIPT}/versions/{version}/archive`]: inWorkspace('scripts:read', 'member', { bound: true }),
  [`POST ${SCRIPT}/trials`]: inWorkspace('scripts:write', 'member', {
    bound: true,
    body: async () => ({ archive: await archiveOf({ 'main.py': 'print(2)' }) }),
  }),
  [`GET ${SCRIPT}/trials/{trial}`]: inWorkspace('scripts:read', 'member', { bound: true }),
  [`GET ${SCRIPT}/trials/{trial}/archive`]: inWorkspace('scripts:read', 'member', { bound: true }),
  [`GET ${W}/sign-in-settings`]: inWorkspace('workspace:read', 'member', { bound: true }),
  [`PATCH ${W}/sign-in-settings`]: inWorkspace('workspace:write', 'owner', {
    only: APP,
    body: { stepUpMinutes: 5 },
  }),
  [`GET ${W}/script-settings`]: inWorkspace('scripts:read', 'member', { bound: true }),
  [`PATCH ${W}/script-settings`]: inWorkspace('scripts:write', 'admin', {
    body: { publishNeedsSecondPerson: true },
  }),

  // Runs and files.
  [`POST ${SCRIPT}/runs`]: inWorkspace('runs:write', 'guest', { bound: true, body: {} }),
  [`POST ${SCRIPT}/runs/batch`]: inWorkspace('runs:write', 'guest', { bound: true, body: { inputs: [{}] } }),
  [`POST ${SCRIPT}/versions/{version}/runs`]: inWorkspace('runs:write', 'member', { bound: true, body: {} }),
  [`POST ${SCRIPT}/trials/{trial}/runs`]: inWorkspace('runs:write', 'member', { bound: true, body: {} }),
  'GET /v1/runs': inWorkspace('runs:read', 'guest', { bound: true }),
  'GET /v1/runs/export': inWorkspace('runs:read', 'guest', { bound: true }),
  'POST /v1/runs/cancel': inWorkspace('runs:write', 'guest', { bound: true, body: { script: 'none' } }),
  'POST /v1/runs/rerun': inWorkspace('runs:write', 'guest', { bound: true, body: { script: 'none' } }),
  'GET /v1/runs/operations': inWorkspace('runs:read', 'guest', { bound: true }),
  'GET /v1/runs/operations/{runOperation}': inWorkspace('runs:read', 'guest', { bound: true }),
  'POST /v1/runs/operations/{runOperation}/cancel': inWorkspace('runs:write', 'guest', { bound: true }),
  'GET /v1/runs/{run}': inWorkspace('runs:read', 'guest', { bound: true }),
  'PATCH /v1/runs/{delayedRun}': inWorkspace('runs:write', 'guest', { bound: true, body: { startAt: '2h' } }),
  'POST /v1/runs/{heldRun}/cancel': inWorkspace('runs:write', 'guest', { bound: true }),
  'POST /v1/runs/{run}/rerun': inWorkspace('runs:write', 'guest', { bound: true }),
  'GET /v1/runs/{run}/planned': inWorkspace('runs:read', 'guest', { bound: true }),
  'GET /v1/runs/{run}/log': inWorkspace('runs:read', 'guest', { bound: true }),
  'GET /v1/runs/{run}/log/content': inWorkspace('runs:read', 'guest', { bound: true }),
  'GET /v1/runs/{run}/log/stream': inWorkspace('runs:read', 'guest', { bound: true }),
  'POST /v1/files': inWorkspace('files:write', 'guest', { bound: true, query: '?name=new.txt', body: 'new' }),
  'POST /v1/files/uploads': inWorkspace('files:write', 'guest', {
    bound: true,
    body: { name: 'new.txt', maxBytes: 10 },
  }),
  'PUT /v1/files/uploads/{upload}': open(400),
  'GET /v1/files': inWorkspace('files:read', 'guest', { bound: true }),
  'GET /v1/files/{file}': inWorkspace('files:read', 'guest', { bound: true }),
  'DELETE /v1/files/{file}': inWorkspace('files:write', 'guest', { bound: true }),
  'GET /v1/files/{file}/content': inWorkspace('files:read', 'guest', { bound: true }),
  'GET /v1/files/{file}/download': open(400),

  // Agents.
  'GET /v1/agents': inWorkspace('agents:read', 'member', { bound: true }),
  'POST /v1/agents': inWorkspace('agents:write', 'member', {
    body: { slug: 'new', name: 'New' },
  }),
  'GET /v1/agents/{agent}': inWorkspace('agents:read', 'member', { bound: true }),
  'PATCH /v1/agents/{agent}': inWorkspace('agents:write', 'member', {
    body: { name: 'Another name' },
  }),
  'DELETE /v1/agents/{agent}': inWorkspace('agents:write', 'member'),
  // Enabled ones need a language model, which the tests' service has not: see agent-chat.e2e.ts.
  'POST /v1/agents/{disabledAgent}/chat': inWorkspace('agents:write', 'member', {
    bound: true,
    silent: true,
    body: { messages: [{ role: 'user', content: 'Hello' }] },
  }),

  'GET /v1/agents/{agent}/usage': inWorkspace('agents:read', 'member', { bound: true }),
  [`GET ${W}/agent-settings`]: inWorkspace('agents:read', 'member', { bound: true }),
  [`PATCH ${W}/agent-settings`]: inWorkspace('agents:write', 'owner', {
    body: { memberBudget: { day: { runs: 10 } } },
  }),
  [`GET ${W}/agent-settings/usage`]: inWorkspace('agents:read', 'member', { bound: true }),
  'GET /v1/agents/{disabledAgent}/conversations': inWorkspace('agents:read', 'member', { bound: true }),
  // What somebody says to an agent is theirs, and no entry of the trail.
  'POST /v1/agents/{disabledAgent}/conversations': inWorkspace('agents:write', 'member', {
    bound: true,
    silent: true,
    body: {},
  }),
  'GET /v1/agents/{disabledAgent}/conversations/{conversation}': inWorkspace('agents:read', 'member', {
    bound: true,
  }),
  'DELETE /v1/agents/{disabledAgent}/conversations/{conversation}': inWorkspace('agents:write', 'member', {
    bound: true,
    silent: true,
  }),
  'POST /v1/agents/{disabledAgent}/conversations/{conversation}/messages': inWorkspace(
    'agents:write',
    'member',
    { bound: true, silent: true, body: { content: 'Hello' } },
  ),

  // Schedules and triggers.
  [`GET ${SCRIPT}/schedules`]: inWorkspace('schedules:read', 'member', { bound: true }),
  [`POST ${SCRIPT}/schedules`]: inWorkspace('schedules:write', 'member', {
    bound: true,
    body: { name: 'Yearly', cron: '0 0 1 1 *' },
  }),
  'GET /v1/schedules': inWorkspace('schedules:read', 'member', { bound: true }),
  'GET /v1/schedules/preview': inWorkspace('schedules:read', 'member', { bound: true, allowed: 400 }),
  'GET /v1/schedules/{schedule}': inWorkspace('schedules:read', 'member', { bound: true }),
  'PATCH /v1/schedules/{schedule}': inWorkspace('schedules:write', 'member', {
    bound: true,
    body: { enabled: false },
  }),
  'DELETE /v1/schedules/{schedule}': inWorkspace('schedules:write', 'member', { bound: true }),
  [`GET ${SCRIPT}/triggers`]: inWorkspace('triggers:read', 'member', { bound: true }),
  [`POST ${SCRIPT}/triggers`]: inWorkspace('triggers:write', 'member', {
    bound: true,
    body: { name: 'On joining', eventType: 'workspace.member.joined' },
  }),
  'GET /v1/triggers': inWorkspace('triggers:read', 'member', { bound: true }),
  'GET /v1/triggers/{trigger}': inWorkspace('triggers:read', 'member', { bound: true }),
  'PATCH /v1/triggers/{trigger}': inWorkspace('triggers:write', 'member', {
    bound: true,
    body: { enabled: false },
  }),
  'DELETE /v1/triggers/{trigger}': inWorkspace('triggers:write', 'member', { bound: true }),
  'POST /v1/triggers/{trigger}/test': inWorkspace('triggers:write', 'member', {
    bound: true,
    silent: true,
    body: { event: { type: 'workspace.member.joined', data: { userId: 'u', email: 'e', role: 'member' } } },
  }),

  // Hooks.
  [`GET ${SCRIPT}/hooks`]: inWorkspace('hooks:read', 'member', { bound: true }),
  [`POST ${SCRIPT}/hooks`]: inWorkspace('hooks:write', 'member', {
    bound: true,
    body: { name: 'Pushes', verify: { scheme: 'github', secret: 'NO_SUCH_SECRET' } },
  }),
  'GET /v1/hooks': inWorkspace('hooks:read', 'member', { bound: true }),
  'GET /v1/hooks/{hook}': inWorkspace('hooks:read', 'member', { bound: true }),
  'PATCH /v1/hooks/{hook}': inWorkspace('hooks:write', 'member', {
    bound: true,
    body: { enabled: false },
  }),
  'DELETE /v1/hooks/{hook}': inWorkspace('hooks:write', 'member', { bound: true }),
  'POST /v1/hooks/{hook}/rotate': inWorkspace('hooks:write', 'member', { bound: true }),
  'GET /v1/hooks/{hook}/receipts': inWorkspace('hooks:read', 'member', { bound: true }),
  'GET /v1/hooks/{hook}/receipts/{receipt}': inWorkspace('hooks:read', 'member', { bound: true }),
  'POST /v1/hooks/{hook}/receipts/{receipt}/replay': inWorkspace('runs:write', 'member', {
    bound: true,
    body: {},
  }),
  'GET /hooks/{address}': open(404),
  'POST /hooks/{address}': open(404),
};
