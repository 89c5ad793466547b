import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';

type Keys = ReturnType<typeof nkeys.createUser>;
type Limits = Readonly<Record<string, number>>;

const UNLIMITED = -1;
const connectionLimits: Limits = { subs: UNLIMITED, data: UNLIMITED, payload: UNLIMITED };
const accountLimits: Limits = {
  ...connectionLimits,
  imports: UNLIMITED,
  exports: UNLIMITED,
  conn: UNLIMITED,
  leaf: UNLIMITED,
};
const jetStreamLimits: Limits = {
  mem_storage: UNLIMITED,
  disk_storage: UNLIMITED,
  streams: UNLIMITED,
  consumer: UNLIMITED,
};

/** Certificates and credentials for servers of NATS, and for who connects to them, in files. */
export class ServerSecrets {
  readonly #folder = mkdtempSync(join(tmpdir(), 'relata-nats-secrets-'));
  readonly #account = nkeys.createAccount();

  file(name: string): string {
    return join(this.#folder, name);
  }

  /** A key, and a certificate for an address that it has signed itself, which so is its own authority. */
  makeCertificate(name: string, address = '127.0.0.1'): void {
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const into = ['-keyout', this.file(`${name}.key`), '-out', this.file(`${name}.crt`)];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=IP:${address}`];
    execFileSync('openssl', ['req', '-x509', ...made, ...into, ...names], { stdio: 'ignore' });
  }

  /** The block of a server that shows one certificate, and asks for another, made here both. */
  tlsBlock(shown: string, asked: string): string {
    const files = `cert_file: "${this.file(`${shown}.crt`)}", key_file: "${this.file(`${shown}.key`)}"`;
    return `tls { ${files}, ca_file: "${this.file(`${asked}.crt`)}", verify: true }`;
  }

  /** The block of a server that lets in who has credentials of its account. */
  accountsBlock(): string {
    const operator = nkeys.createOperator();
    const system = nkeys.createAccount();
    const accountOf = (keys: Keys, limits: Limits) =>
      signed(operator, keys, { type: 'account', version: 2, limits: { ...accountLimits, ...limits } });
    return `operator: ${signed(operator, operator, { type: 'operator', version: 2 })}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload {
  ${system.getPublicKey()}: ${accountOf(system, {})}
  ${this.#account.getPublicKey()}: ${accountOf(this.#account, jetStreamLimits)}
}`;
  }

  /** A file of credentials, of the servers' account or of one that they do not know. */
  makeCredentials(name: string, account: Keys = this.#account): void {
    const user = nkeys.createUser();
    const jwt = signed(account, user, { type: 'user', version: 2, ...connectionLimits });
    const parts = { 'NATS USER JWT': jwt, 'USER NKEY SEED': new TextDecoder().decode(user.getSeed()) };
    const text = Object.entries(parts).map(
      ([part, value]) => `-----BEGIN ${part}-----\n${value}\n------END ${part}------\n`,
    );
    writeFileSync(this.file(name), text.join('\n'), { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What one key says of another, as servers of NATS read it. */
function signed(by: Keys, about: Keys, nats: object): string {
  const claims = {
    iat: Math.floor(Date.now() / 1000),
    iss: by.getPublicKey(),
    sub: about.getPublicKey(),
    name: 'test',
    nats,
  };
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const encoded = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { ...claims, jti },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const text = encoded.join('.');
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
}
