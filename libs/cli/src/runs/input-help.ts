import type { ScriptDetail } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import { bold, dim } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { wordsOf } from './input-values.js';
import { plainSchema } from './plain-schema.js';

/** What `gatehouse run SCRIPT --help` shows: the inputs of its published version. */
export function inputHelp({ slug, name, description, inputSchema }: ScriptDetail): string {
  const schema = plainSchema(inputSchema);
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {});
  const width = Math.max(0, ...fields.map(([field]) => field.length + 2));
  const lines = fields.map(([field, one]) => {
    const notes = [
      plainText(wordsOf(one)),
      ...(required.has(field) ? ['required'] : []),
      ...(one.default === undefined ? [] : [plainText(`default ${stringifyJson(one.default)}`)]),
    ].join(', ');
    const described = one.description ? `${plainText(one.description)} ` : '';
    return `  ${plainText(`--${field}`).padEnd(width)}  ${described}${dim(`(${notes})`, process.stdout)}`;
  });
  const heading = (text: string): string => bold(text, process.stdout);
  return [
    `${heading('Usage:')} gatehouse run ${slug}${fields.length > 0 ? ' [inputs]' : ''}`,
    '',
    plainText(`${name}${description ? `: ${description}` : ''}`),
    '',
    ...(lines.length > 0 ? [heading('Inputs:'), ...lines, ''] : ['It has no inputs.', '']),
    heading('Options:'),
    '  --wait          wait for a person, where one has to approve it',
    '  --detach        do not wait for its end',
    '  --retry TIMES   try it again, up to so often; off, or JSON with more',
    '  --start-at TIME let it begin then: a date, or in how long, such as 2h',
    '  --expires-at TIME  cancel it then, unless it has begun',
    '  --priority N    -10 to 10: those of a higher one begin first',
    '  --json[=a,b]    print the run as JSON: everything, or these fields',
    '  --jq EXPR       print the run as JSON, through this jq expression',
    '  --input N=V     an input that is called like one of these options',
  ].join('\n');
}
