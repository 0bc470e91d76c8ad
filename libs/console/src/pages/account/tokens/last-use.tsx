import { Text } from '@mantine/core';

import { Moment } from '../../../kit/moment.js';

const WEEK_MS = 7 * 86_400_000;

interface Used {
  lastUsedAt: string | null;
  lastUsedAddress: string | null;
  expiresAt: string | null;
}

/** When and from where a token or key was last used, and when it ends. */
export function LastUse({ lastUsedAt, lastUsedAddress, expiresAt }: Used) {
  return (
    <>
      {lastUsedAt === null ? 'never used' : <Moment at={lastUsedAt} />}
      {lastUsedAddress !== null && (
        <Text size="sm" c="dimmed">
          from {lastUsedAddress}
        </Text>
      )}
      {expiresAt === null ? (
        <Text size="sm" c="dimmed">
          no end
        </Text>
      ) : (
        <Expiry at={expiresAt} />
      )}
    </>
  );
}

/** In bold where it is less than a week off: whoever made it was told by mail. */
function Expiry({ at }: { at: string }) {
  const left = new Date(at).getTime() - Date.now();
  return (
    <Text size="sm" {...(left < WEEK_MS ? { fw: 600 } : { c: 'dimmed' })}>
      {left < 0 ? 'ended' : 'ends'} <Moment at={at} />
    </Text>
  );
}
