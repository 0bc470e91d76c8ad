import { type HookReplayInput, hooksReplay } from '@gatehouse/client/operations';

import { staleAfter } from '../../../app/stale-after.js';
import { notifyDone } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

/** Runs what came in once more: the published version, or as a test the one that is named. */
export function useReplay(hookId: string, receiptId: string) {
  const refresh = useRefresh();
  return async (body: HookReplayInput): Promise<void> => {
    await hooksReplay({ path: { id: hookId, receiptId }, body });
    notifyDone('It runs once more.');
    await refresh(...staleAfter('run.started'));
  };
}
