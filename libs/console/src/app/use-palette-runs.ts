import { runsListOptions } from '@gatehouse/client/react-query';
import type { SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { relativeTime } from '../kit/moment.js';
import { statusLabel } from '../kit/status.js';
import { usePlace } from './use-place.js';

const LATEST = 5;

/** The latest runs, and the one whose id was typed. */
export function usePaletteRuns(typed: string): SpotlightActionData[] {
  const place = usePlace();
  const navigate = useNavigate();
  const { data } = useQuery(runsListOptions({ query: { limit: LATEST } }));
  const open = (runId: string): void =>
    void navigate({ to: '/w/$workspace/$environment/runs/$runId', params: { ...place, runId } });
  const latest = (data?.items ?? []).map(({ id, script, status, phase, startedAt }): SpotlightActionData => ({
    id,
    label: `Run of ${script.slug}`,
    description: `${statusLabel(phase === 'finished' ? status : phase)}, ${relativeTime(startedAt)}`,
    keywords: id,
    onClick: () => open(id),
  }));
  if (!/^run_[0-9a-z]{26}$/.test(typed) || latest.some(({ id }) => id === typed)) return latest;
  return [{ id: typed, label: `Run ${typed}`, onClick: () => open(typed) }, ...latest];
}
