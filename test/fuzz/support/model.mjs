import { once } from 'node:events';
import { createServer } from 'node:http';

const frame = (choice, usage) =>
  `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, ...choice }], usage })}\n\n`;
const SAID = [
  frame({ delta: { role: 'assistant', content: 'Hello.' }, finish_reason: null }),
  frame({ delta: {}, finish_reason: 'stop' }, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
  'data: [DONE]\n\n',
].join('');

/** A model that greets, whatever it is asked, so that agents answer: `{url, close}`. */
export async function startModel() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(SAID);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}
