import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString, Length } from 'class-validator';

import type { Role } from '../core/access/index.js';
import { IfGiven, IsText, OpaqueJson, PageOf, PageQuery } from '../core/http/index.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './approval.status.js';

export class ApprovalRequestInput {
  /** The id of an action from the list of approvable actions. */
  @Length(1, 100)
  @IsString()
  action: string;

  /** What the action is to be done with, as its schema says. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @OpaqueJson()
  @IsObject()
  input: Record<string, unknown>;

  /** Why it is needed, for the person who decides. Line breaks are kept. */
  @Length(1, 500)
  @IsText()
  reason: string;
}

export class DenialInput {
  /** Why not, for the one who asked. */
  @ApiProperty({ required: false })
  @IfGiven()
  @Length(1, 500)
  @IsText()
  reason?: string;
}

export class ApprovalListQuery extends PageQuery {
  @ApiProperty({ enum: APPROVAL_STATUSES, required: false })
  @IsOptional()
  @IsIn(APPROVAL_STATUSES)
  status?: ApprovalStatus;
}

export class ApprovableActionDto {
  id: string;

  title: string;

  /** The roles whose yes counts. */
  approverRoles: Role[];

  /** Whether it makes a secret: then the token that asked redeems the request once it is approved. */
  createsSecret: boolean;

  /** JSON Schema of the input. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  input: Record<string, unknown>;
}

export class ApprovableActionList {
  items: ApprovableActionDto[];
}

export class ApprovalSecretDto {
  name: string;

  /** The environment variable that a command line keeps it in. */
  envVar: string;
}

export class DeciderDto {
  userId: string;

  name: string;
}

export class ApprovalRequestDto {
  id: string;

  /** The id of the action. */
  action: string;

  title: string;

  /** Exactly what will happen. */
  summary: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  input: Record<string, unknown>;

  reason: string;

  /** `approved`: it waits to be redeemed by the token that asked. */
  status: ApprovalStatus;

  /** The user id of the person who asked, or whose schedule or trigger did; null for an API key. */
  requestedBy: string | null;

  /**
   * The name of the API key, token or app that asked; null in the app, for schedules and triggers, and of requests of before it
   * was kept.
   */
  requestedWith: string | null;

  /** 24 hours after it was filed, of `request.send` 15 minutes; an hour after it was approved, where a secret waits to be fetched. */
  expiresAt: string;

  createdAt: string;

  decidedAt: string | null;

  /** The person who approved or denied it. */
  decidedBy: DeciderDto | null;

  /** Why it was denied, if the person said so. */
  decisionReason: string | null;

  /** What it came to, never a secret; `{error}` where it failed. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  result: Record<string, unknown> | null;

  /** Set where the action makes a secret. */
  secret: ApprovalSecretDto | null;

  /** The run that it is about: a held one, or the one of which a request waits. */
  runId: string | null;

  /** Where a person approves or denies it. */
  approveUrl: string;

  /** Whether the person who reads it may decide it now. In the app only. */
  mayDecide?: boolean;

  /** The request like it, about the same script, that was approved last: what has changed since. null: there is none. On a single request in the app only. */
  @ApiProperty({ type: () => EarlierApprovalDto, nullable: true, required: false })
  previous?: EarlierApprovalDto | null;
}

export class EarlierApprovalDto {
  id: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  input: Record<string, unknown>;

  decidedAt: string | null;

  decidedBy: DeciderDto | null;
}

export class ApprovalRequestPage extends PageOf(ApprovalRequestDto) {}

export class RedemptionDto {
  request: ApprovalRequestDto;

  /** Shown this once; null where the action failed. */
  secret: string | null;

  envVar: string | null;
}

export class FiledApprovalDto {
  id: string;

  /** Where a person approves or denies it. */
  approveUrl: string;
}
