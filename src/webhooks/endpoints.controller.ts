import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsConfirmation, type WorkspaceCaller } from '../core/access/index.js';
import { IdempotentBy, PageQuery } from '../core/http/index.js';
import {
  EndpointInput,
  EndpointPatch,
  WebhookEndpointCreatedDto,
  WebhookEndpointDto,
  WebhookEndpointPage,
} from './endpoint.dto.js';
import { EndpointRegistrationService } from './endpoint-registration.service.js';
import { EndpointsService } from './endpoints.service.js';
import { CHANGE_ENDPOINTS, READ_ENDPOINTS } from './webhook-access.js';

@ApiTags('Webhooks')
@Controller('v1/workspace/webhook-endpoints')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly registration: EndpointRegistrationService,
  ) {}

  /** List the webhook endpoints of the environment, newest first */
  @Get()
  @Access(READ_ENDPOINTS)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<WebhookEndpointPage> {
    return this.endpoints.list(caller, query);
  }

  /**
   * Register a webhook endpoint
   * @remarks It belongs to the environment that the request acts in. A workspace has at most 10, in all environments: the eleventh is a 409.
   */
  @Post()
  @IdempotentBy('resource')
  @Access(CHANGE_ENDPOINTS)
  @NeedsConfirmation()
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() input: EndpointInput,
  ): Promise<WebhookEndpointCreatedDto> {
    return this.registration.register(caller, input);
  }

  /** Get a webhook endpoint */
  @Get(':endpointId')
  @Access(READ_ENDPOINTS)
  get(@InWorkspace() caller: WorkspaceCaller, @Param('endpointId') id: string): Promise<WebhookEndpointDto> {
    return this.endpoints.get(caller, id);
  }

  /**
   * Change a webhook endpoint
   * @remarks What waits to be delivered goes to the new URL.
   */
  @Patch(':endpointId')
  @IdempotentBy('resource')
  @Access(CHANGE_ENDPOINTS)
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') id: string,
    @Body() patch: EndpointPatch,
  ): Promise<WebhookEndpointDto> {
    return this.endpoints.change(caller, id, patch);
  }

  /** Delete a webhook endpoint with its secret and its deliveries */
  @Delete(':endpointId')
  @HttpCode(204)
  @Access(CHANGE_ENDPOINTS)
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('endpointId') id: string): Promise<void> {
    return this.endpoints.delete(caller, id);
  }

  /**
   * Resume deliveries to a webhook endpoint
   * @remarks Its secret stays and its failures are forgotten, also where it is enabled already. What happened while it was disabled is delivered
   * only where `recover` asks for it.
   */
  @Post(':endpointId/enable')
  @HttpCode(200)
  @Access(CHANGE_ENDPOINTS)
  enable(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') id: string,
  ): Promise<WebhookEndpointDto> {
    return this.endpoints.enable(caller, id);
  }

  /**
   * Give a webhook endpoint a new signing secret
   * @remarks For 24 hours every request also carries a signature by the secret until now. Rotated several times in a day, each of the earlier secrets signs for its own 24 hours, the newest five at most.
   */
  @Post(':endpointId/rotate-secret')
  @HttpCode(200)
  @Access(CHANGE_ENDPOINTS)
  @NeedsConfirmation()
  rotateSecret(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') id: string,
  ): Promise<WebhookEndpointCreatedDto> {
    return this.endpoints.rotateSecret(caller, id);
  }
}
