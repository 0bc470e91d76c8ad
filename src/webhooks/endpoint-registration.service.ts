import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { Conflict } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { EnvironmentsService } from '../environments/index.js';
import { EndpointValidator } from './endpoint-validator.js';
import type { EndpointInput, WebhookEndpointCreatedDto } from './endpoint.dto.js';
import { presentEndpoint } from './endpoint.presenter.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { EndpointsService } from './endpoints.service.js';
import { ENDPOINT_CREATED } from './webhook.resources.js';

const MOST_ENDPOINTS = 10;

/** Makes endpoints, with their first signing secret. */
@Injectable()
export class EndpointRegistrationService {
  constructor(
    private readonly repository: EndpointsRepository,
    private readonly endpoints: EndpointsService,
    private readonly checks: EndpointValidator,
    private readonly secrets: EndpointSecrets,
    private readonly environments: EnvironmentsService,
    private readonly database: Database,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** For the route. */
  async register(caller: WorkspaceCaller, input: EndpointInput): Promise<WebhookEndpointCreatedDto> {
    await this.checks.check(input);
    return this.database.transaction(async () => {
      const created = await this.create(caller, input);
      await this.idempotency.commit(ENDPOINT_CREATED, created.endpoint.id);
      return created;
    });
  }

  /** For whoever has had the URL checked before the transaction (`EndpointValidator.check`). */
  create(caller: WorkspaceCaller, input: EndpointInput): Promise<WebhookEndpointCreatedDto> {
    this.checks.checkTypes(input.eventTypes);
    const { workspace, environment } = caller;
    return this.database.transaction(async () => {
      if ((await this.repository.countLocked(workspace.id)) >= MOST_ENDPOINTS) {
        throw new Conflict(`A workspace has at most ${MOST_ENDPOINTS} webhook endpoints. Delete one first.`);
      }
      if (!(await this.environments.hold(workspace.id, environment.id))) {
        throw new Conflict(`The environment ${environment.name} was deleted.`);
      }
      const id = newId('endpoint');
      const { secret, sealedSecret } = await this.secrets.make(workspace.id, id);
      await this.repository.insert({
        id,
        workspaceId: workspace.id,
        environmentId: environment.id,
        url: input.url,
        description: input.description ?? null,
        eventTypes: input.eventTypes ?? null,
        sealedSecret,
        createdByUserId: caller.person?.id ?? null,
      });
      const endpoint = await this.endpoints.find(caller, id);
      await this.endpoints.record(caller, 'webhook_endpoint.created', endpoint);
      return { endpoint: presentEndpoint(endpoint, environment.name), secret };
    });
  }
}
