import { type Change, type Engine, EngineError, type Precondition } from '../../../engine/index.ts';

/** What a plan found that is to be committed. */
export interface Found {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** Commits what a plan finds in a snapshot: again where something else came first, and nothing where it finds nothing. */
export async function commitFound<T extends Found>(engine: Engine, plan: () => T | undefined): Promise<T | undefined> {
  for (;;) {
    const found = engine.read(plan);
    if (found === undefined) return undefined;
    try {
      await engine.submit(engine.command(found.changes, { preconditions: found.preconditions }));
      return found;
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'precondition_failed') throw error;
    }
  }
}
