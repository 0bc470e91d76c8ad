import { checked } from '../run-filters.form.js';
import { searchOf } from './search-words.js';

/** Text with at least one word, and no more than are looked for. */
export function HasWords(): PropertyDecorator {
  return checked(
    'hasWords',
    'must have a letter or digit, and at most 8 words',
    (value) => typeof value === 'string' && searchOf(value) !== null,
  );
}
