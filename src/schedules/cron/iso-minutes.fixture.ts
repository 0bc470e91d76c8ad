import type { Minute } from './zone-clock.js';

export const minute = (iso: string): Minute => Date.parse(iso.length === 16 ? `${iso}Z` : iso) / 60_000;
export const iso = (at: Minute | null): string | null =>
  at === null ? null : new Date(at * 60_000).toISOString().slice(0, 16);
