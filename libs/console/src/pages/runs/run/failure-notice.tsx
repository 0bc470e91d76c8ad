import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Why a run failed, as the service says it: words of the script are within. */
export function FailureNotice({ title, error }: { title: string; error: string }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      styles={{
        title: { color: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))' },
        message: { color: 'var(--mantine-color-text)', whiteSpace: 'pre-wrap' },
      }}
    >
      <span className="user-text">{error}</span>
    </Alert>
  );
}
