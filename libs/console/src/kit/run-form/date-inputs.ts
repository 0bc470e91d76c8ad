/** An input of the browser's for a format, and how its text becomes the one that the format asks for. */
interface DateInput {
  type: 'date' | 'datetime-local' | 'text';
  step?: number;
  shown: (value: unknown) => string;
  sent: (typed: string) => string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const dateInputs: Record<string, DateInput> = {
  date: { type: 'date', shown: text, sent: (typed) => typed },
  'date-time': { type: 'datetime-local', step: 1, shown: localTime, sent: instantOf },
};

/** An instant on this person's clock, as `datetime-local` writes it. */
function localTime(value: unknown): string {
  const at = new Date(text(value));
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

function instantOf(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? typed : at.toISOString();
}
