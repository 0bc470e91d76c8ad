import type { Command } from 'commander';

import { collect, command, part, withFormat, withJson, withLimit, withPeriod } from './command.js';

export function addRunCommands(program: Command): void {
  withJson(
    command(
      program,
      'run <script> [inputs...]',
      'run a script, with --NAME VALUE for each of its inputs',
      () => import('../runs/run.js'),
    ),
  )
    .option('--plan', 'only plan it: print what it would send, and send nothing')
    .option('--wait', 'wait for a person, where one has to approve it')
    .option('--detach', 'do not wait for its end')
    .option('--retry <times>', 'try it again, up to so often; off, or JSON with more')
    .option('--start-at <time>', 'let it begin then: a date, or in how long, such as 2h')
    .option('--expires-at <time>', 'cancel it then, unless it has begun')
    .option('--priority <number>', '-10 to 10: those of a higher one begin first')
    .option('--label <name=value>', 'a label by which it is found; several times for more', collect)
    .option('--input <name=value>', 'an input, also one that is called like an option', collect)
    .helpOption(false)
    .passThroughOptions()
    .allowUnknownOption();
  command(program, 'logs <run>', 'print the log of a run', () => import('../runs/logs.js'))
    .option('-f, --follow', 'go on until it ends')
    .option('--all', 'the whole log, also the lines between its beginning and its end')
    .option('--search <text>', 'only lines that contain this, in upper or lower case')
    .option('--attempt <number>', 'only of this attempt; not with --follow')
    .option('--times', 'each line behind the time at which it was printed; not with --follow and --all yet');
  addRunsGroup(program.command('runs').description('look at runs and end them'));
  addFilesGroup(program.command('files').description('read what runs have written'));
}

function addRunsGroup(runs: Command): void {
  narrowed(
    withJson(
      withLimit(command(runs, 'list', 'list runs, newest first', () => import('../runs/list-runs.js'))),
    ),
  );
  withFormat(
    narrowed(
      command(
        runs,
        'export',
        'print all runs, newest first, 100000 at most',
        () => import('../runs/export-runs.js'),
      ),
    ),
  );
  withJson(
    withPeriod(
      command(
        runs,
        'statistics',
        'how runs ended, what they took and how long they waited, by hour or day',
        () => import('../runs/run-statistics.js'),
      ),
    ),
  )
    .option('--by <unit>', 'hour or day', 'day')
    .option('--script <slug>', 'only of this script, by version')
    .option('--version <number>', 'only of this version of it');
  command(
    runs,
    'download <run> [folder]',
    'download all files that a run has written',
    () => import('../runs/download-files.js'),
  );
  withJson(command(runs, 'view <run>', 'show a run', () => import('../runs/view-run.js')));
  withJson(
    withLimit(
      command(
        runs,
        'planned <run>',
        'list what a plan would have sent',
        () => import('../runs/list-planned.js'),
      ),
    ),
  );
  withJson(command(runs, 'watch <run>', 'follow a run to its end', () => import('../runs/watch-run.js')));
  withFilter(
    command(
      runs,
      'cancel [run]',
      'cancel a run, or all that fit options such as --script and --status',
      () => import('../runs/cancel-run.js'),
    ),
    'cancel all runs that you may see and that have not ended',
  );
  withJson(
    command(
      runs,
      'move <run>',
      'move a run that waits for its time to start',
      () => import('../runs/move-run.js'),
    ),
  ).requiredOption('--start-at <time>', 'a date, or in how long, such as 2h; 0s starts it');
  addOperationsGroup(runs.command('operations').description('follow what is done to many runs'));
  withJson(
    command(
      runs,
      'batch <script> <file>',
      'start a run for each line of a file, which has its inputs as JSON; - for standard input',
      () => import('../runs/start-batch.js'),
    ),
  )
    .option('--retry <times>', 'try each again, up to so often; off, or JSON with more')
    .option('--start-at <time>', 'let them begin then: a date, or in how long, such as 2h')
    .option('--expires-at <time>', 'cancel those then that have not begun')
    .option('--priority <number>', '-10 to 10: those of a higher one begin first')
    .option('--label <name=value>', 'a label of all of them; several times for more', collect);
  withFilter(
    command(
      runs,
      'rerun [run]',
      'run the same version with the same inputs again, also of all runs that fit options such as --script',
      () => import('../runs/rerun.js'),
    ),
    'run all runs again that you may see and that have ended',
  )
    .option('--wait', 'wait for a person, where one has to approve it')
    .option('--detach', 'do not wait for its end');
}

/** What narrows the runs that are shown. */
function narrowed(made: Command): Command {
  return withPeriod(
    made
      .option('--script <slug>', 'only of this script')
      .option('--status <status>', 'only of this status, or of these, separated by commas')
      .option('--label <name[=value]>', 'only with this label; several times for all of them', collect)
      .option('--search <words>', 'only with these words in labels, error, small inputs and outputs')
      .option('--min-seconds <number>', 'only those that took so long')
      .option('--plan', 'only plans, which send nothing')
      .option('--no-plan', 'no plans')
      .option(
        '--caused-by <id>',
        'only what this caused: a run, event, schedule, trigger, hook, batch or conversation',
      )
      .option('--error <id>', 'only what failed with this error'),
  );
}

/** What narrows the runs that something is done to. */
function withFilter(made: Command, all: string): Command {
  return withJson(made)
    .option('--script <slug>', 'all of this script')
    .option('--status <status>', 'all of this status, or of these, separated by commas')
    .option(
      '--label <name[=value]>',
      'all with this label; several times for those with all of them',
      collect,
    )
    .option('--search <words>', 'all with these words in labels, error, small inputs and outputs')
    .option('--min-seconds <number>', 'all that took so long')
    .option('--plan', 'all plans')
    .option('--no-plan', 'all but plans')
    .option('--caused-by <id>', 'all that this caused')
    .option('--error <id>', 'all that failed with this error')
    .option('--since <time>', 'all from then on: a date, or how long ago, such as 2h or 7d')
    .option('--until <time>', 'all before then')
    .option('--all', all)
    .option('--limit <number>', 'so many of them, the newest; 1000 by default, and 10000 at most')
    .option('--dry-run', 'only say how many there are')
    .option('-y, --yes', 'do not ask');
}

function addOperationsGroup(operations: Command): void {
  const load = (name: 'list' | 'view' | 'cancel') => part(() => import('../runs/operations.js'), name);
  withJson(withLimit(command(operations, 'list', 'list them, newest first', load('list'))));
  withJson(command(operations, 'view <operation>', 'show how far it is', load('view')));
  withJson(command(operations, 'cancel <operation>', 'end it; what it has done stays done', load('cancel')));
}

function addFilesGroup(files: Command): void {
  withJson(
    withLimit(command(files, 'list', 'list files, newest first', () => import('../runs/list-files.js'))),
  );
  command(files, 'get <file>', 'download a file', () => import('../runs/get-file.js')).option(
    '-o, --output <path>',
    'where to; - for standard output; its own name by default',
  );
}
