import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { isId, newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { Conflict, InvalidRequest, NotFound } from '../core/errors/problems.js';
import { lineProblem } from '../core/http/text.validators.js';
import { IdempotencyService } from '../core/idempotency/idempotency.service.js';
import { ResourceResponses } from '../core/idempotency/resource-responses.js';
import { EventTypes } from '../core/outbox/event-types.js';
import { EnvironmentsService } from '../environments/index.js';
import { EndpointChangeNotices } from './endpoint-change-notices.js';
import { endpointName, presentEndpoint } from './endpoint-presenter.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointTargets } from './endpoint-targets.js';
import { urlProblem } from './endpoint-url.js';
import type {
  EndpointInput,
  EndpointPatch,
  WebhookEndpointCreatedDto,
  WebhookEndpointDto,
} from './endpoint.dto.js';
import { type EndpointPlace, type EndpointRow, EndpointsRepository } from './endpoints.repository.js';

const MOST_ENDPOINTS = 10;
/** How these are known to what remembers answers. */
const CREATED = 'webhook_endpoint_created';
const CHANGED = 'webhook_endpoint_changed';

/** The endpoints of the environment in which the caller acts; those of others do not exist there. */
@Injectable()
export class Endpoints implements OnModuleInit {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly targets: EndpointTargets,
    private readonly secrets: EndpointSecrets,
    private readonly environments: EnvironmentsService,
    private readonly types: EventTypes,
    private readonly notices: EndpointChangeNotices,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
    private readonly answers: ResourceResponses,
  ) {}

  onModuleInit(): void {
    this.answers.register(CREATED, async (id, caller) => {
      const row = await this.endpoints.find(placeOf(caller), id);
      if (!row) return null;
      const secret = await this.secrets.open(caller.workspace.id, id, row.sealedSecret);
      return { status: 201, body: { endpoint: presentEndpoint(row), secret } };
    });
    this.answers.register(CHANGED, async (id, caller) => {
      const row = await this.endpoints.find(placeOf(caller), id);
      return row && { status: 200, body: presentEndpoint(row) };
    });
  }

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<WebhookEndpointDto>> {
    const place = placeOf(caller);
    return keysetPage(
      request,
      { list: 'webhook_endpoints', filters: place },
      (after, count) => this.endpoints.list(place, after, count),
      presentEndpoint,
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<WebhookEndpointDto> {
    return presentEndpoint(await this.find(caller, id));
  }

  async find(caller: WorkspaceCaller, id: string): Promise<EndpointRow> {
    const row = isId('endpoint', id) ? await this.endpoints.find(placeOf(caller), id) : null;
    if (!row) throw new NotFound('webhook endpoint');
    return row;
  }

  /** For the route: looks the URL up, which `create` leaves to whoever calls it. */
  async register(caller: WorkspaceCaller, input: EndpointInput): Promise<WebhookEndpointCreatedDto> {
    this.checkTypes(input.eventTypes);
    await this.targets.check(input.url);
    return this.database.transaction(async () => {
      const created = await this.create(caller, input);
      await this.idempotency.commit(CREATED, created.endpoint.id);
      return created;
    });
  }

  /** Its URL has been checked already (`EndpointTargets.check`). */
  create(caller: WorkspaceCaller, input: EndpointInput): Promise<WebhookEndpointCreatedDto> {
    this.checkTypes(input.eventTypes);
    const place = placeOf(caller);
    return this.database.transaction(async () => {
      if ((await this.endpoints.countLocked(place.workspaceId)) >= MOST_ENDPOINTS) {
        throw new Conflict(`A workspace has at most ${MOST_ENDPOINTS} webhook endpoints. Delete one first.`);
      }
      if (!(await this.environments.hold(place.workspaceId, place.environmentId))) {
        throw new Conflict(`The environment ${caller.environment.name} was deleted.`);
      }
      const id = newId('endpoint');
      const { secret, sealedSecret } = await this.secrets.make(place.workspaceId, id);
      await this.endpoints.insert({
        ...place,
        id,
        url: input.url,
        description: input.description ?? null,
        eventTypes: input.eventTypes ?? null,
        sealedSecret,
        createdByUserId: caller.person?.id ?? null,
      });
      const row = await this.find(caller, id);
      await this.record(caller, 'webhook_endpoint.created', row);
      return { endpoint: presentEndpoint(row), secret };
    });
  }

  async change(caller: WorkspaceCaller, id: string, patch: EndpointPatch): Promise<WebhookEndpointDto> {
    this.checkTypes(patch.eventTypes);
    if (patch.url !== undefined) await this.targets.check(patch.url);
    return this.database.transaction(async () => {
      const before = await this.lock(caller, id);
      const after = {
        url: patch.url ?? before.url,
        description: patch.description === undefined ? before.description : patch.description,
        eventTypes: patch.eventTypes === undefined ? before.eventTypes : patch.eventTypes,
      };
      const changed = (['url', 'description', 'eventTypes'] as const).filter(
        (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
      );
      if (changed.length > 0) {
        await this.endpoints.update(id, after);
        await this.record(caller, 'webhook_endpoint.updated', { ...before, ...after }, { changed });
        await this.notices.send(id);
      }
      await this.idempotency.commit(CHANGED, id);
      return presentEndpoint({ ...before, ...after });
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const row = await this.lock(caller, id);
      await this.endpoints.delete(id);
      await this.record(caller, 'webhook_endpoint.deleted', row);
      await this.notices.send(id);
    });
  }

  enable(caller: WorkspaceCaller, id: string): Promise<WebhookEndpointDto> {
    return this.database.transaction(async () => {
      const row = await this.lock(caller, id);
      if (row.enabled && row.consecutiveFailures === 0) return presentEndpoint(row);
      await this.endpoints.enable(id);
      await this.record(caller, 'webhook_endpoint.enabled', row);
      await this.notices.send(id);
      return presentEndpoint({ ...row, enabled: true, consecutiveFailures: 0 });
    });
  }

  rotateSecret(caller: WorkspaceCaller, id: string): Promise<WebhookEndpointCreatedDto> {
    return this.database.transaction(async () => {
      const row = await this.lock(caller, id);
      const { secret, sealedSecret } = await this.secrets.make(caller.workspace.id, id);
      await this.endpoints.rotate(id, sealedSecret);
      await this.record(caller, 'webhook_endpoint.secret_rotated', row);
      await this.notices.send(id);
      return { endpoint: presentEndpoint(row), secret };
    });
  }

  /** As `find`, locked until the transaction ends. */
  async lock(caller: WorkspaceCaller, id: string): Promise<EndpointRow> {
    const row = isId('endpoint', id) ? await this.endpoints.lock(placeOf(caller), id) : null;
    if (!row) throw new NotFound('webhook endpoint');
    return row;
  }

  record(
    caller: WorkspaceCaller,
    action: Extract<AuditAction, `webhook_endpoint.${string}`>,
    row: EndpointRow,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const { id } = row;
    const target = { type: 'webhook_endpoint', id };
    return this.audit.record(caller.workspace.id, caller, action, target, {
      name: endpointName(row),
      environment: row.environment,
      ...details,
    });
  }

  /**
   * What the route's validation would have found, for an input that came another way.
   *
   * @throws InvalidRequest
   */
  checkInput({ url, description, eventTypes }: EndpointInput): void {
    const problem = urlProblem(url);
    if (problem !== null) throw InvalidRequest.at('url', problem);
    const line = lineProblem(description ?? '');
    if (line !== null) throw InvalidRequest.at('description', line);
    this.checkTypes(eventTypes);
  }

  private checkTypes(types: readonly string[] | null | undefined): void {
    const unknown = (types ?? []).flatMap((type, index) =>
      this.types.find(type)
        ? []
        : [{ path: `eventTypes.${index}`, message: `${JSON.stringify(type)} is no event type` }],
    );
    const [first] = unknown;
    if (first) {
      throw new InvalidRequest(
        `${first.path}: ${first.message}. GET /v1/workspace/event-types lists them all.`,
        unknown,
      );
    }
  }
}

function placeOf({ workspace, environment }: WorkspaceCaller): EndpointPlace {
  return { workspaceId: workspace.id, environmentId: environment.id };
}
