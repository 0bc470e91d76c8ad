import { Switch } from '@mantine/core';
import { useState } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { notifyProblem } from '../../../kit/notify.js';
import { notifyUndoable } from '../../../kit/notify-undo.js';
import { useRefresh } from '../../../kit/use-refresh.js';

interface AutomationSwitchProps {
  kind: 'schedule' | 'trigger' | 'hook';
  name: string;
  enabled: boolean;
  /** Sends the request. */
  onChange: (enabled: boolean) => Promise<unknown>;
}

/** Switches a schedule or trigger off and on; it moves when the service has said yes. */
export function AutomationSwitch({ kind, name, enabled, onChange }: AutomationSwitchProps) {
  const [busy, setBusy] = useState(false);
  const refresh = useRefresh();
  const switchOn = async (): Promise<string> => {
    await onChange(true);
    await refresh(...staleAfter(`${kind}.changed`));
    return `${name} is on again.`;
  };
  const change = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await onChange(next);
      await refresh(...staleAfter(`${kind}.changed`));
      if (!next) notifyUndoable(`${name} is off.`, switchOn);
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
