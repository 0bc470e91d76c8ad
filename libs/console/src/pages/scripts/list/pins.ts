import { useLocalStorage } from '@mantine/hooks';

import { useWorkspace } from '../../../app/use-place.js';

/** Each pinned script is read by itself, so they are few. */
export const MOST_PINS = 12;

/** The slugs of the scripts that this person pinned in this workspace, on this device. */
export function usePins(): { pins: string[]; togglePin: (slug: string) => void } {
  const { id } = useWorkspace();
  const [pins, setPins] = useLocalStorage<string[]>({
    key: `gatehouse-pins-${id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: pinsOf,
  });
  return { pins, togglePin: (slug) => setPins(toggled(pins, slug)) };
}

/** The newest pin comes last; beyond the most, the oldest goes. */
export function toggled(pins: string[], slug: string): string[] {
  if (pins.includes(slug)) return pins.filter((pin) => pin !== slug);
  return [...pins, slug].slice(-MOST_PINS);
}

/** What is stored may have been written by anything. */
export function pinsOf(stored: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(value)) return [];
    return [...new Set(value.filter((slug) => typeof slug === 'string' && slug !== ''))].slice(-MOST_PINS);
  } catch {
    return [];
  }
}
