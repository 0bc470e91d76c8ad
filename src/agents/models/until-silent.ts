import { ModelSilent } from './model-failure.js';

/** The same response, whose body fails once no byte has come for so long. */
export function untilSilent(response: Response, milliseconds: number): Response {
  if (!response.body) return response;
  const { status, headers } = response;
  return new Response(ReadableStream.from(spoken(response.body, milliseconds)), { status, headers });
}

async function* spoken(body: ReadableStream<Uint8Array>, milliseconds: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const part = await within(reader.read(), milliseconds);
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelSilent()), milliseconds);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
