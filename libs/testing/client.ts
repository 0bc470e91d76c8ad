export interface ClientOptions {
  /** Such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** A bearer token: personal access token, API key or an agent's. */
  token?: string;
  /** A session's `name=value` cookie. */
  cookie?: string;
  /** Its slug. */
  workspace?: string;
  /** Its name; by default the one that the credential is bound to, or else the workspace's default. */
  environment?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

/** JSON of a shape that only the test knows: every field may be asked for. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body where it is JSON, otherwise null. */
  body: Json;
  text: string;
}

type RequestBody = NonNullable<NonNullable<Parameters<typeof fetch>[1]>['body']>;

export type Send = (path: string, headers?: Record<string, string>) => Promise<Answer>;
export type SendBody = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export interface Client {
  get: Send;
  post: SendBody;
  put: SendBody;
  patch: SendBody;
  delete: Send;
}

/**
 * A client of the REST API. Bodies are sent as JSON; a string, Buffer or FormData is sent as it is. No response is an
 * exception, whatever its status.
 *
 * @throws TypeError, by each method, where no response comes
 * @example
 * const api = createClient({ baseUrl, token, workspace: 'acme' });
 * const { status, body } = await api.post('/v1/scripts', { slug: 'hello', name: 'Hello' });
 */
export function createClient(options: ClientOptions): Client {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const raw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;
    const response = await fetch(new URL(path, options.baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        ...options.headers,
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.cookie !== undefined && { cookie: options.cookie }),
        ...(options.workspace !== undefined && { 'x-workspace': options.workspace }),
        ...(options.environment !== undefined && { 'x-environment': options.environment }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as RequestBody) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text), text };
  };
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
