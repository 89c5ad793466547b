import { type Engine, EngineError } from '#engine';
import { storeOf } from '../../orgs/index.ts';
import type { Clock } from '../../platform/index.ts';
import { settlingStep } from './settle.ts';

/**
 * Settles, in each organization, at most `limit` sessions and tokens that have ended, and removes sessions that ended
 * `keepMs` ago. Answers whether there may be more.
 */
export async function sweepSessions(engine: Engine, clock: Clock, keepMs: number, limit: number): Promise<boolean> {
  const stores = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
  const found = await Promise.all(stores.map((name) => sweepStore(engine, name, clock.now(), keepMs, limit)));
  return found.includes(true);
}

async function sweepStore(engine: Engine, name: string, now: number, keepMs: number, limit: number): Promise<boolean> {
  try {
    const { changes, preconditions } = engine.read(() => settlingStep(engine.store(name), now, keepMs, limit));
    if (changes.length === 0) return false;
    await engine.submit(engine.command(changes, { preconditions }));
    return true;
  } catch (error) {
    const isRace = error instanceof EngineError && error.code === 'precondition_failed';
    const isGone = error instanceof EngineError && error.code === 'unknown_store';
    if (!isRace && !isGone) throw error;
    return isRace;
  }
}
