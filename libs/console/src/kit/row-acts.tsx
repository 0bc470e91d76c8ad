import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';

import type { Column } from './listing.js';
import classes from './row-acts.module.css';
import { RowMenu } from './row-menu.js';

export interface RowAct {
  /** `Run again` */
  label: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Where it leads, what it saves, or what it does. */
  link?: LinkProps;
  file?: { href: string; name: string };
  onAct?: () => void;
  destroys?: boolean;
}

interface RowActsProps {
  /** What is acted on: `the run run_1 of daily-sales`. */
  of: string;
  acts: readonly RowAct[];
}

/** What can be done with a row: icons while the mouse or the focus is there, and a menu where nothing hovers. */
export function RowActs({ of, acts }: RowActsProps) {
  const isTouched = useMediaQuery('(hover: none), (max-width: 48em)', false, {
    getInitialValueInEffect: false,
  });
  if (acts.length === 0) return null;
  if (isTouched) {
    return (
      <RowMenu label={`Actions for ${of}`}>
        {acts.map(({ label, icon: Icon, link, file, onAct, destroys }) => (
          <Menu.Item
            key={label}
            c={destroys ? 'var(--mantine-color-error)' : undefined}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={onAct}
            renderRoot={
              link
                ? (props: object) => <Link {...link} {...props} />
                : file && ((props: object) => <a href={file.href} download={file.name} {...props} />)
            }
          >
            {label}
          </Menu.Item>
        ))}
      </RowMenu>
    );
  }
  return (
    <div className={classes['acts']}>
      {acts.map(({ label, icon: Icon, link, file, onAct, destroys }) => {
        const drawing = <Icon size={17} aria-hidden />;
        const shared = {
          className: classes['act'],
          'aria-label': `${label}: ${of}`,
          title: label,
          'data-destroys': destroys || undefined,
        };
        if (link) return <Link key={label} {...link} preload={false} {...shared} children={drawing} />;
        if (file)
          return <a key={label} href={file.href} download={file.name} {...shared} children={drawing} />;
        return <button key={label} type="button" onClick={onAct} {...shared} children={drawing} />;
      })}
    </div>
  );
}

/** The last column of a list, which takes no room. */
export function actsColumn<Item>(cell: Column<Item>['cell']): Column<Item> {
  return { id: 'acts', header: 'Actions', isActs: true, cell };
}
