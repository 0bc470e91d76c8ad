import { useEffect } from 'react';

let waiting = 0;

/** How many things wait for this person, shown before the title of every page: `(3) Runs`. */
export function countInTitle(count: number): void {
  waiting = count;
  document.title = document.title.replace(/^(\(\d+\) )?/, count > 0 ? `(${count}) ` : '');
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Gatehouse`;
  }, [title]);
}
