export { asBody, inputOf, named } from './action-input.js';
export {
  type ActionOutcome,
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  type PerformedRequest,
  type UnperformedRequest,
} from './approval-action.js';
export { ASK_FOR_APPROVAL, READ_APPROVALS } from './approval-access.js';
export type { NewApproval } from './approval-filing.service.js';
export { ApprovalRequestsService } from './approval-requests.service.js';
export { ApprovalRequestInput, FiledApprovalDto } from './approval.dto.js';
export { ApprovalsModule } from './approvals.module.js';
export { ApprovalsService, type ApprovedBefore } from './approvals.service.js';
export { type Asker, askerOf, systemAsker } from './asker.js';
export { forgetInputsOf } from './forget-inputs.sql.js';
