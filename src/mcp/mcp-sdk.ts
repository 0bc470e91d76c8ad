/** The official SDK, which is loaded late: `McpHandler` hands it on. */
export type McpSdk = typeof import('@modelcontextprotocol/server');
