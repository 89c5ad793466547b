import { expect } from 'vitest';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { ProofMaker, type ProofWish } from './proofs.ts';

export interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** A program, an application in the browser, a user, and two keys of which one is nobody's. */
export class ProofScene {
  readonly provider: ClockedProvider;
  readonly program: RelyingParty;
  readonly spa: RelyingParty;
  readonly user: NewUser;
  readonly maker: ProofMaker;
  readonly stranger: ProofMaker;

  private constructor(dependencies: Pick<ProofScene, 'provider' | 'program' | 'spa' | 'user' | 'maker' | 'stranger'>) {
    this.provider = dependencies.provider;
    this.program = dependencies.program;
    this.spa = dependencies.spa;
    this.user = dependencies.user;
    this.maker = dependencies.maker;
    this.stranger = dependencies.stranger;
  }

  static async start(slug: string): Promise<ProofScene> {
    const provider = await ClockedProvider.start(slug);
    const now = (): number => provider.now();
    return new ProofScene({
      provider,
      program: await RelyingParty.register(provider, {
        grantTypes: ['client_credentials'],
        redirectUris: [],
        scopes: ['users.read'],
        permissions: ['users.read'],
      }),
      spa: await RelyingParty.register(provider, { type: 'public' }),
      user: await provider.organization.newUser('proofs@example.com'),
      maker: await ProofMaker.make(now),
      stranger: await ProofMaker.make(now),
    });
  }

  newKey(algorithm: string): Promise<ProofMaker> {
    return ProofMaker.make(() => this.provider.now(), algorithm);
  }

  get tokenEndpoint(): string {
    return `${this.provider.issuer}/api/v1/oauth/token`;
  }

  resource(path = '/authz/permissions'): string {
    return `${this.provider.issuer}/api/v1${path}`;
  }

  /** How the program asks for a token for itself. */
  get ownCredentials(): Readonly<Record<string, string>> {
    const { id, secret = '' } = this.program;
    return { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  }

  /** What the token endpoint answers to a request with this proof. */
  async asked(fields: Readonly<Record<string, string>>, dpop?: string): Promise<Asked> {
    const response = await this.provider.fetch(this.tokenEndpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(dpop === undefined ? {} : { dpop }) },
      body: new URLSearchParams(fields).toString(),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  async boundToken(by = this.maker): Promise<string> {
    const proof = await by.proof('POST', this.tokenEndpoint);
    const { status, body } = await this.asked(this.ownCredentials, proof);
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
    return body.access_token ?? '';
  }

  async used(token: string, dpop: string | undefined, scheme = 'DPoP') {
    const response = await this.provider.fetch(this.resource(), {
      method: 'GET',
      headers: { authorization: `${scheme} ${token}`, ...(dpop === undefined ? {} : { dpop }) },
    });
    return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '' };
  }

  stop(): Promise<void> {
    return this.provider.service.stop();
  }
}

const seconds = (now: number): number => Math.floor(now / 1000);

/** What no good client sends, for a place at a time. */
export const proofFaults: readonly [string, (scene: ProofScene, place: string) => ProofWish][] = [
  ['without jti', () => ({ claims: { jti: undefined } })],
  ['with a jti that is too long', () => ({ claims: { jti: 'x'.repeat(257) } })],
  ['with an empty jti', () => ({ claims: { jti: '' } })],
  ['without htm', () => ({ claims: { htm: undefined } })],
  ['for another method', () => ({ claims: { htm: 'PUT' } })],
  ['for the method in small letters', () => ({ claims: { htm: 'post' } })],
  ['without htu', () => ({ claims: { htu: undefined } })],
  ['for another path', (_, endpoint) => ({ claims: { htu: `${endpoint}/x` } })],
  ['for another host', (_, endpoint) => ({ claims: { htu: endpoint.replace('id.', 'evil.') } })],
  ['for another scheme', (_, endpoint) => ({ claims: { htu: endpoint.replace('https', 'http') } })],
  ['for no URL', () => ({ claims: { htu: '/oauth/token' } })],
  ['without iat', () => ({ claims: { iat: undefined } })],
  ['with an iat that is no number', () => ({ claims: { iat: 'now' } })],
  ['that is too old', ({ provider }) => ({ claims: { iat: seconds(provider.now()) - 62 } })],
  ['from the future', ({ provider }) => ({ claims: { iat: seconds(provider.now()) + 60 } })],
  ['of another type', () => ({ header: { typ: 'JWT' } })],
  ['without a key', () => ({ header: { jwk: undefined } })],
  ['with the key of somebody else', ({ stranger }) => ({ header: { jwk: stranger.jwk } })],
  ['with a symmetric key', () => ({ header: { jwk: { kty: 'oct', k: 'AAAA' } } })],
  ['with an empty key', () => ({ header: { jwk: {} } })],
  ['that is expired', ({ provider }) => ({ claims: { exp: seconds(provider.now()) - 10 } })],
];
