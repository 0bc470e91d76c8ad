import { ERROR_CODES } from '../errors/index.js';
import type { DocsPage } from './docs-pages.js';

/** What every error's `docs` link points to. */
export const ERROR_CODES_PAGE: DocsPage = {
  slug: 'errors',
  title: 'Error codes',
  introduction:
    'Every error is answered as `{"error": {"code", "message", "requestId", "docs", "details"}}`. Branch on `code`; `message` is for people and may change. `details` lists each wrong place by its `path`. Tell the operator the `requestId` to have it found in the log.',
  entries: Object.entries(ERROR_CODES).map(([term, { status, title, help }]) => ({
    term,
    note: String(status),
    title,
    text: help,
  })),
};
