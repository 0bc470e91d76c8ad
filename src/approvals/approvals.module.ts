import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { NotificationsModule } from '../notifications/index.js';
import { ApprovalActions } from './approval-actions.js';
import { ApprovalDecisionsService } from './approval-decisions.service.js';
import { ApprovalEndNotifier } from './approval-end-notifier.js';
import { ApprovalEventTypes } from './approval.event-types.js';
import { ApprovalFilingService } from './approval-filing.service.js';
import { ApprovalOutcomesService } from './approval-outcomes.service.js';
import { ApprovalExecutor } from './approval-executor.js';
import { ApprovalRedemptionsService } from './approval-redemptions.service.js';
import { ApprovalRequest } from './approval-request.entity.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import { ApprovalRequestsService } from './approval-requests.service.js';
import { ApprovalSweeper } from './approval-sweeper.js';
import { ApprovalVisibility } from './approval-visibility.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { ApprovalsService } from './approvals.service.js';
import { ApprovalNotice } from './notices/approval-notice.entity.js';
import { ApprovalNoticeTurn } from './notices/approval-notice-turn.entity.js';
import { ApprovalNoticeQueue } from './notices/approval-notice-queue.js';
import { ApprovalNoticesRepository } from './notices/approval-notices.repository.js';
import { ApprovalNotifier } from './notices/approval-notifier.js';

/** What a credential may not do itself and a person may say yes to. The actions are in the domains that they are about. */
@Module({
  imports: [
    DiscoveryModule,
    NotificationsModule,
    TypeOrmModule.forFeature([ApprovalNotice, ApprovalNoticeTurn, ApprovalRequest]),
  ],
  controllers: [ApprovalsController],
  providers: [
    ApprovalActions,
    ApprovalDecisionsService,
    ApprovalEndNotifier,
    ApprovalEventTypes,
    ApprovalFilingService,
    ApprovalNoticeQueue,
    ApprovalNoticesRepository,
    ApprovalNotifier,
    ApprovalOutcomesService,
    ApprovalExecutor,
    ApprovalRedemptionsService,
    ApprovalRequestsService,
    ApprovalRequestsRepository,
    ApprovalSweeper,
    ApprovalVisibility,
    ApprovalsService,
    ApprovalsRepository,
  ],
  exports: [ApprovalRequestsService, ApprovalsService],
})
export class ApprovalsModule {}
