/** Why a script's TLS handshake failed, in words for the run's log; null when there is nothing to say. */
export function whyHandshakeFailed(error: Error): string | null {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ECONNRESET' || code === 'EPIPE') return null;
  if (/ALERT_UNKNOWN_CA|ALERT_BAD_CERTIFICATE|ALERT_CERTIFICATE_UNKNOWN|DECRYPT_ERROR/.test(code)) {
    return "its TLS client does not trust the sandbox's certificate authority; let it use the system's certificates";
  }
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return 'its TLS client speaks no HTTP/1.1';
  if (/HTTP_REQUEST/.test(code)) return 'it speaks plain HTTP; only HTTPS passes the gate';
  if (/WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|UNKNOWN_PROTOCOL|VERSION_TOO_LOW/.test(code)) {
    return 'it does not speak TLS 1.2 or 1.3';
  }
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return 'its TLS handshake took too long';
  return code === '' ? error.message : `its TLS handshake failed (${code})`;
}
