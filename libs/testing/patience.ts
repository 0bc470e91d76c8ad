/**
 * Milliseconds that a test waits for what has to happen. GATEHOUSE_PATIENCE multiplies them on a machine that is slower still.
 */
export const PATIENCE_MS = 60_000 * Number(process.env['GATEHOUSE_PATIENCE'] ?? 1);
