/** A server that a start needs cannot be used. The message says which, where, why and what to do, and holds no secret. */
export class ServerUnusable extends Error {
  constructor(
    message: string,
    /** It may be coming up. */
    readonly mayPass = false,
  ) {
    super(message);
    this.name = 'ServerUnusable';
  }
}

/** What went wrong, also where every address of a host was tried: each has failed then, and the whole says nothing. */
export function connectionFailure(error: unknown): NodeJS.ErrnoException {
  return (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
}
