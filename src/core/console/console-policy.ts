/** Of every file of the console. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Addresses of invitations and of new passwords carry tokens: no other site may learn them, or show the page in a frame. */
export const PAGE_HEADERS = {
  ...FILE_HEADERS,
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
};

/**
 * Code and data of our own origin alone. No code within the page, and styles within it only where they name the nonce.
 */
export function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    // Pages of extensions, which their own policy keeps without an origin; and nothing that such a page would go on to.
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
