import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

export interface DestroyButtonProps {
  children: ReactNode;
  onClick: () => void;
  loading?: boolean;
  /** Within a row: small and without a border. */
  quiet?: boolean;
  /** Names the thing, where the words alone do not: `Revoke Nightly pipeline`. */
  label?: string;
}

/** Leads to the question whether something is to be destroyed. */
export function DestroyButton({ children, onClick, loading, quiet = false, label }: DestroyButtonProps) {
  return (
    <Button
      size={quiet ? 'compact-sm' : 'sm'}
      variant={quiet ? 'subtle' : 'outline'}
      color="red"
      c="var(--mantine-color-error)"
      loading={loading}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
