import { Button } from '@mantine/core';

import { useScript } from '../script-context.js';
import type { Publishing } from './use-publishing.js';

interface PublishButtonProps {
  number: number;
  publishing: Publishing;
  /** The one thing to do on a page, rather than one among many. */
  prominent?: boolean;
}

/** Publishes a version, goes back to an older one, or takes the published one back. */
export function PublishButton({ number, publishing, prominent }: PublishButtonProps) {
  const { publishedVersion, status } = useScript();
  const { publish, unpublish, busyWith } = publishing;
  if (status === 'archived') return null;
  const size = prominent ? 'sm' : 'compact-sm';
  if (number === publishedVersion) {
    return (
      <Button size={size} variant="default" loading={busyWith === 0} onClick={unpublish}>
        Unpublish
      </Button>
    );
  }
  const isBack = publishedVersion !== null && number < publishedVersion;
  return (
    <Button
      size={size}
      variant={prominent && !isBack ? 'filled' : 'default'}
      loading={busyWith === number}
      disabled={busyWith !== null && busyWith !== number}
      onClick={() => publish(number)}
      aria-label={isBack ? `Roll back to version ${number}` : `Publish version ${number}`}
    >
      {isBack ? 'Roll back' : 'Publish'}
    </Button>
  );
}
