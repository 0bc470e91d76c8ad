import type { ApprovalRequest } from '@gatehouse/client/operations';

import { headingOf } from '../pages/approvals/approval.js';

/** The browser tells of what has come to wait. Its inputs stay out of it: it may stand on a locked screen. */
export function tellWaiting(requests: readonly ApprovalRequest[], onOpen: (id: string | null) => void): void {
  const [first, ...others] = requests;
  if (!first) return;
  const isOne = others.length === 0;
  const title = isOne ? 'Waits for your yes or no' : `${requests.length} requests wait for your yes or no`;
  try {
    // Of several tabs with the same one, one is told.
    const notice = new Notification(title, { body: headingOf(first), tag: first.id });
    notice.onclick = () => {
      window.focus();
      notice.close();
      onOpen(isOne ? first.id : null);
    };
  } catch {
    // Some browsers of phones let only a background worker tell: the icon and the title say it there.
  }
}
