import type { Log } from '../log.ts';

/**
 * Logs an uncaught error or rejection before it ends this thread, and with most threads the process. The log writes
 * synchronously, so the line is out by then. What the runtime does next is not changed.
 */
export function logBeforeEnd(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    log.error({ origin, error }, 'uncaught error: the thread ends');
  });
}
