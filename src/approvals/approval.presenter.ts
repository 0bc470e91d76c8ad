import type { ApprovalRequestDto } from './approval.dto.js';
import type { ApprovalStatus } from './approval.status.js';

/** A request as the repository reads it. */
export interface ApprovalRow {
  id: string;
  action: string;
  title: string;
  summary: string;
  input: Record<string, unknown>;
  reason: string;
  /** `expired` from the moment on, whether or not it is marked so. */
  status: ApprovalStatus;
  requestedByUserId: string | null;
  expiresAt: Date;
  createdAt: Date;
  decidedAt: Date | null;
  decidedByUserId: string | null;
  decidedByName: string | null;
  decisionReason: string | null;
  result: Record<string, unknown> | null;
  secretName: string | null;
  secretEnvVar: string | null;
}

export function approveUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/approvals/${id}`;
}

export function presentApproval(row: ApprovalRow, baseUrl: string): ApprovalRequestDto {
  return {
    id: row.id,
    action: row.action,
    title: row.title,
    summary: row.summary,
    input: row.input,
    reason: row.reason,
    status: row.status,
    requestedBy: row.requestedByUserId,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy:
      row.decidedByUserId === null ? null : { userId: row.decidedByUserId, name: row.decidedByName ?? '' },
    decisionReason: row.decisionReason,
    result: row.result,
    secret: row.secretName === null ? null : { name: row.secretName, envVar: row.secretEnvVar ?? '' },
    approveUrl: approveUrl(baseUrl, row.id),
  };
}
