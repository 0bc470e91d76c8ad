import { WrongUse } from '../failure/command-failure.js';

/** Labels as they were written, `name=value` each. */
export function labelsOf(given: readonly string[] = []): Record<string, string> | undefined {
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new WrongUse(`"${text}" is no label.`, 'Write each as --label name=value.');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

export const labelText = (labels: Record<string, string>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
