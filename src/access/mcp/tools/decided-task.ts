import { setTimeout as pause } from 'node:timers/promises';
import { ownTask, taskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';

/** A client that comes back waits so long for the person, so that it need not come back at once. */
const WAIT_MS = 10_000;
const LOOK_MS = 500;
/** Requests of one thread that wait. Past that they are answered as things stand. */
const WAITING_MAX = 100;
let waiting = 0;

/**
 * A task of the caller, as soon as it is decided, and after a while as it stands.
 * @throws ProblemError 403, 404
 */
export async function decidedTask(
  { engine, clock }: McpDependencies,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<TaskEntry> {
  const look = (): TaskEntry => engine.read(() => ownTask(caller, id));
  const isDecided = (task: TaskEntry): boolean => taskStatus(task, clock.now()) !== 'pending';
  let task = look();
  if (isDecided(task) || waiting >= WAITING_MAX) return task;
  waiting++;
  try {
    for (let passed = 0; passed < WAIT_MS && !signal.aborted && !isDecided(task); passed += LOOK_MS) {
      await pause(LOOK_MS, undefined, { ref: false });
      task = look();
    }
  } finally {
    waiting--;
  }
  return task;
}
