import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { fileURLToPath } from 'node:url';

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

/** What vouches for the issuer over https: for `NODE_EXTRA_CA_CERTS`. It signs itself, and its key is no secret. */
export const certificateFile = fixture('localhost-certificate.pem');

/** What an issuer answers at its discovery address, given its own URL. */
export type Answering = (issuer: string, request: IncomingMessage, response: ServerResponse) => void;

/** A real issuer over http or https, on a free port of the loopback. */
export class Issuer {
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  answering: Answering = (issuer, _, response) => sendJson(response, 200, configuration(issuer));
  readonly #isSecure: boolean;
  readonly #server: Server;

  private constructor(isSecure: boolean) {
    const listener: RequestListener = (request, response) => {
      this.asked.push(request.url ?? '');
      this.answering(this.url, request, response);
    };
    this.#isSecure = isSecure;
    this.#server = isSecure
      ? createSecureServer(
          { key: readFileSync(fixture('localhost-key.pem')), cert: readFileSync(certificateFile) },
          listener,
        )
      : createServer(listener);
  }

  static async open(options: { readonly secure: boolean } = { secure: false }): Promise<Issuer> {
    const issuer = new Issuer(options.secure);
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', () => resolve()));
    return issuer;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the issuer does not listen');
    return this.#isSecure ? `https://localhost:${address.port}` : `http://127.0.0.1:${address.port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

export function configuration(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ['RS256'],
    something_else: { ignored: true },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
