export interface RunRequest {
  slug: string;
  inputs: Record<string, unknown>;
  workspace: string;
  /** null: the default environment. */
  environment: string | null;
  /** Where the service is reached: `https://gatehouse.example.com`. */
  origin: string;
}

/** For a shell; the token stays in the environment, out of the command and its history. */
export function curlCommand(request: RunRequest): string {
  const { inputs } = request;
  const headers = [
    '-H "Authorization: Bearer $GATEHOUSE_TOKEN"',
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  return [
    `curl -sS ${quoted(addressOf(request))}`,
    ...headers,
    `-d ${quoted(JSON.stringify({ inputs }))}`,
  ].join(' \\\n  ');
}

export function cliCommand({ slug, inputs, workspace, environment }: RunRequest): string {
  const options = Object.entries(inputs).map(([name, value]) => option(name, value));
  return [
    `gatehouse run ${quoted(slug)}`,
    ...options.filter((text) => text !== null),
    `--workspace ${quoted(workspace)}`,
    ...(environment === null ? [] : [`--env ${quoted(environment)}`]),
  ].join(' \\\n  ');
}

export function javascriptCall(request: RunRequest): string {
  const { inputs } = request;
  const headers = Object.entries(headersOf(request)).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${literal(value)},`,
  );
  return [
    `const response = await fetch(${literal(addressOf(request))}, {`,
    `  method: "POST",`,
    `  headers: {`,
    '    "Authorization": `Bearer ${process.env.GATEHOUSE_TOKEN}`,',
    ...headers,
    `  },`,
    `  body: JSON.stringify(${literal({ inputs }, 2).replaceAll('\n', '\n  ')}),`,
    `});`,
    `if (!response.ok) throw new Error(await response.text());`,
    `const run = await response.json();`,
  ].join('\n');
}

/** What a POSIX shell takes for exactly this text. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function option(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (value === true) return quoted(`--${name}`);
  if (value === false) return quoted(`--no-${name}`);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // What begins with a dash or is empty would be read as another option, or as none.
  return /^[^-]/.test(text) ? `${quoted(`--${name}`)} ${quoted(text)}` : quoted(`--${name}=${text}`);
}

function addressOf({ origin, slug }: RunRequest): string {
  return `${origin}/v1/scripts/${encodeURIComponent(slug)}/runs`;
}

function headersOf({ workspace, environment }: RunRequest): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Workspace': workspace,
    ...(environment !== null && { 'X-Environment': environment }),
  };
}

/** JSON is JavaScript; what could end a script or a line elsewhere is written as an escape. */
function literal(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}
