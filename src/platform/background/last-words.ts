import type { Log } from '../log.ts';

/**
 * Logs an error that nothing caught, rejections among them, before it ends this thread, and with most threads the
 * process. The log writes synchronously, so that the line is out by then. What the runtime does next stays as it is.
 */
export function logBeforeEnd(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    log.error({ origin, error }, 'uncaught error: the thread ends');
  });
}
