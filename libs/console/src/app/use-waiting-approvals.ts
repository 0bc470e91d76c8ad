import type { ApprovalRequest } from '@gatehouse/client/operations';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';

import { areBrowserNoticesOn } from '../kit/browser-notices.js';
import { countInTitle } from '../kit/page-title.js';
import { waitsForMe } from '../pages/approvals/approval.js';
import { dotOnIcon } from './dot-on-icon.js';
import { useWorkspaceEvent } from './live.js';
import { pendingRequestsQuery } from './place-queries.js';
import { usePlace, useRights } from './use-place.js';

const GATHER_MS = 1_000;

/** How many requests wait for this person to decide them: said by the title, the icon, and by the browser where that is on. */
export function useWaitingApprovals(): number {
  const { edits } = useRights();
  const { data, refetch } = useQuery({
    ...pendingRequestsQuery(),
    enabled: edits,
  });
  const mine = useMemo(() => data?.items.filter(waitsForMe), [data]);
  const count = mine?.length ?? 0;
  useEffect(() => {
    countInTitle(count);
    dotOnIcon(count > 0);
  }, [count]);
  useEffect(() => () => dotOnIcon(false), []);
  useLookWhileHidden(() => edits && void refetch({ cancelRefetch: false }));
  useNotices(mine);
  return count;
}

/** Nothing else is read while nobody sees the page; the tab's icon is seen then, too. */
function useLookWhileHidden(look: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useWorkspaceEvent(({ type }) => {
    if (!document.hidden || !type.startsWith('approval.')) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      look();
    }, GATHER_MS);
  });
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
}

/** Tells of each request once, and of none that was there when the page was opened. */
function useNotices(mine: readonly ApprovalRequest[] | undefined): void {
  const place = usePlace();
  const navigate = useNavigate();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (mine === undefined) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...mine.map(({ id }) => id)]);
    const fresh = before === null ? [] : mine.filter(({ id }) => !before.has(id));
    if (fresh.length === 0 || (document.hasFocus() && !document.hidden) || !areBrowserNoticesOn()) return;
    const open = (id: string | null): void =>
      void (id === null
        ? navigate({ to: '/w/$workspace/$environment/approvals', params: place })
        : navigate({ to: '/approvals/$requestId', params: { requestId: id } }));
    void import('./tell-waiting.js').then(({ tellWaiting }) => tellWaiting(fresh, open));
  }, [mine, navigate, place]);
}
