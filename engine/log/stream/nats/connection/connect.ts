import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
} from '@nats-io/transport-node';
import { EngineError } from '../../../../errors.ts';
import type { StreamSettings } from '../settings.ts';
import type { ServerChoice } from './server-choice.ts';

const CONNECT_MS = 5000;
const PING_MS = 5000;
const RECONNECT_MIN_MS = 200;
const RECONNECT_MAX_MS = 3000;

/** @throws EngineError `unavailable` where no server answers, `invalid_argument` where a file cannot be read */
export async function connectTo(
  settings: StreamSettings,
  choice?: Pick<ServerChoice, 'next'>,
): Promise<NatsConnection> {
  const delay = new ReconnectDelay(settings);
  const options = {
    ...optionsOf(settings),
    reconnectDelayHandler: delay.next,
    ...(choice === undefined ? {} : { reconnectToServer: choice.next }),
  };
  try {
    const connection = await connect(options);
    void delay.watch(connection);
    return connection;
  } catch (error) {
    const isSilent = error instanceof errors.TimeoutError && options.tls !== undefined;
    const hint = isSilent ? '. A server that refuses the certificate of this node does not say so' : '';
    throw new EngineError('unavailable', `${problemOf(error)}: ${reasonOf(error)}${hint}`, {}, error);
  }
}

/** How long to wait before a server is tried again: longer each time that all were tried without success. */
class ReconnectDelay {
  readonly #servers: number;
  #failures = 0;

  constructor({ url }: StreamSettings) {
    this.#servers = url.split(',').length;
  }

  readonly next = (): number => {
    const rounds = Math.min(this.#failures++ / this.#servers, 10);
    return Math.min(RECONNECT_MAX_MS, RECONNECT_MIN_MS * 2 ** rounds) * (0.5 + Math.random() / 2);
  };

  /** Resolves when the connection is closed. */
  async watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) if (type === 'reconnect') this.#failures = 0;
  }
}

/** Names the settings that may be wrong. */
function problemOf(error: unknown): string {
  return error instanceof errors.AuthorizationError
    ? 'the NATS servers refuse this node: look at the user and password in the first URL of RELATA_CLUSTER_URL, or at RELATA_CLUSTER_CREDENTIALS'
    : 'no NATS server of RELATA_CLUSTER_URL can be reached';
}

/** Words of the client, which never show a password. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function optionsOf(settings: StreamSettings): ConnectionOptions {
  const urls = settings.url.split(',').map((text) => new URL(text.trim()));
  const [first] = urls as [URL];
  const { username, password } = first;
  const { credentialsFile, caFile, certificateFile, keyFile } = settings;
  const isTls = urls.some(({ protocol }) => protocol === 'tls:') || caFile !== undefined || keyFile !== undefined;
  return {
    servers: urls.map(({ host }) => host),
    name: settings.name,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    ...(username === '' ? {} : credentialsIn(username, password)),
    ...(credentialsFile === undefined
      ? {}
      : { authenticator: credsAuthenticator(new Uint8Array(readFile(credentialsFile))) }),
    ...(isTls
      ? {
          tls: {
            ...fileOf('ca', caFile),
            ...fileOf('cert', certificateFile),
            ...fileOf('key', keyFile),
            ...identityCheck(urls.map(({ hostname }) => hostname)),
          },
        }
      : {}),
  };
}

function credentialsIn(username: string, password: string): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

/** Servers that are called by an address must show a certificate for it: the client compares it with `localhost`. */
function identityCheck(hosts: readonly string[]): object {
  const addresses = hosts.map((host) => host.replace(/^\[|\]$/g, '')).filter((host) => isIP(host) !== 0);
  if (addresses.length === 0) return {};
  return {
    checkServerIdentity: (name: string, certificate: PeerCertificate) => {
      const names = name === '' || name === 'localhost' ? addresses : [name];
      const faults = names.map((each) => checkServerIdentity(each, certificate));
      return faults.includes(undefined) ? undefined : faults[0];
    },
  };
}

function fileOf(name: 'ca' | 'cert' | 'key', path: string | undefined): { readonly [name: string]: string } {
  return path === undefined ? {} : { [name]: readFile(path).toString('utf8') };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new EngineError('invalid_argument', `the file ${path} cannot be read: ${reasonOf(error)}`, {}, error);
  }
}
