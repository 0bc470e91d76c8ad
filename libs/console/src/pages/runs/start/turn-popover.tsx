import type { RunInput } from '@gatehouse/client/operations';
import { Button, NumberInput, Popover, Stack, TextInput } from '@mantine/core';
import IconClock from 'icon:clock';

import { problemAt } from '../../../kit/form-problem.js';
import { localMinute } from '../../../kit/local-minute.js';

/** As the fields have it; empty: not said. */
export interface Turn {
  startAt: string;
  expiresAt: string;
  priority: number;
}

export const AT_ONCE: Turn = { startAt: '', expiresAt: '', priority: 0 };

interface TurnPopoverProps {
  turn: Turn;
  onTurn: (change: Partial<Turn>) => void;
  problem: unknown;
}

/** When a run is to begin, when it is given up, and what it goes before. */
export function TurnPopover({ turn, onTurn, problem }: TurnPopoverProps) {
  const isSet = Object.keys(turnBody(turn)).length > 0;
  const least = localMinute(Date.now());
  return (
    <Popover width={320} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant={isSet ? 'light' : 'default'} leftSection={<IconClock size={16} aria-hidden />}>
          When
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)" aria-label="When it runs">
        <Stack gap="sm">
          <TextInput
            label="Start at"
            description="Empty: at once."
            type="datetime-local"
            min={least}
            value={turn.startAt}
            onChange={({ currentTarget }) => onTurn({ startAt: currentTarget.value })}
            error={problemAt(problem, 'startAt')}
          />
          <TextInput
            label="Give up at"
            description="It is cancelled unless it has begun by then."
            type="datetime-local"
            min={least}
            value={turn.expiresAt}
            onChange={({ currentTarget }) => onTurn({ expiresAt: currentTarget.value })}
            error={problemAt(problem, 'expiresAt')}
          />
          <NumberInput
            label="Priority"
            description="Of runs that wait, those of a higher one begin first."
            min={-10}
            max={10}
            allowDecimal={false}
            value={turn.priority}
            onChange={(value) => onTurn({ priority: typeof value === 'number' ? value : 0 })}
            error={problemAt(problem, 'priority')}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** What the fields add to the request that starts a run. */
export function turnBody({ startAt, expiresAt, priority }: Turn): RunInput {
  return {
    ...(startAt && { startAt: new Date(startAt).toISOString() }),
    ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(priority !== 0 && { priority }),
  };
}
