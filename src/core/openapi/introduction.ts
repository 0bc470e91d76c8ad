/** What a reader has to know before the first request. */
export const INTRODUCTION = `
Gatehouse runs a team's scripts behind a gate: they reach only the hosts they declare, use secrets they never see, and
wait for a person's yes where it matters.

**Credentials.** Send \`Authorization: Bearer <token>\` with a workspace's API key (\`svc_sk_…\`), a personal access token
(\`svc_pat_…\`), or the access token of an app that a person has connected by OAuth 2.1 (\`svc_oat_…\`). A personal access
token also needs \`x-workspace: <slug>\` on the routes of a workspace.
\`x-environment\` chooses the environment to act in; without it, that is the workspace's default one.

**Bodies and queries** are JSON and strict: a field or parameter that is not named here is a 400. Timestamps are ISO 8601
in UTC with milliseconds. Ids are opaque. Bodies are taken without a \`Content-Encoding\`, and no text in them may hold a
NUL character. Answers in JSON are \`Cache-Control: no-store\`.

**Lists** take \`limit\` and \`cursor\` and answer \`{items, nextCursor}\`, newest first. Go on with \`nextCursor\` until it
is null. A page ends before \`limit\` where its items are so large that it would have more than 2 MiB.

**Errors** come in one envelope; branch on its \`code\`. A path that exists but does not take the method is answered with
405 and \`Allow\`, headers of more than 16 KiB with 431, an \`Expect\` other than \`100-continue\` with 417, and a request
that does not arrive in time with 408. Where an app's token or a personal one lacks a scope, \`WWW-Authenticate\` of the 403
names the scopes to ask for.

**Writes** can be sent again safely with an \`Idempotency-Key\`.

**Limits.** Too many requests are answered with 429 and \`Retry-After\`; \`RateLimit\` shows what is left.
`.trim();
