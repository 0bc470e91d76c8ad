/**
 * Why a connection could not be made. `reason` is a clause without the host ("the connection was refused"),
 * `message` a whole sentence part with it. Neither holds an address, so whoever named the host may read both.
 */
export abstract class EgressError extends Error {
  abstract readonly code: string;

  constructor(
    readonly host: string,
    readonly reason: string,
    /** Whether it failed because it took too long. */
    readonly timedOut = false,
    options?: ErrorOptions,
  ) {
    super(`${host}: ${reason}`, options);
    this.name = new.target.name;
  }
}

/** The name stands for no address that may be dialled. */
export class EgressRefused extends EgressError {
  readonly code = 'EGRESS_REFUSED';
}

/** The name could not be resolved. */
export class DnsFailed extends EgressError {
  readonly code = 'DNS_FAILED';
}

/** No address of the name took the connection. */
export class ConnectFailed extends EgressError {
  readonly code = 'CONNECT_FAILED';
}

/** The other side's certificate is not to be trusted, or it does not speak TLS. */
export class TlsFailed extends EgressError {
  readonly code = 'TLS_FAILED';
}
