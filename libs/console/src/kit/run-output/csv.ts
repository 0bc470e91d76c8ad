const SEPARATORS = [',', ';', '\t', '|'];

/** The records of a file of separated values, as RFC 4180 says, whichever separator its first line uses. */
export function parseCsv(text: string, most = Infinity): string[][] {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const separator = separatorOf(source);
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = (): void => {
    record.push(field);
    field = '';
  };
  const endRecord = (): void => {
    endField();
    records.push(record);
    record = [];
  };
  for (let at = 0; at < source.length && records.length < most; at++) {
    const char = source[at]!;
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (source[at + 1] === '"') field += source[++at]!;
      else isQuoted = false;
    } else if (char === '"' && field === '') isQuoted = true;
    else if (char === separator) endField();
    else if (char === '\n') endRecord();
    else if (char !== '\r' || source[at + 1] !== '\n') field += char;
  }
  if ((field !== '' || record.length > 0) && records.length < most) endRecord();
  return records;
}

/** The one that occurs most often in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string): number => bare.split(separator).length;
  return SEPARATORS.reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best));
}
