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
