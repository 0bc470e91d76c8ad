import { Alert } from '@mantine/core';
import IconPlugConnectedX from 'icon:plug-connected-x';
import { useEffect, useState } from 'react';

import { useIsConnected } from './live.js';

/** A short break is nobody's business. */
const PATIENCE_MS = 3_000;

/** Says that the page may be out of date while the service cannot be reached. */
export function ConnectionNotice() {
  const connected = useIsConnected();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (connected) return setLate(false);
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connected]);

  if (connected || !late) return null;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<IconPlugConnectedX aria-hidden />} role="status">
      The service cannot be reached at the moment. What you see may be out of date; it will catch up by
      itself.
    </Alert>
  );
}
