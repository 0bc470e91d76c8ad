/** What a reader has to know before the first request. */
export const INTRODUCTION = `
Gatehouse runs a team's scripts behind a gate: they reach only the hosts they declare, use secrets they never see, and
wait for a person's yes where it matters.

**Credentials.** Send \`Authorization: Bearer <token>\` with a workspace's API key (\`svc_sk_…\`) or a personal access
token (\`svc_pat_…\`). A personal access token also needs \`x-workspace: <slug>\` on the routes of a workspace.
\`x-environment\` chooses the environment to act in; without it, that is the workspace's default one.

**Bodies and queries** are JSON and strict: a field or parameter that is not named here is a 400. Timestamps are ISO 8601
in UTC with milliseconds. Ids are opaque.

**Lists** take \`limit\` and \`cursor\` and answer \`{items, nextCursor}\`, newest first. Go on with \`nextCursor\` until it
is null.

**Errors** come in one envelope; branch on its \`code\`. A path that exists but does not take the method is answered with
405 and \`Allow\`.

**Writes** can be sent again safely with an \`Idempotency-Key\`.

**Limits.** Too many requests are answered with 429 and \`Retry-After\`; \`RateLimit\` shows what is left.
`.trim();
