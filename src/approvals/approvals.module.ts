import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ApprovalActions } from './approval-actions.js';
import { ApprovalDecisions } from './approval-decisions.service.js';
import { ApprovalEndings } from './approval-endings.js';
import { ApprovalEvents } from './approval.events.js';
import { ApprovalEventTypes } from './approval.event-types.js';
import { ApprovalNotices } from './approval-notices.js';
import { ApprovalPerformance } from './approval-performance.js';
import { ApprovalRedemptions } from './approval-redemptions.service.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import { ApprovalRequests } from './approval-requests.service.js';
import { ApprovalSweeper } from './approval-sweeper.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { Approvals } from './approvals.service.js';

/** What a credential may not do itself and a person may say yes to. The actions are in the domains that they are about. */
@Module({
  imports: [DiscoveryModule],
  controllers: [ApprovalsController],
  providers: [
    ApprovalActions,
    ApprovalDecisions,
    ApprovalEndings,
    ApprovalEvents,
    ApprovalEventTypes,
    ApprovalNotices,
    ApprovalPerformance,
    ApprovalRedemptions,
    ApprovalRequests,
    ApprovalRequestsRepository,
    ApprovalSweeper,
    Approvals,
    ApprovalsRepository,
  ],
  exports: [Approvals],
})
export class ApprovalsModule {}
