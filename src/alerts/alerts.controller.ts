import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsConfirmation, type WorkspaceCaller } from '../core/access/index.js';
import { IdempotentBy, PageQuery } from '../core/http/index.js';
import { CHANGE_ENDPOINTS, READ_ENDPOINTS } from '../webhooks/index.js';
import {
  AlertDto,
  AlertInput,
  AlertMessageDto,
  AlertMessagePage,
  AlertPage,
  AlertPatch,
} from './alert.dto.js';
import { AlertsService } from './alerts.service.js';

/** As with webhook endpoints, for they tell as much. They are about all environments. */
const READ_ALERTS = { ...READ_ENDPOINTS, reach: 'all' } as const;
const CHANGE_ALERTS = { ...CHANGE_ENDPOINTS, reach: 'all' } as const;

@ApiTags('Alerts')
@Controller('v1/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  /** List the alert rules, newest first */
  @Get()
  @Access(READ_ALERTS)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<AlertPage> {
    return this.alerts.list(caller, query);
  }

  /**
   * Make an alert rule
   * @remarks 409 where the workspace has 50.
   */
  @Post()
  @IdempotentBy('resource')
  @Access(CHANGE_ALERTS)
  @NeedsConfirmation()
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: AlertInput): Promise<AlertDto> {
    return this.alerts.create(caller, input);
  }

  /** Get an alert rule */
  @Get(':id')
  @Access(READ_ALERTS)
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<AlertDto> {
    return this.alerts.get(caller, id);
  }

  /**
   * Change an alert rule, or switch it off and on
   * @remarks A `destination` takes the place of the one before as a whole. What the rule is about stays.
   */
  @Patch(':id')
  @IdempotentBy('resource')
  @Access(CHANGE_ALERTS)
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() patch: AlertPatch,
  ): Promise<AlertDto> {
    return this.alerts.change(caller, id, patch);
  }

  /** Delete an alert rule with its messages, also those that wait */
  @Delete(':id')
  @HttpCode(204)
  @Access(CHANGE_ALERTS)
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.alerts.delete(caller, id);
  }

  /**
   * Send a test by an alert rule
   * @remarks At once, also in quiet hours, and once: what became of it is in the list of messages. 409 while an earlier test goes on.
   */
  @Post(':id/test')
  @HttpCode(202)
  @Access(CHANGE_ALERTS)
  test(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<AlertMessageDto> {
    return this.alerts.test(caller, id);
  }

  /** List the messages of an alert rule, newest first, of the last 30 days */
  @Get(':id/messages')
  @Access(READ_ALERTS)
  listMessages(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<AlertMessagePage> {
    return this.alerts.listMessages(caller, id, query);
  }
}
