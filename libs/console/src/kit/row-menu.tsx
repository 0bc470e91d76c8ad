import { ActionIcon, Menu } from '@mantine/core';
import IconDots from 'icon:dots';
import type { ReactNode } from 'react';

/** What can be done with one thing of a list. `label` names it: `Actions for production`. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
