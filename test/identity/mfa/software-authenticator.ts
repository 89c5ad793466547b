import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Cbor, cbor } from './cbor.ts';

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
  /** What the attestation says in place of nothing. */
  readonly attestation?: 'packed' | 'fido-u2f';
}

export interface AuthenticatorOptions {
  /** Of the page that the browser shows. */
  readonly origin: string;
  readonly attachment?: 'platform' | 'cross-platform';
  /** How it can be reached, by its own account; as its attachment has it where omitted. */
  readonly transports?: readonly string[];
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
    const clientData = this.#clientData('webauthn.create', options.challenge, deviation);
    const { attestation: fmt = 'none' } = deviation;
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const attStmt = statements[fmt]({ authData, clientDataHash: sha256(clientData), credential, point });
    const attestationObject = cbor(
      new Map<string, string | Uint8Array | Statement>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return this.#answer(credential, {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: this.#options.transports ?? (this.#options.attachment === 'platform' ? ['internal'] : ['usb']),
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
    const signed = Buffer.concat([authData, sha256(clientData)]);
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

type Statement = ReadonlyMap<string, Cbor>;

interface Attested {
  readonly authData: Buffer;
  readonly clientDataHash: Buffer;
  readonly credential: Credential;
  readonly point: Buffer;
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** WebAuthn, 8.2 (by the credential's own key), 8.6 and 8.7. */
const statements: Readonly<Record<'none' | 'packed' | 'fido-u2f', (attested: Attested) => Statement>> = {
  none: () => new Map(),
  packed: ({ authData, clientDataHash, credential: { privateKey } }) =>
    new Map<string, Cbor>([
      ['alg', -7],
      ['sig', sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey)],
    ]),
  'fido-u2f': ({ authData, clientDataHash, credential: { id }, point }) => {
    const signed = Buffer.concat([Buffer.of(0), authData.subarray(0, 32), clientDataHash, id, point]);
    return new Map<string, Cbor>([
      ['x5c', [maker.certificate]],
      ['sig', sign('sha256', signed, maker.key)],
    ]);
  },
};

/** A maker of authenticators that nobody knows: anybody can make such a certificate. */
const maker = {
  certificate: Buffer.from(
    [
      'MIIBfDCCASOgAwIBAgIUaR/MT9Ht0T9TfEfhR/KGE+D67tEwCgYIKoZIzj0EAwIwEzERMA8GA1UEAwwIU29tZWJvZHkwIBcNMjYx',
      'MTIwMTY1OTMyWhgPMjEyNjEwMjcxNjU5MzJaMBMxETAPBgNVBAMMCFNvbWVib2R5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
      'fSuQBdobjKkg3kwUl9tAtVU1ATY++q4iqGJKWK62I/QchC0zMUVV7H43SfYkq73l2gE9GceQZc+RQH0/zlHcPaNTMFEwHQYDVR0O',
      'BBYEFD3qS1jfVhuQI0yEvd1P01KFljngMB8GA1UdIwQYMBaAFD3qS1jfVhuQI0yEvd1P01KFljngMA8GA1UdEwEB/wQFMAMBAf8w',
      'CgYIKoZIzj0EAwIDRwAwRAIgaTn9kH3xn5W/y/Yx//TPUkGBFi1fNmJmTVB6Ms0GPeoCIF3/NvIqfiu4xNJbJW06jpCLum1XtjSC',
      '4yTnem8NeHR2',
    ].join(''),
    'base64',
  ),
  key: createPrivateKey({
    key: Buffer.from(
      [
        'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguPsqOZundaColAme1NCf+U4ydWyRrlDUgSIWFC3PDHyhRANCAAR9',
        'K5AF2huMqSDeTBSX20C1VTUBNj76riKoYkpYrrYj9ByELTMxRVXsfjdJ9iSrveXaAT0Zx5Blz5FAfT/OUdw9',
      ].join(''),
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  }),
};
