import { endOfText } from '../../../libs/exact-json/index.js';

/**
 * The dotted path of the value that begins at `target`, such as `items.3.id`; empty for the document itself.
 *
 * @param text valid JSON
 */
export function placeInJson(text: string, target: number): string {
  // Of each open array its current index, of each open object its current name.
  const steps: (number | string)[] = [];
  for (let index = 0; index < target; index++) {
    const character = text[index];
    if (character === '"') {
      const end = endOfText(text, index);
      if (typeof steps.at(-1) === 'string' && isName(text, end + 1)) {
        steps[steps.length - 1] = JSON.parse(text.slice(index, end + 1)) as string;
      }
      index = end;
    } else if (character === '{') steps.push('');
    else if (character === '[') steps.push(0);
    else if (character === '}' || character === ']') steps.pop();
    else if (character === ',' && typeof steps.at(-1) === 'number') steps.push((steps.pop() as number) + 1);
  }
  return steps.join('.');
}

/** Whether a colon is what comes next. */
function isName(text: string, index: number): boolean {
  let next = index;
  while (/\s/.test(text[next] ?? '')) next++;
  return text[next] === ':';
}
