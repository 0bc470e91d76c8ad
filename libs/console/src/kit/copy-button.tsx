import { Button, CopyButton as Copy } from '@mantine/core';
import IconCheck from 'icon:check';
import IconCopy from 'icon:copy';

/** `label` says what is copied: `Copy the key`. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  return (
    <Copy value={value}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </Copy>
  );
}
