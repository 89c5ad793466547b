import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextPort } from './next-port.ts';

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const START_MS = 150_000;

export const platformKey = 'platform-key-of-the-tests-0123456789';

/** An answer of the service; the body is parsed where it is JSON. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(status: number, body: unknown, headers: Headers) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  /** What stands at a path such as `data.items.0`. */
  at(path: string): unknown {
    let value: unknown = this.body;
    for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
    return value;
  }

  text(path: string): string {
    return String(this.at(path));
  }

  list(path: string): unknown[] {
    return (this.at(path) as unknown[] | undefined) ?? [];
  }
}

export interface CallOptions {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the wait for an answer. */
  readonly signal?: AbortSignal;
}

/** A built service that listens. */
export class Service {
  /** Its data lies in `data` below. */
  readonly folder: string;
  readonly url: string;

  constructor({ folder, url }: { readonly folder: string; readonly url: string }) {
    this.folder = folder;
    this.url = url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key, body, headers, signal } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return new Answer(response.status, isJson ? JSON.parse(text) : text, response.headers);
  }

  /** A new organization, and a way to call it as its administrator. */
  async organization(slug: string): Promise<Organization> {
    const created = await this.call('POST', '/platform/api/v1/orgs', { key: platformKey, body: { slug, name: slug } });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    return new Organization(this, slug, created.text('data.adminApiKey'));
  }
}

/** The built service, in a process and a temporary folder of its own. */
export class RunningService extends Service {
  readonly output: () => string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, folder: string, url: string, output: () => string) {
    super({ folder, url });
    this.#child = child;
    this.output = output;
  }

  /**
   * @param prefix a command that runs it, such as `prlimit`
   * @param program the file that is run
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    folder?: string,
    prefix: readonly string[] = [],
    program = main,
  ): Promise<RunningService> {
    if (!existsSync(program)) throw new Error('the service is not built: npm run build');
    const data = folder ?? mkdtempSync(join(tmpdir(), 'relata-service-'));
    const port = String(await nextPort());
    const { child, output } = spawnService(data, { RELATA_PORT: port, ...environment }, prefix, program);
    const until = Date.now() + START_MS;
    for (;;) {
      const url = /Relata serves at (\S+)/.exec(output())?.[1];
      if (url !== undefined) return new RunningService(child, data, url, output);
      if (child.exitCode !== null || Date.now() > until) {
        child.kill('SIGKILL');
        throw new Error(`the service did not start: ${output()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  get pid(): number {
    return this.#child.pid as number; // it was started
  }

  /** The demonstration organization's key, where it was made. */
  get demoKey(): string {
    return /API key: (\S+)/.exec(this.output())?.[1] ?? '';
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it has ended by itself. Answers the exit code, `null` where a signal ended it. */
  async ended(): Promise<number | null> {
    if (this.isRunning) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** Ends it as an operator does. Answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
    return this.#child.exitCode;
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class Organization {
  readonly service: Service;
  readonly slug: string;
  readonly key: string;

  constructor(service: Service, slug: string, key: string) {
    this.service = service;
    this.slug = slug;
    this.key = key;
  }

  /** In the tenant family, as the administrator where no key is given. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.service.call(method, `/t/${this.slug}/api/v1${path}`, { key: this.key, ...options });
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', path, { body, ...options });
  }

  async model(...lines: readonly string[]): Promise<string> {
    const dsl = `model\n  schema 1.1\n${lines.join('\n')}\n`;
    const answer = await this.post('/zanzibar/models', { dsl });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.text('id');
  }

  /** Makes the roles, permissions and groups that tuples name, where they are missing. */
  async directory(...tuples: readonly unknown[]): Promise<void> {
    const texts = tuples.map((tuple) => (typeof tuple === 'string' ? tuple : JSON.stringify(tuple))).join(' ');
    for (const [, type = '', slug = ''] of new Set(texts.matchAll(/\b(role|permission|group):([\w.:-]+)/g))) {
      const body = type === 'group' ? { name: slug } : { slug, name: slug };
      const { status } = await this.post(`/admin/${type}s`, body);
      if (status !== 201 && status !== 409) throw new Error(`${type} ${slug}: ${status}`);
    }
  }

  /** Through the raw door, as an administrator. */
  async write(...writes: readonly unknown[]): Promise<string> {
    await this.directory(...writes);
    const answer = await this.post('/zanzibar/tuples', { writes });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.text('revision');
  }

  /** A key of this organization with some rights. */
  async newKey(rights: {
    readonly permissions?: readonly string[];
    readonly roles?: readonly string[];
  }): Promise<NewKey> {
    const answer = await this.post('/admin/api-keys', { name: 'test', ...rights });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.at('data') as NewKey;
  }
}

export interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly subject: string;
}

export interface SpawnedService {
  readonly child: ChildProcess;
  readonly output: () => string;
}

/** Starts the process without waiting for it; `prefix` is a command that runs it, such as `unshare`. */
export function spawnService(
  folder: string,
  environment: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
  program = main,
): SpawnedService {
  const [command = '', ...parameters] = [...prefix, process.execPath, program, 'serve'];
  const child = spawn(command, parameters, {
    env: {
      PATH: process.env.PATH ?? '',
      RELATA_PORT: '0',
      RELATA_DATA_DIR: join(folder, 'data'),
      RELATA_PLATFORM_KEY: platformKey,
      // Each costs the start half a second of a processor. Tests that are about several threads say so.
      RELATA_THREADS: '1',
      RELATA_DEMO: '0',
      RELATA_LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}
