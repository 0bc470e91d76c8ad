import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { settingsChange } from './script-settings.js';

interface SetOptions {
  name?: string;
  description?: string;
  access?: string;
  team?: string[];
  approval?: string;
  queue?: string;
  keepRuns?: string;
  tag?: string[];
}

/** Changes what a script is like, whichever version runs. */
export default async function setScript({ args, options, gatehouse }: Context<SetOptions>): Promise<void> {
  const { name, description, access, team, approval, queue, keepRuns, tag } = options;
  const wanted = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(access !== undefined && { access }),
    ...(team && { teams: team }),
    ...(approval !== undefined && { approvalPolicy: approval }),
    ...(queue !== undefined && { queue: queue === '' ? null : queue }),
    ...(keepRuns !== undefined && { retention: retentionOf(keepRuns) }),
    ...(tag && { tags: tag.filter((one) => one !== '') }),
  };
  if (Object.keys(wanted).length === 0) {
    throw new WrongUse('What is to change?', `Look: gatehouse scripts set --help`);
  }
  const client = await gatehouse();
  const script = await client.scripts.get(args[0]!);
  const { patch, words } = await settingsChange(client, script, wanted);
  if (words.length === 0) return say(`${script.slug} is like that already.`);
  await client.scripts.update(script.slug, { ...patch, expectedVersion: script.revision });
  for (const change of words) say(`${green('✓')} ${change}`);
}

/** Days; empty: as the operator says. */
function retentionOf(text: string): { runs: number } | null {
  if (text === '') return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return { runs: Number(text) };
  throw new WrongUse(`"${text}" is no number of days.`);
}
