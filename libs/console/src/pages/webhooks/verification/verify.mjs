// Node 18 or newer, nothing to install: WEBHOOK_SECRET=whsec_… node verify.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const FIVE_MINUTES = 300;

function verify(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= FIVE_MINUTES)) throw new Error('The timestamp is missing or too old.');

  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${signed}`);
  // There is more than one for a day after the secret was rotated.
  const fits = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) throw new Error('No signature fits.');
  return JSON.parse(body.toString());
}

const server = createServer(async (request, response) => {
  // The bytes as they came: JSON that was parsed and written again has another signature.
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = verify(request.headers, Buffer.concat(chunks));
    console.log(event.id, event.type, event.data);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(401).end(error.message);
  }
});
server.listen(Number(process.env.PORT ?? 8080));
