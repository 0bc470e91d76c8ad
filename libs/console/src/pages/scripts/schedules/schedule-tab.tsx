export function ScheduleTab() {
  return null;
}
