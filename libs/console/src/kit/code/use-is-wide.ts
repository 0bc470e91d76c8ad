import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whether the element has at least this width; null until it has been measured. */
export function useIsWide(element: RefObject<Element | null>, fromPx: number): boolean | null {
  const [wide, setWide] = useState<boolean | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWide(entry.contentRect.width >= fromPx);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, fromPx]);
  return wide;
}
