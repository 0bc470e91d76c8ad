import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A POST that costs the load generator as little as possible: it shares the processors with what it measures. */
export function post({ gatehouse, workspace }, path, body) {
  return new Promise((done, fail) => {
    const headers = {
      authorization: `Bearer ${workspace.owner.token}`,
      'x-workspace': workspace.slug,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(new URL(path, gatehouse.baseUrl), { method: 'POST', agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => done({ status: response.statusCode, body: Buffer.concat(chunks).toString() }));
    });
    sent.once('error', fail);
    sent.end(body);
  });
}
