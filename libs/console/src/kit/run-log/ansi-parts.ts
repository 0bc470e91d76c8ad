import { AnsiUp } from 'ansi_up';

/** A piece of a line, in one style. */
export interface LinePart {
  text: string;
  /** One of the terminal's sixteen colours (`ansi-red`), or a colour of its own: `rgb(1 2 3)`. */
  color?: string;
  /** `rgb(1 2 3)` */
  background?: string;
  bold?: true;
  faint?: true;
  italic?: true;
  underline?: true;
}

/** The kinds of packets that ansi_up's reader tells apart, as it numbers them. */
const TEXT = 1;
const INCOMPLETE = 2;
const STYLE = 5;
const LINK = 6;
const END = 0;

const ESCAPES = /\u001b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g;
// Other than a tab they show nothing, or turn the text around.
const UNSHOWN = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

/** One for all lines: it builds its palettes and patterns anew each time that it is made. */
const reader = new AnsiUp();

/**
 * Cuts a line of a log at its colours. What ansi_up makes of it is read as parts, never as HTML.
 * @param style the sequence that sets what the lines before it have left (see `LineStyles`)
 */
export function ansiParts(line: string, style = ''): LinePart[] {
  if (style === '' && !line.includes('\u001b')) return [{ text: shown(line) }];
  const parts: LinePart[] = [];
  // The reader may have been at any other line before, and have left some of it unread.
  reader['_buffer'] = '';
  reader['append_buffer'](`\u001b[0m${style}${line}`);
  for (;;) {
    const packet = reader['get_next_packet']();
    const kind: number = packet.kind;
    if (kind === END) break;
    // The line ends within a sequence, which therefore shows nothing.
    if (kind === INCOMPLETE) break;
    if (kind === STYLE) reader['process_ansi'](packet);
    // Of a link only its text is shown: nobody should follow an address that a script hid.
    else if (kind === TEXT || kind === LINK) {
      const text = shown(packet.text);
      if (text !== '') parts.push(styled(reader['with_state']({ ...packet, text })));
    }
  }
  return parts;
}

/** The line without its colours: what is searched. */
export function plainLine(line: string): string {
  return shown(line.includes('\u001b') ? line.replace(ESCAPES, '') : line);
}

function shown(text: string): string {
  return text.replace(UNSHOWN, '');
}

interface AnsiColour {
  rgb: number[];
  class_name: string;
}

interface Styled {
  text: string;
  fg: AnsiColour | null;
  bg: AnsiColour | null;
  bold: boolean;
  faint: boolean;
  italic: boolean;
  underline: boolean;
}

function styled({ text, fg, bg, bold, faint, italic, underline }: Styled): LinePart {
  return {
    text,
    ...(fg && { color: colourOf(fg) }),
    ...(bg && { background: rgbOf(bg) }),
    ...(bold && { bold }),
    ...(faint && { faint }),
    ...(italic && { italic }),
    ...(underline && { underline }),
  };
}

function colourOf(colour: AnsiColour): string {
  return colour.class_name === 'truecolor' ? rgbOf(colour) : colour.class_name;
}

function rgbOf({ rgb }: AnsiColour): string {
  return `rgb(${rgb.join(' ')})`;
}
