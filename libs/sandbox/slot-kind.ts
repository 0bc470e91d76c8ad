import type { BoxLimits } from './box.js';

/** What is the same for all runs of a slot. */
export interface SlotKind {
  limits: BoxLimits;
  /** Its boxes may have a writable app. */
  writesToDisk: boolean;
}

/** Slots of the same key serve the same runs. */
export function slotKey({ limits, writesToDisk }: SlotKind): string {
  return JSON.stringify({ limits, writesToDisk });
}

export function slotKindOf(key: string): SlotKind {
  return JSON.parse(key) as SlotKind;
}
