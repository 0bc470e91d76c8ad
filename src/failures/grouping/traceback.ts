import { cutText } from '../../../libs/cut-text/index.js';

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

const THROWN = /^(?:Uncaught )?([A-Za-z_$][\w$.]{0,199})(?: \[\w{1,100}\])?(?:: (.*)|(?: \{)?$)/;
const PYTHON_START = /^Traceback \(most recent call last\):/;
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
 * @param said how its error ends: the last line that it printed, or for Node the last one that names an error
 * @param log the last lines that it printed
 */
export function tracebackOf(said: string, log: readonly string[]): Traceback | null {
  const lines = log.map(cut);
  return pythonOf(cut(said), lines) ?? nodeOf(cut(said), lines);
}

/** Frames, the innermost last, and then the exception, whose message may have several lines. Nothing comes after it. */
function pythonOf(said: string, lines: readonly string[]): Traceback | null {
  if (lines.findLast((line) => line.trim() !== '')?.trim() !== said) return null;
  const start = lines.findLastIndex((line) => PYTHON_START.test(line));
  if (start < 0) return null;
  const at = lines.findIndex((line, place) => place > start && !line.startsWith(' '));
  const frames = framesIn(lines.slice(start + 1, at), PYTHON_FRAME, [2, 1]);
  const thrown = at < 0 ? null : THROWN.exec(lines[at]!);
  if (!thrown || frames.length === 0) return null;
  return { ...named(thrown), place: placeOf(frames.toReversed()), lines: lines.slice(start) };
}

/** The exception, whose message may have several lines, and then its frames, the innermost first. */
function nodeOf(said: string, lines: readonly string[]): Traceback | null {
  const thrown = THROWN.exec(said);
  if (!thrown) return null;
  const at = lines.findLastIndex((line) => THROWN.exec(line)?.[1] === thrown[1]);
  const first = lines.findIndex((line, place) => place > at && NODE_FRAME.test(line));
  if (at < 0 || first < 0) return null;
  const after = lines.findIndex((line, place) => place > first && !IN_STACK.test(line));
  const end = after < 0 ? lines.length : after;
  const frames = framesIn(lines.slice(first, end), NODE_FRAME, [1, 2]);
  return { ...named(thrown), place: placeOf(frames), lines: lines.slice(at, end) };
}

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
