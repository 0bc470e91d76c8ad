/** Everything that this package throws, but for what an `AbortSignal` was aborted with. */
export class GatehouseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No response came: the address is wrong, the service is away, or the connection broke. */
export class ConnectionError extends GatehouseError {}

/** No response came in time. */
export class TimeoutError extends ConnectionError {}

/** Something responded that is not Gatehouse: a proxy, or another service at this address. */
export class UnexpectedResponseError extends GatehouseError {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** A webhook's signature does not fit, or it is too old. */
export class WebhookVerificationError extends GatehouseError {}
