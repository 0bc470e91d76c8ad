import { Switch } from '@mantine/core';
import { useState } from 'react';

import { useBrowserNotices } from '../../kit/browser-notices.js';

/** Asks the browser for its leave in the click that wants it, and never by itself. */
export function BrowserNoticesSwitch() {
  const [wants, setWants] = useBrowserNotices();
  const isThere = 'Notification' in window;
  const [permission, setPermission] = useState(isThere ? Notification.permission : 'denied');
  if (!isThere) return null;
  const change = async (on: boolean): Promise<void> => {
    if (on && Notification.permission === 'default') setPermission(await Notification.requestPermission());
    setWants(on && Notification.permission === 'granted');
  };
  return (
    <Switch
      size="sm"
      label="Tell me in this browser when something waits for me"
      description={
        permission === 'denied'
          ? 'This browser does not let the site do so. Its settings for the site can change that.'
          : 'While you look at something else. It says which script, not with which inputs.'
      }
      disabled={permission === 'denied'}
      checked={wants && permission === 'granted'}
      onChange={({ currentTarget }) => void change(currentTarget.checked)}
    />
  );
}
