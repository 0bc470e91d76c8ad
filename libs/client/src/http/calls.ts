import { type Client, createClient } from '../generated/client/index.js';
import { type Page, type PageQuery, Pages } from './pages.js';
import type { CallOptions, GatehouseOptions } from './settings.js';
import { EVENTS, type RequestBody, Transport } from './transport.js';

/** One of the generated functions. */
type Operation<Options, Data> = (options: Options) => Promise<{ data: Data; response: Response }>;

/** What of its options is the request itself. */
type Input<Options> = Pick<
  NonNullable<Options>,
  Extract<keyof NonNullable<Options>, 'path' | 'query' | 'body'>
>;

/** A request by its method and path. */
export interface RawRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `baseUrl`, with `{name}` for what `path` gives. */
  url: string;
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent in place of JSON. */
  bytes?: RequestBody;
  headers?: Record<string, string>;
}

const JSON_TYPE = 'application/json';

/** How the resources ask for something: the generated operations, over our transport. */
export class Calls {
  private readonly client: Client;
  private readonly transport: Transport;
  private readonly json: GatehouseOptions['json'];

  constructor(options: GatehouseOptions) {
    const { baseUrl, workspace, environment } = options;
    this.json = options.json;
    this.transport = new Transport(options);
    this.client = leavingItselfOut(
      createClient({
        baseUrl,
        headers: { 'x-workspace': workspace, 'x-environment': environment },
        throwOnError: true,
        ...(options.json && { bodySerializer: (body: unknown) => options.json!.stringify(body) }),
      }),
    );
  }

  async send<Options, Data>(
    operation: Operation<Options, Data>,
    input: Input<Options>,
    options?: CallOptions,
  ): Promise<Data> {
    const settings = this.settings(input, options, { type: JSON_TYPE });
    const { data } = await operation({ ...settings, parseAs: 'text' });
    return this.parse((data as string) || '{}') as Data;
  }

  parse(text: string): unknown {
    return (this.json ?? JSON).parse(text);
  }

  /** For what is answered with nothing. */
  async do<Options>(
    operation: Operation<Options, unknown>,
    input: Input<Options>,
    options?: CallOptions,
  ): Promise<void> {
    await operation(this.settings(input, options));
  }

  /** The response, its body unread. */
  async open<Options>(
    operation: Operation<Options, unknown>,
    input: Input<Options>,
    options?: CallOptions,
  ): Promise<Response> {
    const { response } = await operation({ ...this.settings(input, options), parseAs: 'stream' });
    return response;
  }

  list<Options, Item>(
    operation: Operation<Options, Page<Item>>,
    input: Input<Options> & { query?: PageQuery },
    options?: CallOptions,
  ): Pages<Item> {
    return new Pages(input.query ?? {}, (page) =>
      this.send(operation, { ...input, query: { ...input.query, ...page } }, options),
    );
  }

  /** The response to a request, its body unread. */
  async request({ bytes, ...request }: RawRequest, options?: CallOptions): Promise<Response> {
    const settings = this.settings(request, options, { body: bytes });
    const { response } = await this.client.request({ ...settings, ...request, parseAs: 'stream' });
    return response as Response;
  }

  // Each operation has options of its own; these are what all of them have.
  private settings(
    input: object & { path?: unknown },
    options: CallOptions = {},
    more: { type?: string; body?: RequestBody } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ): any {
    checkPath(input.path);
    return {
      ...input,
      client: this.client,
      signal: options.signal,
      fetch: (request: Request) => this.transport.send(withKey(request, options), { ...options, ...more }),
    };
  }
}

/**
 * The generated functions are told their client among their options, and all of those go on into a `Request`. Deno takes a
 * `client` there, too, and means one of its own.
 */
function leavingItselfOut(client: Client): Client {
  const methods = ['delete', 'get', 'patch', 'post', 'put', 'request'] as const;
  const wrapped = methods.map((method) => {
    const send = client[method] as (options: object) => unknown;
    return [method, (options: object) => send({ ...options, client: undefined })];
  });
  return { ...client, ...Object.fromEntries(wrapped) } as Client;
}

/** Each write has a key, the same in each of its tries: it is carried out once. A stream is not given twice. */
function withKey(request: Request, { idempotencyKey }: CallOptions): Request {
  if (request.method === 'GET' || request.headers.get('accept') === EVENTS) return request;
  request.headers.set('idempotency-key', idempotencyKey ?? crypto.randomUUID());
  return request;
}

/** Dots would climb out of the route, and without a part it is another route. */
function checkPath(path: unknown): void {
  for (const [name, value] of Object.entries(path ?? {})) {
    if (['', '.', '..', 'undefined', 'null'].includes(String(value))) {
      throw new TypeError(`${name} is ${JSON.stringify(value)}, which names nothing.`);
    }
  }
}
