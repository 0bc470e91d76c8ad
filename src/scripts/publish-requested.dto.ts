import { FiledApprovalDto } from '../approvals/index.js';

export class PublishRequestedDto {
  /** The request that an owner or admin other than the one who asked approves. */
  approval: FiledApprovalDto;
}
