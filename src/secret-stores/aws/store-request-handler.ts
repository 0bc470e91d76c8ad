import type { SafeFetch } from '../../../libs/egress/index.js';

/** Of the SDK's request, what HTTP takes. */
interface SdkRequest {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, unknown>;
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

interface SdkResponse {
  response: { statusCode: number; headers: Record<string, string>; body: Uint8Array };
}

/** Has the SDK send its requests by the safe dialer, with responses of bounded length. */
export class StoreRequestHandler {
  constructor(private readonly outside: SafeFetch) {}

  /** @param options whose signal is that of whoever called the SDK, which has a type of its own for it */
  async handle(request: SdkRequest, options: { abortSignal?: unknown } = {}): Promise<SdkResponse> {
    const { protocol, hostname, port, path, method, headers, body } = request;
    const address = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
    const response = await this.outside.fetch(address, {
      method,
      headers,
      ...(options.abortSignal instanceof AbortSignal && { signal: options.abortSignal }),
      ...((typeof body === 'string' || body instanceof Uint8Array) && { body: body as string }),
    });
    return {
      response: {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: new Uint8Array(await response.arrayBuffer()),
      },
    };
  }

  /** The SDK asks for these; there is nothing to change. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }

  destroy(): void {
    this.outside.close();
  }
}
