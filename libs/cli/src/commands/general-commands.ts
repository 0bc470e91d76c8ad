import { type Command, Option } from 'commander';

import { collect, command } from './command.js';

export function addGeneralCommands(program: Command): void {
  command(
    program,
    'api <method> <path>',
    'send a request to the interface',
    () => import('../general/api.js'),
  )
    .option('-f, --field <name=value>', 'a field of the body, or of the query of a GET', collect)
    .option('-F, --json-field <name=json>', 'the same with a value that is JSON', collect)
    .option('--input <file>', 'the body, from a file or - for standard input')
    .option('--paginate', 'read every page of a list')
    .option('-q, --jq <expression>', 'print the response through a jq expression');
  command(
    program,
    'open [thing]',
    'open the page of a script, run, request or list',
    () => import('../pages/open.js'),
  ).option('--print', 'print the address instead');
  command(program, 'doctor', 'look whether everything is in order', () => import('../general/doctor.js'));
  command(
    program,
    'completion <shell>',
    'print what a shell needs to complete commands (bash, zsh, fish)',
    () => import('../general/completion.js'),
  );
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .addOption(new Option('--shell <name>').hideHelp())
    .passThroughOptions()
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { default: complete } = await import('../general/complete.js');
      await complete(program, words);
    });
}
