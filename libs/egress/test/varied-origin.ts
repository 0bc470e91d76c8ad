import { createHash, randomBytes } from 'node:crypto';
import type http from 'node:http';
import { type Outside, type Received, read } from './gate-fixture.js';
import { type Origin, startOrigin } from './origin.js';

/** Sends back what it got. */
export function echo(req: http.IncomingMessage, res: http.ServerResponse): void {
  void read(req).then((got) => {
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify({
        method: req.method,
        url: req.url,
        raw: req.rawHeaders,
        body: got.text,
        trailers: req.trailers,
      }),
    );
  });
}

/** What `/echo` got. */
export function seen(response: Received): {
  method: string;
  url: string;
  raw: string[];
  body: string;
  trailers: Record<string, string>;
} {
  return JSON.parse(response.text) as ReturnType<typeof seen>;
}

export const BIG = randomBytes(3_000_000);
/** By path; a test may add its own. */
export const handlers: Record<string, http.RequestListener> = {
  '/echo': echo,
  '/big': (_req, res) => res.writeHead(200, { 'content-length': BIG.length }).end(BIG),
  '/chunks': (_req, res) => {
    res.setHeader('trailer', 'x-sum');
    res.write('one,');
    setTimeout(() => {
      res.addTrailers({ 'x-sum': '42' });
      res.end('two');
    }, 20);
  },
  '/sum': (req, res) => {
    const hash = createHash('sha256');
    req.on('data', (chunk: Buffer) => hash.update(chunk));
    req.on('end', () => res.end(hash.digest('hex')));
  },
  '/empty': (_req, res) => res.writeHead(204).end(),
  '/unchanged': (_req, res) => res.writeHead(304, { etag: '"a"' }).end(),
  '/headers': (_req, res) => {
    res.writeHead(200, 'All Right', [
      'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Case', 'Kept', 'Connection', 'x-hop', 'X-Hop', '1', 'Keep-Alive', 'timeout=5',
      'Proxy-Authenticate', 'Basic', 'Content-Length', '2',
    ]); // prettier-ignore
    res.end('ok');
  },
  '/early': (_req, res) => res.writeHead(413).end('too much'),
  '/events': (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    let count = 0;
    const timer = setInterval(() => {
      res.write(`data: ${count}\n\n`);
      count += 1;
    }, 30);
    res.on('close', () => clearInterval(timer));
  },
};

/** A host with a path for each kind of response. */
export function startVaried(outside: Outside): Promise<Origin> {
  const credentials = outside.credentials('api.test', 'other.test', 'a.wild.test');
  return outside.keep(
    startOrigin(
      credentials,
      (req, res) => handlers[(req.url ?? '').split('?')[0] ?? '']?.(req, res),
      (server) => {
        server.on('checkContinue', (req: http.IncomingMessage, res: http.ServerResponse) => {
          if (req.url === '/early') return void res.writeHead(413).end('too much');
          res.writeContinue();
          handlers[req.url ?? '']?.(req, res);
        });
      },
    ),
  );
}
