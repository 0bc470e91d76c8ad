import { Injectable } from '@nestjs/common';

/** Tells everyone who may decide. */
@Injectable()
export class ApprovalNotices {
  /** `secondPersons`: those of the requests that nobody may decide who asked for them. */
  tell(_ids: readonly string[], _secondPersons: ReadonlySet<string>): Promise<void> {
    return Promise.resolve();
  }
}
