import type { RunInput } from '@gatehouse/client/operations';
import { Button, NumberInput, Popover, Stack, TagsInput, TextInput } from '@mantine/core';
import IconAdjustments from 'icon:adjustments';

import { problemAt } from '../../../kit/form-problem.js';
import { localMinute } from '../../../kit/local-minute.js';

/** As the fields have it; empty: not said. */
export interface StartOptions {
  startAt: string;
  expiresAt: string;
  priority: number;
  /** Each `name=value`. */
  labels: string[];
  /** How often it is tried; empty: as its version says. */
  attempts: number | string;
}

export const AS_USUAL: StartOptions = {
  startAt: '',
  expiresAt: '',
  priority: 0,
  labels: [],
  attempts: '',
};

interface StartOptionsProps {
  options: StartOptions;
  onOptions: (change: Partial<StartOptions>) => void;
  problem: unknown;
}

/** When a run is to begin and is given up, what it goes before, how it is found, and how often it is tried. */
export function StartOptionsPopover({ options, onOptions, problem }: StartOptionsProps) {
  const isSet = Object.keys(startBody(options)).length > 0;
  const least = localMinute(Date.now());
  return (
    <Popover width={320} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant={isSet ? 'light' : 'default'} leftSection={<IconAdjustments size={16} aria-hidden />}>
          Options
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)" aria-label="How it is started">
        <Stack gap="sm">
          <TextInput
            label="Start at"
            description="Empty: at once."
            type="datetime-local"
            min={least}
            value={options.startAt}
            onChange={({ currentTarget }) => onOptions({ startAt: currentTarget.value })}
            error={problemAt(problem, 'startAt')}
          />
          <TextInput
            label="Give up at"
            description="It is cancelled unless it has begun by then."
            type="datetime-local"
            min={least}
            value={options.expiresAt}
            onChange={({ currentTarget }) => onOptions({ expiresAt: currentTarget.value })}
            error={problemAt(problem, 'expiresAt')}
          />
          <NumberInput
            label="Priority"
            description="Of runs that wait, those of a higher one begin first."
            min={-10}
            max={10}
            allowDecimal={false}
            value={options.priority}
            onChange={(value) => onOptions({ priority: typeof value === 'number' ? value : 0 })}
            error={problemAt(problem, 'priority')}
          />
          <TagsInput
            label="Labels"
            description="By which it is found, such as ticket=Q-981."
            maxTags={16}
            value={options.labels}
            onChange={(labels) => onOptions({ labels })}
            error={problemAt(problem, 'labels')}
          />
          <NumberInput
            label="Attempts"
            description="How often it is tried where it fails. Empty: as its version says."
            min={1}
            max={10}
            allowDecimal={false}
            value={options.attempts}
            onChange={(attempts) => onOptions({ attempts })}
            error={problemAt(problem, 'retry')}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** What the fields add to the request that starts a run. */
export function startBody({ startAt, expiresAt, priority, labels, attempts }: StartOptions): RunInput {
  return {
    ...(startAt && { startAt: new Date(startAt).toISOString() }),
    ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(priority !== 0 && { priority }),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels.map(labelOf)) }),
    ...(typeof attempts === 'number' && { retry: { attempts } }),
  };
}

function labelOf(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name.trim(), value.join('=').trim()];
}
