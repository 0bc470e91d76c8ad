import { Alert } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';

/** Why something that was asked for failed in the end, as the service says it: words of a script may be within. */
export function FailureNotice({ title, error }: { title: string; error: string }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      styles={{ message: { whiteSpace: 'pre-wrap' } }}
    >
      <span className="user-text">{error}</span>
    </Alert>
  );
}
