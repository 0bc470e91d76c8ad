export function SchedulesTab() {
  return null;
}
