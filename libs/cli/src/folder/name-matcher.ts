/**
 * Says whether a name or path fits a pattern in which `*` stands for any characters but `/`. In time that grows with the two
 * lengths only: a regular expression of many stars would take for ever on some names, and the pattern may be a stranger's.
 */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const [start = '', ...rest] = pattern.replace(/\/$/, '').split('*');
  const end = rest.pop();
  if (end === undefined) return (name) => name === start;
  return (name) => {
    if (!name.startsWith(start) || name.length < start.length + end.length || !name.endsWith(end))
      return false;
    const last = name.length - end.length;
    let at = start.length;
    for (const part of rest) {
      const found = name.slice(0, last).indexOf(part, at);
      if (found < 0 || name.slice(at, found).includes('/')) return false;
      at = found + part.length;
    }
    return !name.slice(at, last).includes('/');
  };
}
