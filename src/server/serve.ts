import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  boundHeapGrowth,
  createLog,
  keyFiles,
  type Log,
  loadConfig,
  logBeforeEnd,
  serviceVersion,
} from '../platform/index.ts';
import type { Secrets } from './secrets.ts';
import { type RunningServer, startServer } from './supervisor.ts';

export interface ServeDependencies {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs before the first request is accepted; what it answers is printed at once. */
  readonly prepare: (
    server: Pick<RunningServer, 'reader' | 'organizations'>,
    config: { readonly demo: boolean; readonly dataDir: string },
  ) => Promise<Announcement>;
  readonly write: (line: string) => void;
  /** Aborts at the first signal that asks for the end, with the signal as the reason's message. */
  readonly ended: AbortSignal;
}

/** Lines to print, given the address of the service. */
export type Announcement = (baseUrl: string) => readonly string[];

/**
 * `relata serve`: runs until a signal ends it, also while it starts.
 * @throws ConfigError, ListenError, EngineError `in_use`
 */
export async function serve({ environment, prepare, write, ended }: ServeDependencies): Promise<void> {
  boundHeapGrowth();
  const { config, warnings } = loadConfig({ environment });
  const log = createLog({ level: config.logLevel });
  logBeforeEnd(log);
  for (const warning of warnings) log.warn({}, warning);
  // at once: opening a large store takes a while
  write(`Relata ${serviceVersion} is starting, with the data in ${resolve(config.dataDir)}`);
  let server: RunningServer;
  try {
    server = await startServer(config, log, {
      ended,
      // printed at once: they are shown this once, whatever becomes of the start
      secretsMade: (made) => {
        for (const each of made) write(lineOf(each));
      },
      async prepare(dependencies, baseUrl) {
        for (const line of (await prepare(dependencies, config))(baseUrl)) write(line);
      },
    });
  } catch (error) {
    if (!ended.aborted || error !== ended.reason) throw error;
    log.info({ signal: signalOf(ended) }, 'stopped during startup');
    return;
  }
  const { port, baseUrl, transport, acceptors } = server;
  log.info({ port, host: config.host, transport, acceptors }, 'serving');
  if (acceptors < config.threads) {
    log.warn({ threads: config.threads, transport }, 'one thread serves: threads cannot share a port here');
  }
  write(`Relata serves at ${baseUrl}`);
  await untilEnd(server, log, ended);
}

function lineOf({ name, secret, file }: Secrets['created'][number]): string {
  if (name === keyFiles.platform) return `Platform key (shown once, kept in ${file}): ${secret}`;
  return `Master key generated: ${file}`;
}

const FAILED_STOP_MS = 10_000;

async function untilEnd(server: RunningServer, log: Log, ended: AbortSignal): Promise<void> {
  const reason = await Promise.race([aborted(ended), server.failed]);
  if (reason instanceof Error) log.error({ error: reason }, 'a thread has failed: the service ends');
  else log.info({ signal: signalOf(ended) }, 'draining');
  const stopped = server.stop().then((cutOff) => log.info({ cutOff }, 'stopped'));
  // with a thread gone, the others may wait for it for ever
  await (reason instanceof Error ? Promise.race([stopped, sleep(FAILED_STOP_MS, undefined, { ref: false })]) : stopped);
  if (reason instanceof Error) throw reason;
}

function signalOf(ended: AbortSignal): string {
  return (ended.reason as Error).message; // as `ServeDependencies` says
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
