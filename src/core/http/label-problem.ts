import { lineProblem, textProblem } from './text.validators.js';

const LONGEST_TITLE = 40;
const LONGEST_DESCRIPTION = 500;

/** What is wrong with how an extension calls and describes something that the console shows, or null. */
export function labelProblem({
  title,
  description = '',
}: {
  title?: unknown;
  description?: unknown;
}): string | null {
  if (typeof title !== 'string' || title === '' || title.length > LONGEST_TITLE || lineProblem(title)) {
    return `has no title of one line with up to ${LONGEST_TITLE} characters`;
  }
  if (
    typeof description !== 'string' ||
    description.length > LONGEST_DESCRIPTION ||
    textProblem(description)
  ) {
    return `has a description that is no text of up to ${LONGEST_DESCRIPTION} characters`;
  }
  return null;
}
