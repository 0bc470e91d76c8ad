import type { ApprovalRow } from './approval-columns.sql.js';
import type { ApprovalRequestDto } from './approval.dto.js';

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
