const WORDS = /\b(?:(ERROR|CRITICAL|FATAL)|(WARN(?:ING)?))\b/;
const EXCEPTION = /^(?:\w+\.){0,9}\w{0,80}(?:Error|Exception): |^Traceback \(most recent call last\):/;
/** A level stands at the beginning, behind a time and a name at most. */
const LOOKED_AT = 60;

/** How bad a line says that it is: by a word in capitals near its beginning, or by the name of an exception. */
export function lineLevel(line: string): 'error' | 'warning' | null {
  const start = line.slice(0, LOOKED_AT);
  if (EXCEPTION.test(start)) return 'error';
  const [, error, warning] = WORDS.exec(start) ?? [];
  if (error !== undefined) return 'error';
  return warning === undefined ? null : 'warning';
}
