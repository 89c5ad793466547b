import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface TestKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

/** Makes an issuer's key. */
export async function newKey(kid: string, alg = 'RS256'): Promise<TestKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export interface TokenWish {
  /** Over the usual claims; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: TestKey;
}

/** An issuer of security events that has nothing but `jose` and a key set at an address. */
export class TestIssuer {
  readonly url: string;
  readonly key: TestKey;
  /** As its key set has them. */
  keys: TestKey[];
  /** What its metadata say of the issuer. */
  metadataIssuer: string;
  isDown = false;
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #now: () => number;

  private constructor(server: Server, url: string, key: TestKey, now: () => number) {
    this.#server = server;
    this.url = url;
    this.metadataIssuer = url;
    this.key = key;
    this.keys = [key];
    this.#now = now;
  }

  static async open(now: () => number): Promise<TestIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer = new TestIssuer(server, `http://127.0.0.1:${port}/tenant`, await newKey('first'), now);
    server.on('request', (request, answer) => {
      issuer.requests.push(request.url ?? '');
      const said = issuer.#says(request.url ?? '');
      answer.writeHead(said === undefined || issuer.isDown ? 500 : 200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(said ?? {}));
    });
    return issuer;
  }

  get jwksUri(): string {
    return `${this.url}/jwks`;
  }

  #says(path: string): object | undefined {
    if (path === '/tenant/jwks') return { keys: this.keys.map(({ jwk }) => jwk) };
    if (path === '/.well-known/ssf-configuration/tenant')
      return { issuer: this.metadataIssuer, jwks_uri: this.jwksUri, spec_version: '1_0' };
    return undefined;
  }

  /** A security event token. */
  sign({ claims = {}, header = {}, key = this.key }: TokenWish): Promise<string> {
    const iat = Math.floor(this.#now() / 1000);
    const all = { iss: this.url, aud: 'receiver', iat, jti: randomUUID(), ...claims };
    const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const protectedHeader = { alg: key.alg, kid: key.kid, typ: 'secevent+jwt', ...header };
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key.privateKey);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
