import { Calls, type RawRequest } from './http/calls.js';
import type { CallOptions, GatehouseOptions } from './http/settings.js';
import { AgentSettings } from './resources/agent-settings.js';
import { Agents } from './resources/agents.js';
import { Alerts } from './resources/alerts.js';
import { ApprovalActions } from './resources/approval-actions.js';
import { ApprovalRequests } from './resources/approval-requests.js';
import { AuditEvents } from './resources/audit-events.js';
import { Conversations } from './resources/conversations.js';
import { Environments } from './resources/environments.js';
import { Errors } from './resources/errors.js';
import { EventTypes } from './resources/event-types.js';
import { Events } from './resources/events.js';
import { Files } from './resources/files.js';
import { Hooks } from './resources/hooks.js';
import { HostAuthorities } from './resources/host-authorities.js';
import { Invitations } from './resources/invitations.js';
import { Members } from './resources/members.js';
import { Queues } from './resources/queues.js';
import { RunOperations } from './resources/run-operations.js';
import { Runs } from './resources/runs.js';
import { SavedViews } from './resources/saved-views.js';
import { Schedules } from './resources/schedules.js';
import { ScriptSettings } from './resources/script-settings.js';
import { Scripts } from './resources/scripts.js';
import { Secrets } from './resources/secrets.js';
import { Teams } from './resources/teams.js';
import { Triggers } from './resources/triggers.js';
import { Usage } from './resources/usage.js';
import { CurrentUser } from './resources/user.js';
import { Trials } from './resources/trials.js';
import { Versions } from './resources/versions.js';
import { WebhookEndpoints } from './resources/webhook-endpoints.js';
import { CurrentWorkspace } from './resources/workspace.js';

/**
 * A workspace of Gatehouse, as one credential sees it.
 *
 * @example
 * const gatehouse = new Gatehouse({ baseUrl: 'https://gatehouse.example.com', token, workspace: 'acme' });
 * const run = await gatehouse.runs.start('forecast', { city: 'Berlin' });
 */
export class Gatehouse {
  readonly agents: Agents;
  readonly alerts: Alerts;
  readonly agentSettings: AgentSettings;
  readonly conversations: Conversations;
  readonly approvalActions: ApprovalActions;
  readonly approvalRequests: ApprovalRequests;
  readonly auditEvents: AuditEvents;
  readonly environments: Environments;
  readonly errors: Errors;
  readonly events: Events;
  readonly eventTypes: EventTypes;
  readonly files: Files;
  readonly hooks: Hooks;
  readonly hostAuthorities: HostAuthorities;
  readonly invitations: Invitations;
  readonly members: Members;
  readonly queues: Queues;
  readonly runOperations: RunOperations;
  readonly runs: Runs;
  readonly savedViews: SavedViews;
  readonly schedules: Schedules;
  readonly scripts: Scripts;
  readonly scriptSettings: ScriptSettings;
  readonly secrets: Secrets;
  readonly teams: Teams;
  readonly triggers: Triggers;
  readonly usage: Usage;
  readonly user: CurrentUser;
  readonly trials: Trials;
  readonly versions: Versions;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly workspace: CurrentWorkspace;
  readonly #calls: Calls;
  readonly #options: GatehouseOptions;

  constructor(options: GatehouseOptions) {
    checkOptions(options);
    const calls = new Calls(options);
    this.#calls = calls;
    this.#options = options;
    this.agents = new Agents(calls);
    this.alerts = new Alerts(calls);
    this.agentSettings = new AgentSettings(calls);
    this.conversations = new Conversations(calls);
    this.approvalActions = new ApprovalActions(calls);
    this.approvalRequests = new ApprovalRequests(calls);
    this.auditEvents = new AuditEvents(calls);
    this.environments = new Environments(calls);
    this.errors = new Errors(calls);
    this.events = new Events(calls);
    this.eventTypes = new EventTypes(calls);
    this.files = new Files(calls);
    this.hooks = new Hooks(calls);
    this.hostAuthorities = new HostAuthorities(calls);
    this.invitations = new Invitations(calls);
    this.members = new Members(calls);
    this.queues = new Queues(calls);
    this.runOperations = new RunOperations(calls);
    this.runs = new Runs(calls);
    this.savedViews = new SavedViews(calls);
    this.schedules = new Schedules(calls);
    this.scripts = new Scripts(calls);
    this.scriptSettings = new ScriptSettings(calls);
    this.secrets = new Secrets(calls);
    this.teams = new Teams(calls);
    this.triggers = new Triggers(calls);
    this.usage = new Usage(calls);
    this.user = new CurrentUser(calls);
    this.trials = new Trials(calls);
    this.versions = new Versions(calls);
    this.webhookEndpoints = new WebhookEndpoints(calls);
    this.workspace = new CurrentWorkspace(calls);
  }

  /** The same with other settings: `gatehouse.with({ environment: 'staging' })`. */
  with(options: Partial<GatehouseOptions>): Gatehouse {
    return new Gatehouse({ ...this.#options, ...options });
  }

  /**
   * Sends a request by its method and path, for what has no method here. It is tried again and fails like the others.
   *
   * @returns the response, its body unread
   */
  request(request: RawRequest, options?: CallOptions): Promise<Response> {
    return this.#calls.request(request, options);
  }
}

function checkOptions({ baseUrl, token }: GatehouseOptions): void {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError('baseUrl has to be an address such as https://gatehouse.example.com.');
  }
  // An empty one is an environment variable that is not set.
  if (!token) throw new TypeError('token is missing: make one in the app, under Account.');
}
