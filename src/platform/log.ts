import pino from 'pino';
import { redact, redactText } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/** What the service needs of a logger. Fields first, as pino has it, but every field passes the redaction. */
export interface Log {
  error(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
  /** A log that adds the fields to each of its lines. */
  with(fields: LogFields): Log;
}

interface LogOptions {
  readonly level: string;
  /** Receives whole lines; the standard output where omitted. */
  readonly write?: (line: string) => void;
}

/** JSON lines through pino. A line break in anything a caller sent is escaped by JSON, so one entry is one line. */
export function createLog(options: LogOptions): Log {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const write = options.write;
  return wrap(pino(settings, write === undefined ? standardOutput() : { write }));
}

/** Lines that could not be written yet; more are dropped. */
const UNWRITTEN_MAX = 2 ** 20;

/**
 * Synchronous, because the line that is still in a buffer when the process is killed is the one that is needed. If the
 * output accepts nothing, such as a file on a full disk, the caller goes on without it.
 */
function standardOutput(): pino.DestinationStream {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: UNWRITTEN_MAX });
  destination.on('error', () => {});
  return destination;
}

function wrap(logger: pino.Logger): Log {
  const at = (level: 'error' | 'warn' | 'info' | 'debug') => (fields: LogFields, message: string) => {
    if (logger.isLevelEnabled(level)) logger[level](redact(fields) as object, redactText(message));
  };
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    with: (fields) => wrap(logger.child(redact(fields) as pino.Bindings)),
  };
}

/** A log that goes nowhere, for callers that have none. */
export const silentLog: Log = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  with: () => silentLog,
};

/**
 * Logs an uncaught error or rejection before it ends this thread, and with most threads the process. The log writes
 * synchronously, so the line is out by then. What the runtime does next is not changed.
 */
export function logBeforeEnd(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    log.error({ origin, error }, 'uncaught error: the thread ends');
  });
}
