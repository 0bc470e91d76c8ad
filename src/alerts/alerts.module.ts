import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { NotificationsModule } from '../notifications/index.js';
import { RunsModule } from '../runs/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { AlertDestinationsService } from './alert-destinations.service.js';
import { AlertRetryResponses } from './alert-retry-responses.js';
import { AlertRule } from './alert-rule.entity.js';
import { AlertRulesRepository } from './alert-rules.repository.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { AlertJudgingService } from './judging/alert-judging.service.js';
import { AlertSighting } from './judging/alert-sighting.entity.js';
import { AlertSightingsRepository } from './judging/alert-sightings.repository.js';
import { AlertSightingsService } from './judging/alert-sightings.service.js';
import { AlertState } from './judging/alert-state.entity.js';
import { OverdueSuccessWatcher } from './judging/overdue-success-watcher.js';
import { AlertClaimsService } from './sending/alert-claims.service.js';
import { AlertMessage } from './sending/alert-message.entity.js';
import { AlertMessagesRepository } from './sending/alert-messages.repository.js';
import { AlertNoticeReader } from './sending/alert-notice-reader.js';
import { AlertQueue } from './sending/alert-queue.js';
import { AlertSender } from './sending/alert-sender.js';

/** Rules by which people are told of what goes wrong. */
@Module({
  imports: [
    NotificationsModule,
    RunsModule,
    TypeOrmModule.forFeature([AlertMessage, AlertRule, AlertSighting, AlertState]),
    WebhooksModule,
  ],
  controllers: [AlertsController],
  providers: [
    AlertClaimsService,
    AlertDestinationsService,
    AlertJudgingService,
    AlertMessagesRepository,
    AlertNoticeReader,
    AlertQueue,
    AlertRetryResponses,
    AlertRulesRepository,
    AlertSender,
    AlertSightingsRepository,
    AlertSightingsService,
    AlertsService,
    OverdueSuccessWatcher,
  ],
})
export class AlertsModule {}
