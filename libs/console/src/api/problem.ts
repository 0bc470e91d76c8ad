export interface ProblemDetail {
  path: string;
  message: string;
}

interface Envelope {
  error?: {
    code?: string;
    message?: string;
    requestId?: string;
    docs?: string;
    details?: ProblemDetail[];
  };
}

/** What went wrong with a request, as the service says it; `network` is a service that could not be reached at all. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: ProblemDetail[];
  /** Milliseconds after which it may be tried again, if the service said so. */
  readonly retryAfterMs: number | null;

  constructor(fields: Partial<Problem> & { message: string }) {
    super(fields.message);
    this.status = fields.status ?? 0;
    this.code = fields.code ?? 'unknown';
    this.requestId = fields.requestId ?? null;
    this.details = fields.details ?? [];
    this.retryAfterMs = fields.retryAfterMs ?? null;
  }

  /** What is wrong with the field at this path (`inputs.city`), if anything. */
  at(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path)?.message;
  }
}

export function isProblem(error: unknown, code?: string): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code);
}

export function problemOf(error: unknown, response: Response | undefined): unknown {
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  if (error instanceof Problem) return error;
  // One that went well broke off while its body was read.
  if (!response || response.ok) {
    return new Problem({ code: 'network', message: 'The service cannot be reached. Check the connection.' });
  }
  const { error: told } = (typeof error === 'object' && error !== null ? error : {}) as Envelope;
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new Problem({
    status: response.status,
    code: told?.code ?? `http_${response.status}`,
    message: told?.message ?? `The service answered with status ${response.status}.`,
    requestId: told?.requestId ?? response.headers.get('x-request-id'),
    details: told?.details ?? [],
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  });
}
