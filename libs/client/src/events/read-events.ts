/** A server-sent event, as the standard has it. */
export interface ServerEvent {
  event: string;
  data: string;
  /** The last id that was sent so far, empty where there was none. */
  id: string;
}

/** Longer than the service is ever silent: it says every 10 seconds that it is there. */
const LONGEST_SILENCE_MS = 45_000;

/**
 * Reads a stream of server-sent events to its end.
 *
 * @param onId told of each id that is sent, also of one without an event, which says where the stream begins
 * @throws Error where the connection breaks, or stays silent for too long
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onId: (id: string) => void = () => undefined,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser(onId);
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      yield* parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Takes text as it comes and gives the events that are whole. */
class EventParser {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private id = '';

  constructor(private readonly onId: (id: string) => void) {}

  *feed(text: string): Generator<ServerEvent, void, void> {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop()!;
    for (const line of lines) {
      const event = this.line(line);
      if (event) yield event;
    }
  }

  private line(line: string): ServerEvent | undefined {
    if (line === '') return this.whole();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.event = value;
    else if (name === 'data') this.data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.id = value;
    return undefined;
  }

  private whole(): ServerEvent | undefined {
    const { event, data, id } = this;
    this.event = '';
    this.data = [];
    if (id !== '') this.onId(id);
    return data.length === 0 ? undefined : { event: event || 'message', data: data.join('\n'), id };
  }
}

async function withinSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The connection is silent.')), LONGEST_SILENCE_MS);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
