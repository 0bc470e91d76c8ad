import { COLOUR, isColoured } from './colours.js';
import { plainText } from './plain-text.js';

/**
 * Says something that is no output: on standard error, so that output can be piped on. Most of it has words of others in it, a
 * person's name or a server's message: but for our colours, nothing in it reaches the terminal as a command.
 */
export function say(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Text for a person, with no other escape sequences than our colours. */
function printable(text: string): string {
  if (!isColoured(process.stderr)) return plainText(text);
  // The colours are what the text is parted by: they stand at the odd places.
  return text
    .split(COLOUR)
    .map((part, place) => (place % 2 === 1 ? part : plainText(part)))
    .join('');
}
