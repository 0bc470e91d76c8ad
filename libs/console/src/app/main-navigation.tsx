import { Badge, NavLink, Stack } from '@mantine/core';
import IconBug from 'icon:bug';
import IconCalendar from 'icon:calendar';
import IconChartBar from 'icon:chart-bar';
import IconChecklist from 'icon:checklist';
import IconFileCode from 'icon:file-code';
import IconFiles from 'icon:files';
import IconHome from 'icon:home';
import IconPlayerPlay from 'icon:player-play';
import IconRobot from 'icon:robot';
import IconSettings from 'icon:settings';
import IconWebhook from 'icon:webhook';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';

import { useWaitingApprovals } from './use-waiting-approvals.js';
import { usePlace, useRights } from './use-place.js';

interface Entry {
  label: string;
  to: '/w/$workspace/$environment/scripts' | (string & {});
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  shown: boolean;
  count?: number;
  /** Every other page is below it. */
  isExact?: boolean;
}

export function MainNavigation() {
  const place = usePlace();
  const { administers, edits } = useRights();
  const waiting = useWaitingApprovals();
  const within = '/w/$workspace/$environment';
  const entries: Entry[] = [
    { label: 'Home', to: within, icon: IconHome, shown: edits, isExact: true },
    { label: 'Scripts', to: `${within}/scripts`, icon: IconFileCode, shown: true },
    { label: 'Runs', to: `${within}/runs`, icon: IconPlayerPlay, shown: true },
    { label: 'Schedules', to: `${within}/schedules`, icon: IconCalendar, shown: edits },
    { label: 'Errors', to: `${within}/errors`, icon: IconBug, shown: edits },
    { label: 'Insights', to: `${within}/insights`, icon: IconChartBar, shown: edits },
    { label: 'Approvals', to: `${within}/approvals`, icon: IconChecklist, shown: edits, count: waiting },
    { label: 'Agents', to: `${within}/agents`, icon: IconRobot, shown: edits },
    { label: 'Files', to: `${within}/files`, icon: IconFiles, shown: true },
    { label: 'Webhooks', to: `${within}/webhooks`, icon: IconWebhook, shown: administers },
    { label: 'Settings', to: `${within}/settings`, icon: IconSettings, shown: edits },
  ];
  return (
    <Stack gap={2}>
      {entries
        .filter(({ shown }) => shown)
        .map(({ label, to, icon: Icon, count, isExact = false }) => {
          return (
            <NavLink
              key={label}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              rightSection={
                count ? (
                  <Badge size="sm" circle={count < 10} aria-label={`${count} waiting`}>
                    {count}
                  </Badge>
                ) : null
              }
              // It says itself which is open, also while that is on its way.
              renderRoot={(props) => (
                <Link
                  to={to}
                  params={place}
                  activeOptions={{ includeSearch: false, exact: isExact }}
                  {...props}
                />
              )}
            />
          );
        })}
    </Stack>
  );
}
