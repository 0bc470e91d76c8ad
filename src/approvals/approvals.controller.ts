import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsStepUp, type WorkspaceCaller } from '../core/access/index.js';
import { IdempotentBy } from '../core/http/index.js';
import { ASK_FOR_APPROVAL, READ_APPROVALS } from './approval-access.js';
import { ApprovalDecisionsService } from './approval-decisions.service.js';
import { ApprovalRedemptionsService } from './approval-redemptions.service.js';
import { ApprovalRequestsService } from './approval-requests.service.js';
import {
  ApprovableActionList,
  ApprovalListQuery,
  ApprovalRequestDto,
  ApprovalRequestInput,
  ApprovalRequestPage,
  DenialInput,
  RedemptionDto,
} from './approval.dto.js';

@ApiTags('Approvals')
@Controller('v1/workspace')
export class ApprovalsController {
  constructor(
    private readonly requests: ApprovalRequestsService,
    private readonly decisions: ApprovalDecisionsService,
    private readonly redemptions: ApprovalRedemptionsService,
  ) {}

  /** List the actions that a person can be asked to approve */
  @Get('approval-actions')
  @Access(READ_APPROVALS)
  listActions(): ApprovableActionList {
    return this.requests.listActions();
  }

  /**
   * List approval requests, newest first
   * @remarks In the app: those that one has asked for oneself, and all that one may decide.
   */
  @Get('approval-requests')
  @Access({ role: 'member', kinds: ['session'], reach: 'all' })
  list(
    @InWorkspace() caller: WorkspaceCaller,
    @Query() query: ApprovalListQuery,
  ): Promise<ApprovalRequestPage> {
    return this.requests.list(caller, query);
  }

  /**
   * Ask a person to approve an action
   * @remarks Everyone who may approve it is told. It expires at its `expiresAt`, mostly after 24 hours. A person in the app acts directly instead, and an API key cannot ask. 403 for an agent that asks for an action that creates a secret; 400 for an unknown action, for an input that does not fit its schema and for one that names what the caller cannot see.
   */
  @Post('approval-requests')
  @Access(ASK_FOR_APPROVAL)
  @IdempotentBy('resource')
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() input: ApprovalRequestInput,
  ): Promise<ApprovalRequestDto> {
    return this.requests.create(caller, input);
  }

  /**
   * Read an approval request
   * @remarks A token, app or API key sees those that it asked for itself. In the app people see those that they asked for and those that they may decide.
   */
  @Get('approval-requests/:id')
  @Access(READ_APPROVALS)
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<ApprovalRequestDto> {
    return this.requests.get(caller, id);
  }

  /**
   * Approve a request
   * @remarks The action is carried out at once, as the person who approves: the answer is `completed`, or `failed` with the reason in `result.error`. One that makes a secret becomes `approved` and waits an hour for the token that asked. What hands out a credential or a role takes a sign-in of the last hour, and where the workspace wants so, everything takes one of the last minutes: 403 `confirmation_required`. 403 for whom the request is not theirs to decide, or who could not do it themselves: it stays pending. 400 unless it is pending.
   */
  @Post('approval-requests/:id/approve')
  @HttpCode(200)
  @Access({ role: 'member', kinds: ['session'], reach: 'all' })
  @NeedsStepUp()
  @IdempotentBy('resource')
  approve(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<ApprovalRequestDto> {
    return this.decisions.approve(caller, id);
  }

  /**
   * Deny a request
   * @remarks 400 unless it is pending; 403 for whom it is not theirs to decide.
   */
  @Post('approval-requests/:id/deny')
  @HttpCode(200)
  @Access({ role: 'member', kinds: ['session'], reach: 'all' })
  @IdempotentBy('resource')
  deny(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() { reason }: DenialInput,
  ): Promise<ApprovalRequestDto> {
    return this.decisions.deny(caller, id, reason ?? null);
  }

  /**
   * Redeem an approved request for the secret that it makes
   * @remarks Only for the personal access token that asked: 404 for any other. Within an hour of the approval. The action is carried out once, and the secret is in this answer only; a retry with the same `Idempotency-Key` gets it again. `secret` is null where the action failed. 400 unless the request is approved.
   */
  @Post('approval-requests/:id/redeem')
  @HttpCode(200)
  @Access(ASK_FOR_APPROVAL)
  @IdempotentBy('resource')
  redeem(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<RedemptionDto> {
    return this.redemptions.redeem(caller, id);
  }
}
