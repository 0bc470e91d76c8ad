import { FiledApprovalDto } from '../approvals/approval.dto.js';

export class PublishRequestedDto {
  /** The request that an owner or admin other than the one who asked approves. */
  approval: FiledApprovalDto;
}
