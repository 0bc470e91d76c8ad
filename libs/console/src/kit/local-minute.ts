/** An instant as a field of type `datetime-local` takes it: `2026-01-31T09:30`, where the reader is. */
export function localMinute(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 16);
}
