/** Every code a client may branch on: its status and what it means. The page `/docs/errors` is made of this table. */
export const ERROR_CODES = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    help: 'Something in the body, query or headers is missing, malformed or not allowed. `details` names each place by its path. Correct it and send the request again.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid credential',
    help: 'The credential is missing, malformed, unknown, revoked or expired. Send `Authorization: Bearer <token>` with a personal access token or an API key, or sign in.',
  },
  forbidden: {
    status: 403,
    title: 'The credential may not do this',
    help: 'The credential is valid, but its scopes, its workspace list, its environment or its role in the workspace do not allow this. The message says which.',
  },
  confirmation_required: {
    status: 403,
    title: 'The password has to be given again',
    help: 'In the app, what makes a token, an API key, a webhook endpoint or a new signing secret needs a sign-in of the last hour, and so do changes of how one signs in. A workspace may want one of the last minutes for approvals and secrets. Send the password to `POST /v1/auth/confirm`, with a code or instead a passkey where the account has a second factor; then send the request again.',
  },
  second_factor_required: {
    status: 403,
    title: 'The second step of signing in is due',
    help: 'The password is right, and the account has a second factor. Nobody is signed in yet. Send a code or a passkey to `POST /v1/auth/second-factor` within five minutes, with the cookie that came with this answer.',
  },
  second_factor_missing: {
    status: 403,
    title: 'The account needs a second factor',
    help: 'The workspace, or the whole instance, lets people with a password in only if their account has a second factor. Set one up at *Your account*. Until then sessions, personal access tokens, the command line and connected apps of the account are refused there.',
  },
  quota_exceeded: {
    status: 403,
    title: 'A limit of the plan is reached',
    help: 'The workspace has used up a meter for this period. `GET /v1/workspace/usage` shows the meters and when they reset.',
  },
  not_found: {
    status: 404,
    title: 'There is no such thing',
    help: 'No resource of that id exists in this workspace and environment, or this credential may not see it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    help: 'The `Allow` header lists the methods that this path takes.',
  },
  conflict: {
    status: 409,
    title: 'The state does not allow it',
    help: 'The request is valid, but the resource is in a state that does not allow it, or a name is taken already. The message says which.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key is still going on',
    help: 'A request with the same `Idempotency-Key` has not been answered yet. Send it again after `Retry-After` seconds to get its answer.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'Bodies are limited to 1 MiB, creating a version to 16 MiB and an upload to 100 MB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of a type that is not taken here',
    help: 'Send JSON with `Content-Type: application/json`, unless the route says otherwise, and without a `Content-Encoding`.',
  },
  misdirected_request: {
    status: 421,
    title: 'The request is for another host',
    help: 'The `Host` of the request is not one that this service answers for: the host of its base address, `localhost`, an address of its machine, or one that its operator has named in `GATEHOUSE_HOSTS`.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'The key was used for another request',
    help: 'This `Idempotency-Key` was used within the last 24 hours with another method, path, query, workspace, environment or body. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for the number of seconds in `Retry-After`. The `RateLimit` header shows what is left.',
  },
  internal_error: {
    status: 500,
    title: 'Something failed on our side',
    help: 'The operator finds the cause in the log under the `requestId` of this answer.',
  },
  unavailable: {
    status: 503,
    title: 'Not available just now',
    help: 'A part that this needs (the database, the queue, the file store or a worker) is away or not configured. Try again after `Retry-After` seconds.',
  },
} as const;

/** The `code` of an error in a response. */
export type ErrorCode = keyof typeof ERROR_CODES;
