import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A provider of OpenID Connect that says whatever the test wants. It checks PKCE, and takes each code once. */
export class RogueProvider {
  /** What it says of itself, besides what is true. */
  metadata: Claims = {};
  /** What the next ID tokens say, besides what is right. */
  claims: Claims = {};
  /** How the next ID tokens are signed. */
  signing: 'right' | 'other key' | 'earlier key' | 'its public key' | 'none' = 'right';
  private own = newKey();
  private earlier = this.own;
  private rotations = 0;
  private readonly other = newKey();
  private readonly codes = new Map<string, { challenge: string; nonce: string }>();
  private readonly server: Server = createServer((request, response) => void this.respond(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on it signs with a new key, and publishes that alone. */
  rotate(): void {
    this.earlier = this.own;
    this.own = newKey();
    this.rotations += 1;
  }

  /** Lets somebody in who has come by that address. */
  codeFor(redirectTo: string): string {
    const query = new URL(redirectTo).searchParams;
    const code = randomUUID();
    this.codes.set(code, { challenge: query.get('code_challenge')!, nonce: query.get('nonce')! });
    return code;
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { status, json } = this.responseTo(new URL(request.url!, this.issuer).pathname, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }

  private responseTo(path: string, body: string): { status: number; json: object } {
    const { issuer } = this;
    if (path === '/.well-known/openid-configuration') return { status: 200, json: this.description() };
    if (path === '/jwks') {
      const jwk = this.own.publicKey.export({ format: 'jwk' });
      return { status: 200, json: { keys: [{ ...jwk, ...this.header(), use: 'sig' }] } };
    }
    const query = new URLSearchParams(body);
    const issued = this.codes.get(query.get('code') ?? '');
    this.codes.delete(query.get('code') ?? '');
    const verifier = query.get('code_verifier') ?? '';
    if (createHash('sha256').update(verifier).digest('base64url') !== issued?.challenge) {
      return { status: 400, json: { error: 'invalid_grant' } };
    }
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: 'gatehouse', iat: now, exp: now + 60, nonce: issued.nonce };
    const idToken = this.signed({ ...right, auth_time: now, ...this.claims });
    return { status: 200, json: { access_token: 'at', token_type: 'Bearer', id_token: idToken } };
  }

  private description(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.metadata,
    };
  }

  private header(): { alg: string; kid: string } {
    return { alg: 'RS256', kid: `key-${this.rotations}` };
  }

  private signed(claims: Claims): string {
    if (this.signing === 'none') return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
    if (this.signing === 'its public key') {
      const secret = this.own.publicKey.export({ type: 'spki', format: 'pem' });
      const text = `${encoded({ ...this.header(), alg: 'HS256' })}.${encoded(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    }
    const keys = { right: this.own, 'other key': this.other, 'earlier key': this.earlier };
    const { privateKey } = keys[this.signing];
    const signed = `${encoded(this.header())}.${encoded(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }
}
