import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

import classes from './pane-divider.module.css';
import type { PaneWidth } from './use-pane-width.js';

const STEP_PX = 24;

interface PaneDividerProps extends PaneWidth {
  /** `Width of the files` */
  label: string;
  /** On which side of it the pane is. */
  side: 'left' | 'right';
}

/** Between two panes: dragged, or moved with the arrow keys; Enter or two clicks bring the usual width back. */
export function PaneDivider({ label, side, px, least, most, onPx }: PaneDividerProps) {
  const from = useRef<{ x: number; px: number } | null>(null);
  const sign = side === 'left' ? 1 : -1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number | null> = {
      ArrowLeft: px - sign * STEP_PX,
      ArrowRight: px + sign * STEP_PX,
      Home: least,
      End: most,
      Enter: null,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onPx(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, px };
  };
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    if (from.current) onPx(from.current.px + sign * (clientX - from.current.x));
  };
  const end = (): void => {
    from.current = null;
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={px}
      aria-valuemin={least}
      aria-valuemax={most}
      className={classes['divider']}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onPx(null)}
    />
  );
}
