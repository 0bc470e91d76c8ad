import { Switch } from '@mantine/core';
import { useState } from 'react';

import { notifyProblem } from '../../kit/notify.js';

interface AutomationSwitchProps {
  name: string;
  enabled: boolean;
  onChange: (enabled: boolean) => Promise<unknown>;
}

/** Switches a schedule or trigger off and on; it moves when the service has said yes. */
export function AutomationSwitch({ name, enabled, onChange }: AutomationSwitchProps) {
  const [busy, setBusy] = useState(false);
  const change = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await onChange(next);
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={enabled}
      disabled={busy}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}
