/** How one app is told of a Gatehouse. */
export interface Way {
  id: string;
  app: string;
  /** What one does with it. */
  step: string;
  text: string;
  /** Opens the app, which asks whether to add it. */
  link?: string;
  /** What comes after it. */
  then: string;
}

const NAME = 'gatehouse';
const SIGN_IN = 'A browser opens: you sign in, and choose which scripts it may use and what it may do.';

/** @param address of MCP, such as `https://gatehouse.example.com/mcp` */
export function waysTo(address: string, workspace: string): Way[] {
  const server = { url: address };
  const typed = { type: 'http', ...server };
  return [
    {
      id: 'claude-code',
      app: 'Claude Code',
      step: 'In a shell:',
      text: `claude mcp add --transport http ${NAME} ${address}`,
      then: `Then type /mcp in Claude Code. ${SIGN_IN}`,
    },
    {
      id: 'claude',
      app: 'Claude',
      step: 'Settings → Connectors → Add custom connector, with this address:',
      text: address,
      then: `Claude has to reach it from the internet. ${SIGN_IN}`,
    },
    {
      id: 'cursor',
      app: 'Cursor',
      step: 'In ~/.cursor/mcp.json:',
      text: JSON.stringify({ mcpServers: { [NAME]: server } }, null, 2),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify(server)))}`,
      then: `Then Connect, in its MCP settings. ${SIGN_IN}`,
    },
    {
      id: 'vs-code',
      app: 'VS Code',
      step: 'In .vscode/mcp.json:',
      text: JSON.stringify({ servers: { [NAME]: typed } }, null, 2),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...typed }))}`,
      then: SIGN_IN,
    },
    {
      id: 'curl',
      app: 'curl',
      step: 'A first call, without an app:',
      text: callOf(address, workspace),
      then: 'GATEHOUSE_TOKEN is a personal access token of yours with the scopes mcp and scripts:read. It lists the scripts that are tools.',
    },
  ];
}

function callOf(address: string, workspace: string): string {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_scripts', arguments: {} },
  };
  return [
    `curl -sS ${address}`,
    '-H "Authorization: Bearer $GATEHOUSE_TOKEN"',
    `-H 'X-Workspace: ${workspace}'`,
    `-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'`,
    `-d '${JSON.stringify(call)}'`,
  ].join(' \\\n  ');
}
