import { useLocalStorage } from '@mantine/hooks';

const KEY = 'gatehouse-browser-notices';

/** Whether the person wants to be told by this browser, and off until they have said so. */
export function useBrowserNotices() {
  return useLocalStorage({ key: KEY, defaultValue: false });
}

/** They want it, and the browser lets the site. */
export function areBrowserNoticesOn(): boolean {
  return (
    'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'true'
  );
}
