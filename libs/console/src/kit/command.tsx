import { Stack } from '@mantine/core';

import classes from './command.module.css';
import { CopyButton } from './copy-button.js';

interface CommandProps {
  /** What it is, for those who cannot see it. */
  label: string;
  /** `Copy as curl`. */
  copyLabel: string;
  text: string;
}

/** Text to be copied into a shell, a file or a program. */
export function Command({ label, copyLabel, text }: CommandProps) {
  return (
    <Stack gap="xs" align="flex-start">
      <pre className={classes['command']} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton value={text} label={copyLabel} />
    </Stack>
  );
}
