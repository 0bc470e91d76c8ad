export function NewScheduleTab() {
  return null;
}
