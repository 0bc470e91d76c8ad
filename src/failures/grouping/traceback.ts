import { cutText } from '../../../libs/cut-text/index.js';
import { FailureReader } from '../../runs/index.js';

/** Where an exception was thrown, as Python and Node print it. */
interface Traceback {
  exception: string;
  message: string;
  /** The innermost place in the script's own code; null: there is none. */
  place: string | null;
  /** From its first line to its last. */
  lines: readonly string[];
}

const LONGEST_LINE = 500;

const THROWN = /^\[?(?:Uncaught )?([A-Za-z_$][\w$.<>]{0,199})(?: \[\w{1,100}\])?(?:: (.*)|:?(?: \{)?$)/;
const PYTHON_FRAME = /^ {2}File "([^"]{1,400})", line \d+(?:, in (.{1,200}))?$/;
const NODE_FRAME = /^ +at (?:async )?(?:(.{1,200}) \()?(?:file:\/\/)?([^\s()]{1,400}):\d+:\d+\)?$/;

const IN_STACK = /^ +at /;

const CODE = '/app/';
const FOREIGN = /\/(?:node_modules|site-packages|dist-packages)\//;
/** The outermost code of a file, which has no name. */
const NAMELESS = /^(?:<module>|<anonymous>|Object\.<anonymous>|file:.*|<lambda>)$/;

/**
 * The one that a run ended with.
 *
 * @param error what it says, which was made of what it printed
 * @param log the last lines that it printed
 */
export function tracebackOf(error: string, log: readonly string[]): Traceback | null {
  const reader = new FailureReader();
  for (const line of log) reader.add(line);
  const failure = reader.find(error);
  const thrown = failure && THROWN.exec(cut(failure.text));
  if (!thrown) return null;
  const { start, at } = failure;
  const lines = log.map(cut);
  if (failure.language === 'python') {
    const frames = framesIn(lines.slice(start + 1, at).map(withoutGroup), PYTHON_FRAME, [2, 1]);
    return frames.length === 0
      ? null
      : { ...named(thrown), place: placeOf(frames.toReversed()), lines: lines.slice(start) };
  }
  const first = lines.findIndex((line, place) => place > at && NODE_FRAME.test(line));
  if (first < 0) return null;
  const after = lines.findIndex((line, place) => place > first && !IN_STACK.test(line));
  const end = after < 0 ? lines.length : after;
  const frames = framesIn(lines.slice(first, end), NODE_FRAME, [1, 2]);
  return { ...named(thrown), place: placeOf(frames), lines: lines.slice(at, end) };
}

/** The frames of a group of exceptions are drawn into a tree. */
const withoutGroup = (line: string): string => line.replace(/^ {2}\| /, '');

const named = ([, exception = '', message = '']: RegExpExecArray) => ({ exception, message });

interface Frame {
  name: string;
  file: string;
}

function framesIn(lines: readonly string[], pattern: RegExp, [name, file]: [number, number]): Frame[] {
  return lines.flatMap((line): Frame[] => {
    const match = pattern.exec(line);
    return match ? [{ name: match[name] ?? '', file: match[file]! }] : [];
  });
}

/** @param frames the innermost first */
function placeOf(frames: readonly Frame[]): string | null {
  const own = frames.find(({ file }) => file.startsWith(CODE) && !FOREIGN.test(file));
  if (!own) return null;
  const file = own.file.slice(CODE.length);
  return own.name === '' || NAMELESS.test(own.name) ? file : `${file} in ${own.name}`;
}

const cut = (line: string): string => cutText(line, LONGEST_LINE);
