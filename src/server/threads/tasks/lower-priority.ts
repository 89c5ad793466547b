import { constants, setPriority } from 'node:os';
import type { Log } from '../../../platform/index.ts';

/**
 * Lets the threads go first that somebody waits for at this moment: checks do not wait for a core that a long write has.
 * On Linux a priority is the thread's own (setpriority(2), NOTES); elsewhere it would be that of the whole process.
 */
export function lowerPriority(log: Log): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    log.warn({ error }, 'the thread of tasks keeps its priority');
  }
}
