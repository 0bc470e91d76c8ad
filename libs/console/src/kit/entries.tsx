import type { ReactNode } from 'react';

import classes from './entries.module.css';

/** A short list within a card. */
export function Entries({ children }: { children: ReactNode }) {
  return <ul className={classes['entries']}>{children}</ul>;
}

/** What it is, what there is to say of it, and what can be done. */
export function Entry({
  name,
  about,
  children,
}: {
  name: ReactNode;
  about: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className={classes['entry']}>
      <div className={classes['text']}>
        <div className="user-text">{name}</div>
        <div className={`user-text ${classes['quiet']}`}>{about}</div>
      </div>
      {children}
    </li>
  );
}
