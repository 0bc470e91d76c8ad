import { HANDLER_PROGRAMS } from './handler-call.js';
import { RUNTIME_BIN, WARM_DIRECTORY } from './runtimes.js';
import { NODE_TRUST_OPTION, withTrust } from './trust.js';
import { BASE_ENVIRONMENT } from './bubblewrap-arguments.js';

/** How an interpreter is started before there is a run for it, so that it can become the run's program. */
export interface InterpreterKind {
  /** Kinds with the same key are the same. */
  key: string;
  argv: readonly string[];
  /** As in a box's spec: the variables that are read at the start, which the run has as well, and nothing of one run's own. */
  env: Readonly<Record<string, string>>;
  /** Where it waits. */
  directory: string;
}

/** Python keeps its program's name in a place of this size, see `door/door.c`. */
const LONGEST_NAME = 200;
/** No file has this name. */
const PLACEHOLDER = 'waiting-for-its-program'.padEnd(LONGEST_NAME + 20, '-');

/**
 * A relative path that stays as it is when it is made absolute. Options begin with a dash; with anything else than these
 * characters nothing is the matter, but the cold way is always right.
 */
const PLAIN_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)[\w.][\w.@+/-]*$/;

interface Interpreter {
  names: readonly string[];
  /** Variables that it, its libraries or what the machine has installed for it read before the script begins. */
  readAtStart: RegExp;
  /** Values with which these make no difference to what is kept; anything else goes the cold way. */
  understood: Readonly<Record<string, RegExp>>;
  /** Variables that only the interpreter that waits has. */
  waiting: Readonly<Record<string, string>>;
  argv: (name: string, script: string) => string[];
  directory: string;
}

/** The C library's own, and where programs are found. */
const SYSTEM = 'LD_\\w*|LC_\\w*|LANG|LANGUAGE|LOCPATH|TZ|TZDIR|MALLOC_\\w*|GLIBC_\\w*|GCONV_\\w*|PATH|HOME';

const exactly = (value: string | undefined): RegExp =>
  new RegExp(`^${(value ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

const SYSTEM_UNDERSTOOD = {
  PATH: new RegExp(`^${RUNTIME_BIN}:`),
  HOME: exactly(BASE_ENVIRONMENT['HOME']),
  LANG: exactly(BASE_ENVIRONMENT['LANG']),
};

const loadsModules = (script: string): boolean =>
  script.endsWith('.mjs') || HANDLER_PROGRAMS.includes(script);

/** One folder, which is not there yet when the interpreter is started. */
const FOLDER_OF_APP = /^\/app\/[\w.-]+$/;

const INTERPRETERS: readonly Interpreter[] = [
  {
    names: ['python', 'python3'],
    readAtStart: new RegExp(`^(?:PYTHON\\w*|SETUPTOOLS_USE_DISTUTILS|${SYSTEM})$`),
    understood: {
      ...SYSTEM_UNDERSTOOD,
      PYTHONUNBUFFERED: /^1$/,
      PYTHONDONTWRITEBYTECODE: /^1$/,
      PYTHONPATH: FOLDER_OF_APP,
    },
    waiting: { PYTHONUSERBASE: WARM_DIRECTORY },
    // For what calls a function it imports what that imports, see `door/python.py`.
    argv: (name, script) => [name, `${PLACEHOLDER}${HANDLER_PROGRAMS.includes(script) ? '.handler' : ''}`],
    // It keeps the script's name with this in front.
    directory: '/app',
  },
  {
    names: ['node'],
    readAtStart: new RegExp(
      `^(?:NODE_(?!ENV$)\\w*|UV_\\w*|OPENSSL_\\w*|ICU_\\w*|WATCH_REPORT_DEPENDENCIES|${SYSTEM})$`,
    ),
    understood: { ...SYSTEM_UNDERSTOOD, NODE_OPTIONS: exactly(NODE_TRUST_OPTION) },
    waiting: { NODE_OPTIONS: `--require=${WARM_DIRECTORY}/node.cjs` },
    // Of a script whose name says that it is a module, and of a function, what loads modules is there already, see `door/node.cjs`.
    argv: (name, script) => [name, `/app/${PLACEHOLDER}${loadsModules(script) ? '.mjs' : ''}`],
    // It looks for a package.json where it is, and would remember that /app has none.
    directory: '/',
  },
];

/** The kernel starts no program with longer words, or more of them; what is started already would take them. */
const LONGEST_WORD_BYTES = 128 * 1024;
const MOST_BYTES = 1024 * 1024;

function canBeStarted(words: readonly string[]): boolean {
  const bytes = words.map((word) => Buffer.byteLength(word) + 1);
  return bytes.every((size) => size <= LONGEST_WORD_BYTES) && bytes.reduce((a, b) => a + b, 0) < MOST_BYTES;
}

/** Tells an interpreter what it is to import, see `door/template.py`. */
const TEMPLATE_VARIABLE = 'SANDBOX_TEMPLATE';

/**
 * How an interpreter is started that is to be forked for each run of a script.
 * @param kind what could be started ahead for such a run
 * @param name under which runs may share it: they have the same app
 * @param env as the command gets it; only its names are told, for modules that look for one of them when they are imported
 * @returns null for what cannot be forked
 */
export function templateOf(
  kind: InterpreterKind,
  name: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): InterpreterKind | null {
  const [program = '', script = '', ...rest] = argv;
  // Of the same value in all runs that have them. What they name is not there before a run.
  const trust = Object.entries(withTrust({})).filter(([variable, value]) => env[variable] === value);
  // They are understood, as `kind` is there.
  const free = Object.entries(env).filter(([variable]) => FREE.includes(variable));
  const same = { ...Object.fromEntries(free), ...kind.env };
  const names = Object.keys(env).filter((variable) => !(variable in same));
  // As long as names cannot be confused.
  if (!/^python/.test(program) || names.some((variable) => variable.includes('\n'))) return null;
  const words = [script, rest.length > 0 ? 'arguments' : '', ...names.sort()].join('\n');
  return {
    ...kind,
    key: JSON.stringify([kind.key, name, words, free]),
    env: { ...Object.fromEntries(trust), ...same, [TEMPLATE_VARIABLE]: words },
  };
}

/** Of the same value in all runs, so that nothing of theirs is in `env`. */
const FREE = ['PATH', 'HOME', 'LANG'];

/** Node's options of both, one after another; of anything else, there is only one. */
function joined(
  one: Record<string, string>,
  other: Readonly<Record<string, string>>,
): Record<string, string> {
  const both = Object.entries(other).map(([name, value]) => [
    name,
    name in one ? `${one[name]} ${value}` : value,
  ]);
  return { ...one, ...(Object.fromEntries(both) as Record<string, string>) };
}

/**
 * What can be started ahead for a command.
 * @param env as the command gets it, but for what every box has.
 * @param waiting names of the interpreters that can wait here.
 * @returns null for all that is not exactly understood: it is started when it is asked for.
 */
export function kindOf(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  waiting: readonly string[],
): InterpreterKind | null {
  const [name = '', script = ''] = argv;
  const interpreter = INTERPRETERS.find(({ names }) => names.includes(name));
  if (!interpreter || !waiting.includes(name) || script.length > LONGEST_NAME) return null;
  if (!PLAIN_PATH.test(script) && !HANDLER_PROGRAMS.includes(script)) return null;
  const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  if (!canBeStarted([...argv, ...variables])) return null;
  const own: Record<string, string> = {};
  for (const [variable, value] of Object.entries({ ...BASE_ENVIRONMENT, ...env })) {
    if (!interpreter.readAtStart.test(variable)) continue;
    if (!interpreter.understood[variable]?.test(value)) return null;
    if (!FREE.includes(variable)) own[variable] = value;
  }
  const started = interpreter.argv(name, script);
  return {
    key: JSON.stringify([...started, ...Object.entries(own).sort()]),
    argv: started,
    env: joined(own, interpreter.waiting),
    directory: interpreter.directory,
  };
}
