import type { ApprovalRow } from './approval-columns.sql.js';
import type { PersonsApprovalRow } from './approval-requests.repository.js';
import type { ApprovalRequestDto, DeciderDto, EarlierApprovalDto } from './approval.dto.js';

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
    requestedWith: row.credentialName,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: deciderOf(row),
    decisionReason: row.decisionReason,
    result: row.result,
    secret: row.secretName === null ? null : { name: row.secretName, envVar: row.secretEnvVar ?? '' },
    runId: row.runId,
    approveUrl: approveUrl(baseUrl, row.id),
  };
}

/** As it is read in the app. `secondPerson`: whether nobody may decide what they asked for themselves. */
export function presentToPerson(
  { mayDecide, behindUserId, ...row }: PersonsApprovalRow,
  reader: { userId: string; secondPerson: boolean },
  baseUrl: string,
): ApprovalRequestDto {
  const own = behindUserId === reader.userId;
  return {
    ...presentApproval(row, baseUrl),
    mayDecide: row.status === 'pending' && mayDecide && !(own && reader.secondPerson),
  };
}

export function presentEarlier(row: ApprovalRow): EarlierApprovalDto {
  return {
    id: row.id,
    input: row.input,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: deciderOf(row),
  };
}

function deciderOf({ decidedByUserId, decidedByName }: ApprovalRow): DeciderDto | null {
  return decidedByUserId === null ? null : { userId: decidedByUserId, name: decidedByName ?? '' };
}
