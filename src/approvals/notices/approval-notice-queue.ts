import { Injectable } from '@nestjs/common';

import { newId } from '../../core/crypto/index.js';
import { Waker } from '../../core/work/index.js';
import { NotificationChannels } from '../../notifications/index.js';
import { ApprovalNoticesRepository } from './approval-notices.repository.js';

/** Wakes the notifier. */
export const NOTICES = 'notices';

/** Leaves it to each channel to tell everyone who may decide. */
@Injectable()
export class ApprovalNoticeQueue {
  constructor(
    private readonly channels: NotificationChannels,
    private readonly notices: ApprovalNoticesRepository,
    private readonly waker: Waker,
  ) {}

  /**
   * To be called in the transaction that files the requests.
   *
   * @param secondPersons those of them that nobody may decide who asked
   */
  async tell(
    requests: readonly { id: string; workspaceId: string }[],
    secondPersons: ReadonlySet<string>,
  ): Promise<void> {
    const channels = this.channels.enabled();
    if (channels.length === 0) return;
    const workspaces = [...new Set(requests.map(({ workspaceId }) => workspaceId))];
    const notices = workspaces.flatMap((workspaceId) => {
      const together = requests.filter((request) => request.workspaceId === workspaceId);
      const requestIds = together.map(({ id }) => id);
      const secondPersonIds = requestIds.filter((id) => secondPersons.has(id));
      return channels.map((channel) => ({
        id: newId('notice'),
        workspaceId,
        channel,
        requestIds,
        secondPersonIds,
      }));
    });
    await this.notices.insert(notices);
    this.waker.wake(NOTICES);
  }
}
