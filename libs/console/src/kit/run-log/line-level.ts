const WORDS = /\b(?:(ERROR|CRITICAL|FATAL|PANIC)|(WARN(?:ING)?)|(DEBUG|TRACE))\b/;
const EXCEPTION = /^(?:\w+\.){0,9}\w{0,80}(?:Error|Exception): |^Traceback \(most recent call last\):/;
/** As loggers of JSON and of `key=value` write it. */
const FIELD =
  /(?:"(?:level|severity|levelname)" ?: ?"|\blevel=)(?:(error|critical|fatal|panic)|(warn(?:ing)?)|(debug|trace))\b/i;
/** A level stands at the beginning, behind a time and a name at most. */
const LOOKED_AT = 60;
/** In JSON other fields may come first. */
const LOOKED_AT_OF_FIELDS = 200;

type LineLevel = 'error' | 'warning' | 'debug';

/** How bad a line says that it is: by a word in capitals near its beginning, by a field, or by the name of an exception. */
export function lineLevel(line: string): LineLevel | null {
  const start = line.slice(0, LOOKED_AT);
  if (EXCEPTION.test(start)) return 'error';
  const found = WORDS.exec(start) ?? FIELD.exec(line.slice(0, LOOKED_AT_OF_FIELDS));
  if (!found) return null;
  const [, error, warning] = found;
  if (error !== undefined) return 'error';
  return warning === undefined ? 'debug' : 'warning';
}
