import { UnstyledButton } from '@mantine/core';
import IconChevronRight from 'icon:chevron-right';
import { useState } from 'react';

import classes from './json-tree.module.css';
import { WrittenNumber } from './written-number.js';

const OPEN_LEVELS = 2;
const AT_ONCE = 100;

export interface JsonTreeProps {
  value: unknown;
  /** What it is, for those who cannot see it. */
  label: string;
  /** Shows the entries of the outermost object alone. */
  isBare?: boolean;
}

/** JSON whose lists and objects can be opened and closed. */
export function JsonTree({ value, label, isBare }: JsonTreeProps) {
  const nodes =
    isBare && typeof value === 'object' && value !== null ? (
      Object.entries(value).map(([name, child]) => <Node key={name} name={name} value={child} level={1} />)
    ) : (
      <Node value={value} level={0} />
    );
  return (
    <div className={classes['tree']} role="group" aria-label={label} tabIndex={0}>
      {nodes}
    </div>
  );
}

function Node({ name, value, level }: { name?: string; value: unknown; level: number }) {
  if (typeof value !== 'object' || value === null || value instanceof WrittenNumber) {
    return (
      <div className={classes['leaf']}>
        <Name name={name} />
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch name={name} value={value} level={level} />;
}

function Branch({ name, value, level }: { name?: string; value: object; level: number }) {
  const entries = Object.entries(value);
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS && entries.length <= AT_ONCE);
  const [count, setCount] = useState(AT_ONCE);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <div>
      <UnstyledButton
        className={classes['branch']}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        disabled={entries.length === 0}
      >
        <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
        <Name name={name} />
        <span className={classes['quiet']}>{size}</span>
      </UnstyledButton>
      {isOpen && (
        <div className={classes['children']}>
          {entries.slice(0, count).map(([key, child]) => (
            <Node key={key} name={key} value={child} level={level + 1} />
          ))}
          {entries.length > count && (
            <UnstyledButton className={classes['branch']} onClick={() => setCount(count + 10 * AT_ONCE)}>
              <span className={classes['quiet']}>{entries.length - count} more</span>
            </UnstyledButton>
          )}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { name?: string }) {
  return name === undefined ? null : (
    <>
      <span className={`${classes['name']} user-text`}>{name}</span>
      <span className={classes['quiet']}>: </span>
    </>
  );
}

function Leaf({ value }: { value: unknown }) {
  const kind = value === null ? 'null' : value instanceof WrittenNumber ? 'number' : typeof value;
  return <span className={`${classes[kind] ?? ''} user-text`}>{JSON.stringify(value)}</span>;
}
