import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { cbor } from './cbor.ts';

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string | undefined };
  readonly user: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[] | undefined;
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string | undefined;
  readonly allowCredentials?: readonly { readonly id: string }[] | undefined;
}

interface Credential {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

/** What a browser and an authenticator can get wrong, or be made to. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly userHandle?: string;
  readonly counter?: number;
  readonly privateKey?: KeyObject;
}

export interface AuthenticatorOptions {
  /** Of the page that the browser shows. */
  readonly origin: string;
  readonly attachment?: 'platform' | 'cross-platform';
  /** Whether it counts its signatures; those that copy their keys to other devices do not. */
  readonly counts?: boolean;
}

const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/**
 * A browser with an authenticator, as far as servers can tell: ES256 keys of its own, discoverable credentials,
 * signature counters. Answers are JSON as `PublicKeyCredential.toJSON` gives it.
 */
export class SoftwareAuthenticator {
  readonly credentials: Credential[] = [];
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  create(options: CreationOptions, deviation: Deviation = {}): string {
    const rpId = deviation.rpId ?? options.rp.id ?? '';
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const credential: Credential = {
      id: randomBytes(32),
      rpId,
      userHandle: options.user.id,
      privateKey,
      counter: 0,
    };
    this.credentials.push(credential);
    const cose = cbor(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credential.id.length]), credential.id, cose]);
    const authData = Buffer.concat([this.#authData(credential, deviation, FLAGS.attested), attested]);
    const attestationObject = cbor(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.#answer(credential, {
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: this.#options.attachment === 'platform' ? ['internal'] : ['usb'],
    });
  }

  /** Answers with the first credential that is asked for, or that it has for the site. */
  get(options: RequestOptions, deviation: Deviation = {}): string {
    const wanted = options.allowCredentials?.map(({ id }) => id);
    const credential = this.credentials.find(
      ({ id, rpId }) => rpId === options.rpId && (wanted === undefined || wanted.includes(id.toString('base64url'))),
    );
    if (credential === undefined) throw new Error('the authenticator has no such credential');
    if (this.#options.counts !== false) credential.counter++;
    const authData = this.#authData(credential, deviation, 0);
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer(credential, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, deviation.privateKey ?? credential.privateKey).toString('base64url'),
      userHandle: deviation.userHandle ?? credential.userHandle,
    });
  }

  #authData({ rpId, counter }: Credential, deviation: Deviation, more: number): Buffer {
    const { userPresent = true, userVerified = true } = deviation;
    const synced = this.#options.counts === false ? FLAGS.backupEligible | FLAGS.backedUp : 0;
    const flags = (userPresent ? FLAGS.userPresent : 0) | (userVerified ? FLAGS.userVerified : 0) | synced | more;
    const rest = Buffer.alloc(5);
    rest[0] = flags;
    rest.writeUInt32BE(deviation.counter ?? counter, 1);
    return Buffer.concat([
      createHash('sha256')
        .update(deviation.rpId ?? rpId)
        .digest(),
      rest,
    ]);
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? this.#options.origin,
        crossOrigin: false,
      }),
    );
  }

  #answer({ id }: Credential, response: object): string {
    const name = id.toString('base64url');
    const authenticatorAttachment = this.#options.attachment ?? 'cross-platform';
    return JSON.stringify({
      id: name,
      rawId: name,
      type: 'public-key',
      authenticatorAttachment,
      clientExtensionResults: {},
      response,
    });
  }
}
