import type { Schedule } from '@gatehouse/client/operations';
import { describe, expect, it } from 'vitest';

import { weekOf } from './week.js';

const schedule = (name: string, upcoming?: string[]): Schedule =>
  ({ id: name, name, ...(upcoming && { upcoming }) }) as Schedule;
const now = new Date(2026, 0, 31, 15, 30);
const at = (day: number, hour: number): string => new Date(2026, 0, 31 + day, hour).toISOString();

describe('weekOf', () => {
  it('puts what is due into seven days, in order', () => {
    const { days, often } = weekOf(
      [
        schedule('b', [at(0, 18), at(6, 3)]),
        schedule('a', [at(0, 18), at(0, 16), at(7, 3)]),
        schedule('off'),
      ],
      now,
    );
    expect(days.map(({ start }) => start.getDate())).toEqual([31, 1, 2, 3, 4, 5, 6]);
    expect(
      days.map(({ occurrences }) =>
        occurrences.map(({ at, schedule }) => `${at.getHours()} ${schedule.name}`),
      ),
    ).toEqual([['16 a', '18 a', '18 b'], [], [], [], [], [], ['3 b']]);
    expect(often).toEqual([]);
  });

  it('keeps what is due all the time apart', () => {
    const hourly = Array.from({ length: 60 }, (_, hour) => at(0, 16 + hour));
    const { days, often } = weekOf([schedule('hourly', hourly)], now);
    expect(days.flatMap(({ occurrences }) => occurrences)).toEqual([]);
    expect(often.map(({ name }) => name)).toEqual(['hourly']);
  });
});
