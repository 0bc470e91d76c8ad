/** How schedules are shown; it stands in the page's address. */
export const SCHEDULE_VIEWS = { week: 'Week', table: 'Table' } as const;
export type ScheduleView = keyof typeof SCHEDULE_VIEWS;

interface SchedulesSearch {
  view?: 'table';
}

export function schedulesSearchOf({ view }: Record<string, unknown>): SchedulesSearch {
  return view === 'table' ? { view } : {};
}
