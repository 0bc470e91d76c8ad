/** What the sequences before a line have set and not taken back; a colour is its parameters: `31`, `38;5;196`. */
interface Style {
  color: string;
  background: string;
  flags: ReadonlySet<number>;
}

const NONE: Style = { color: '', background: '', flags: new Set() };
const STYLES = /\u001b\[([0-9;:]*)m/g;
/** What each of these takes back. */
const ENDS: Record<number, number[]> = { 22: [1, 2], 23: [3], 24: [4] };

/** The style in which each line begins: as in a terminal, a colour goes on until it is taken back. */
export class LineStyles {
  /** Of the line at the same position, as the sequence that sets it. */
  private readonly beginnings: string[] = [''];
  private style = NONE;

  constructor(private readonly lines: readonly string[]) {}

  /** What has to stand before the line so that it is drawn as a terminal would. As the log grows only what is new is read. */
  before(position: number): string {
    for (let next = this.beginnings.length; next <= position; next++) {
      const line = this.lines[next - 1] ?? '';
      if (line.includes('\u001b[')) {
        for (const [, parameters = ''] of line.matchAll(STYLES)) this.style = changed(this.style, parameters);
      }
      this.beginnings.push(sequenceOf(this.style));
    }
    return this.beginnings[position] ?? '';
  }
}

function changed(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let { color, background } = before;
  const flags = new Set(before.flags);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (code === 0) {
      color = background = '';
      flags.clear();
    } else if (code >= 1 && code <= 4) flags.add(code);
    else if (ENDS[code]) ENDS[code].forEach((flag) => flags.delete(flag));
    else if (code === 38 || code === 48) {
      const own = codes.slice(at, at + (codes[at + 1] === 5 ? 3 : 5));
      at += own.length - 1;
      if (code === 38) color = own.join(';');
      else background = own.join(';');
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) color = String(code);
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) background = String(code);
    else if (code === 39) color = '';
    else if (code === 49) background = '';
  }
  return { color, background, flags };
}

function sequenceOf({ color, background, flags }: Style): string {
  const parameters = [...flags, color, background].filter((part) => part !== '');
  return parameters.length === 0 ? '' : `\u001b[${parameters.join(';')}m`;
}
