import { useLocalStorage } from '@mantine/hooks';

export interface PaneWidth {
  px: number;
  least: number;
  most: number;
  /** null: the usual one. */
  onPx: (px: number | null) => void;
}

interface PaneLimits {
  usual: number;
  least: number;
  most: number;
}

/** How wide a pane is, which this browser remembers. */
export function usePaneWidth(name: string, { usual, least, most }: PaneLimits): PaneWidth {
  const [kept, keep] = useLocalStorage<number>({
    key: `gatehouse-pane-${name}`,
    defaultValue: usual,
    getInitialValueInEffect: false,
  });
  const within = (px: number): number => Math.round(Math.min(most, Math.max(least, px)));
  return {
    px: typeof kept === 'number' ? within(kept) : usual,
    least,
    most,
    onPx: (px) => keep(within(px ?? usual)),
  };
}
