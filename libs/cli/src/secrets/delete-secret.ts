import type { Context } from '../context.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';

export default async function deleteSecret({
  args,
  options,
  gatehouse,
}: Context<{ allEnvironments?: true }>): Promise<void> {
  const [name = ''] = args;
  await (await gatehouse()).secrets.delete(name, options);
  say(`${green('✓')} ${name} is deleted${options.allEnvironments ? ' in every environment' : ''}.`);
}
