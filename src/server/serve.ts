import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, keyFiles, type Log, loadConfig, logBeforeEnd } from '../platform/index.ts';
import { type RunningServer, startServer } from './supervisor.ts';

export interface ServeParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs before the first request is accepted; what it answers is printed when the service listens. */
  readonly prepare: (
    server: Pick<RunningServer, 'reader' | 'organizations'>,
    config: { readonly demo: boolean },
  ) => Promise<Announcement>;
  readonly write: (line: string) => void;
}

/** Lines to print, given the address of the service. */
export type Announcement = (baseUrl: string) => readonly string[];

/** `relata serve`: runs until a signal ends it. @throws ConfigError, EngineError `in_use` */
export async function serve({ environment, prepare, write }: ServeParts): Promise<void> {
  const { config, warnings } = loadConfig({ environment });
  const log = createLog({ level: config.logLevel });
  logBeforeEnd(log);
  for (const warning of warnings) log.warn({}, warning);
  let announcement: Announcement = () => [];
  const server = await startServer(config, log, async (parts) => {
    announcement = await prepare(parts, config);
  });
  const url = config.port === server.port ? config.baseUrl : config.baseUrl.replace(/:0$/, `:${server.port}`);
  for (const { name, secret, file } of server.secrets.created) {
    write(
      name === keyFiles.platform ? `Platform key (shown once, kept in ${file}): ${secret}` : `Master key made: ${file}`,
    );
  }
  for (const line of announcement(url)) write(line);
  log.info(
    { port: server.port, host: config.host, transport: server.transport, acceptors: server.acceptors },
    'serving',
  );
  // Listening for signals begins before anybody can know that there is something to end.
  const signal = signalled();
  write(`Relata serves at ${url}`);
  await untilEnd(server, log, signal);
}

const FAILED_STOP_MS = 10_000;

async function untilEnd(server: RunningServer, log: Log, signal: Promise<string>): Promise<void> {
  const reason = await Promise.race([signal, server.failed]);
  if (reason instanceof Error) log.error({ error: reason }, 'a thread has failed: the service ends');
  else log.info({ signal: reason }, 'draining');
  const stopped = server.stop().then((cutOff) => log.info({ cutOff }, 'stopped'));
  // with a thread gone, the others may wait for it for ever
  await (reason instanceof Error ? Promise.race([stopped, sleep(FAILED_STOP_MS, undefined, { ref: false })]) : stopped);
  if (reason instanceof Error) throw reason;
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
