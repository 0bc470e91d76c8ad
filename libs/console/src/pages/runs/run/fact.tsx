import type { ReactNode } from 'react';

import classes from './run-facts.module.css';

/** What is known about a run, by its name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd className="user-text">{children}</dd>
    </div>
  );
}
