import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { IdempotentBy, PageQuery } from '../core/http/index.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  RecoverInput,
  WebhookAttemptPage,
  WebhookDeliveryOutcomeDto,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookRecoveryDto,
  WebhookRequestDto,
  WebhookRequestQuery,
  WebhookStatisticsDto,
} from './delivery.dto.js';
import { EndpointTestsService } from './endpoint-tests.service.js';
import { RecoveryService } from './recovery.service.js';
import { CHANGE_ENDPOINTS, READ_ENDPOINTS, SEND_AGAIN } from './webhook-access.js';

@ApiTags('Webhooks')
@Controller('v1/workspace/webhook-endpoints/:endpointId')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly tests: EndpointTestsService,
    private readonly recovery: RecoveryService,
  ) {}

  /** List the deliveries to a webhook endpoint, newest first, of the last 30 days */
  @Get('deliveries')
  @Access(READ_ENDPOINTS)
  list(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
    @Query() query: WebhookDeliveryQuery,
  ): Promise<WebhookDeliveryPage> {
    return this.deliveries.list(caller, endpointId, query);
  }

  /** Count the deliveries to a webhook endpoint of the last 24 hours, by hour */
  @Get('statistics')
  @Access(READ_ENDPOINTS)
  statistics(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
  ): Promise<WebhookStatisticsDto> {
    return this.deliveries.statistics(caller, endpointId);
  }

  /**
   * Read the request of a delivery
   * @remarks As it was sent at an attempt, or will be sent. The signing secret is not part of it. 404 once the event is not kept any
   * more, which is no sooner than its deliveries.
   */
  @Get('deliveries/:deliveryId/request')
  @Access(READ_ENDPOINTS)
  request(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
    @Param('deliveryId') deliveryId: string,
    @Query() { attempt }: WebhookRequestQuery,
  ): Promise<WebhookRequestDto> {
    return this.deliveries.request(caller, endpointId, deliveryId, attempt);
  }

  /** List the attempts of a delivery, newest first */
  @Get('deliveries/:deliveryId/attempts')
  @Access(READ_ENDPOINTS)
  attempts(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
    @Param('deliveryId') deliveryId: string,
    @Query() query: PageQuery,
  ): Promise<WebhookAttemptPage> {
    return this.deliveries.attempts(caller, endpointId, deliveryId, query);
  }

  /**
   * Send a recorded event again
   * @remarks As a new delivery with the same event id. The endpoint must be enabled.
   */
  @Post('deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @Access(SEND_AGAIN)
  redeliver(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<WebhookDeliveryOutcomeDto> {
    return this.deliveries.redeliver(caller, endpointId, deliveryId);
  }

  /**
   * Send a test event to a webhook endpoint
   * @remarks A `ping`, signed like any delivery, is attempted at once and once, also while the endpoint is disabled and whatever its
   * `eventTypes`. What came of it counts like any other attempt.
   */
  @Post('test')
  @HttpCode(200)
  @IdempotentBy('resource')
  @Access(SEND_AGAIN)
  test(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
  ): Promise<WebhookDeliveryOutcomeDto> {
    return this.tests.test(caller, endpointId);
  }

  /**
   * Queue again what a webhook endpoint missed
   * @remarks Every event since then that the endpoint would have got and that failed, or that happened while it was disabled. What was
   * delivered or is still pending is left alone.
   */
  @Post('recover')
  @HttpCode(202)
  @Access(CHANGE_ENDPOINTS)
  recover(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('endpointId') endpointId: string,
    @Body() input: RecoverInput,
  ): Promise<WebhookRecoveryDto> {
    return this.recovery.recover(caller, endpointId, input);
  }
}
