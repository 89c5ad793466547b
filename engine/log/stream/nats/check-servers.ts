import type { NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import { reasonOf } from './connection/connect.ts';
import type { StreamSettings } from './settings.ts';

/** Earlier ones lost streams, or members' data, after restarts. */
const VERSION_MIN = [2, 12, 3] as const;
const REPLICAS_MIN = 3;
const MONITOR_MS = 3000;
/** Of what a server may keep: a new snapshot may not fit beyond it. */
const FILLED_SHARE = 0.6;
const MIB = 2 ** 20;
/** Of `/varz`, which has a few kilobytes. */
const MONITOR_BYTES = 2 ** 20;

/** What a server tells of itself at `/varz`. */
interface Told {
  readonly server_name?: string;
  readonly version?: string;
  readonly jetstream?: {
    /** Not without JetStream. */
    readonly config?: { readonly sync_always?: boolean; readonly max_storage?: number };
    readonly stats?: { readonly storage?: number };
  };
}

/**
 * Whether the servers keep what they acknowledge: their versions, how many keep each message, and that they flush it to
 * disk first. Warns of what is not so, or cannot be seen, where the settings say to go on.
 * @throws EngineError `invalid_argument`
 */
export async function checkServers(
  connection: NatsConnection,
  settings: StreamSettings,
  warn: (message: string) => void,
): Promise<void> {
  const problems = [...versionProblems(connection.info?.version, 'the NATS server'), ...replicaProblems(settings)];
  problems.push(...(await monitorProblems(settings, warn)));
  if (problems.length === 0) return;
  if (!settings.allowUnsafe) {
    const todo = 'RELATA_CLUSTER_UNSAFE=1 goes on all the same: then acknowledged writes can be lost';
    throw new EngineError('invalid_argument', `the NATS servers are not safe to use: ${problems.join('; ')}. ${todo}`);
  }
  for (const problem of problems) warn(`acknowledged writes can be lost: ${problem}`);
}

/** Of one server, of which it is known what it is called. */
export function versionProblems(version: string | undefined, server: string): string[] {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return [`${server} does not tell its version`];
  const index = parts.findIndex((part, i) => part !== VERSION_MIN[i]);
  const isOld = index !== -1 && (parts[index] as number) < (VERSION_MIN[index] as number);
  return isOld ? [`${server} has version ${version}, and at least ${VERSION_MIN.join('.')} is needed`] : [];
}

function replicaProblems({ replicas }: StreamSettings): string[] {
  return replicas < REPLICAS_MIN
    ? [`RELATA_CLUSTER_REPLICAS is ${replicas}, and at least ${REPLICAS_MIN} are needed`]
    : [];
}

async function monitorProblems(
  { monitorUrl, replicas }: StreamSettings,
  warn: (message: string) => void,
): Promise<string[]> {
  if (monitorUrl === undefined) {
    return [
      'it cannot be seen whether they flush what they acknowledge (sync_interval: always): set RELATA_CLUSTER_MONITOR_URL',
    ];
  }
  const urls = monitorUrl.split(',').map((url) => url.trim());
  const asked = await Promise.all(urls.map((url) => ask(url).catch((error: unknown) => causeOf(error))));
  const problems: string[] = [];
  let seen = 0;
  asked.forEach((told, i) => {
    if (typeof told === 'string') {
      warn(`the NATS server at ${urls[i]} (RELATA_CLUSTER_MONITOR_URL) does not show its settings: ${told}`);
      return;
    }
    seen++;
    const name = `the NATS server ${told.server_name ?? urls[i]}`;
    problems.push(...versionProblems(told.version, name));
    const tight = spaceWarning(told, name);
    if (tight !== undefined) warn(tight);
    if (told.jetstream?.config === undefined) {
      problems.push(`${name} has no JetStream: add a "jetstream" block with "store_dir" and "sync_interval: always"`);
    } else if (told.jetstream.config.sync_always !== true) {
      problems.push(`${name} acknowledges before it has flushed: set "sync_interval: always" in its "jetstream" block`);
    }
  });
  const needed = Math.floor(replicas / 2) + 1;
  if (seen < needed) {
    const answer = seen === 1 ? 'NATS server answers' : 'NATS servers answer';
    problems.push(
      `${seen} ${answer} at RELATA_CLUSTER_MONITOR_URL, and at least ${needed} must: name the "http" address of each`,
    );
  }
  return problems;
}

/** Beyond its bound a server does without JetStream. Where none is set, it is 0.75 of what is free when the server starts. */
function spaceWarning({ jetstream }: Told, server: string): string | undefined {
  const { max_storage: bound = 0 } = jetstream?.config ?? {};
  const { storage = 0 } = jetstream?.stats ?? {};
  if (storage <= bound * FILLED_SHARE) return undefined;
  const [kept, allowed] = [storage, bound].map((bytes) => Math.ceil(bytes / MIB));
  return `${server} keeps ${kept} MiB of the ${allowed} MiB that it may: set "max_file_store" in its "jetstream" block to what its disk has`;
}

/** `fetch` itself only says that it failed. */
function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return reasonOf(cause instanceof Error && cause.message !== '' ? cause : error);
}

async function ask(url: string): Promise<Told> {
  const answer = await fetch(new URL('/varz', url), { signal: AbortSignal.timeout(MONITOR_MS), redirect: 'error' });
  const text = await answer.text();
  if (!answer.ok || text.length > MONITOR_BYTES) throw new Error(`HTTP status ${answer.status}`);
  return JSON.parse(text) as Told;
}
