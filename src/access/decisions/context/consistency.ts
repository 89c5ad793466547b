import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Engine, EngineError } from '#engine';
import type { Endpoint } from '../../../http/index.ts';
import type { RevisionTokens } from './revision-tokens.ts';

/**
 * How fresh an answer must be. With one node every read sees every acknowledged commit, so that the modes differ only
 * in what they refuse: a token that has not been reached. A node of several waits first; see `Freshness`.
 */
export const consistencySchema = z
  .union([
    z.strictObject({ mode: z.enum(['minimize_latency', 'fully_consistent']) }).meta({ id: 'ConsistencyMode' }),
    z
      .strictObject({ mode: z.literal('at_least').optional(), atLeast: z.string().min(1).max(64) })
      .meta({ id: 'ConsistencyAtLeast' }),
  ])
  .describe('minimize_latency if omitted');

type Consistency = z.output<typeof consistencySchema>;

/**
 * To be called inside the snapshot that answers.
 * @throws EngineError `invalid_token`, `log_replaced`, `revision_ahead`
 */
export function requireFresh(tokens: RevisionTokens, consistency: Consistency | undefined, revision: number): void {
  if (consistency === undefined || !('atLeast' in consistency)) return;
  const path = 'consistency.atLeast';
  if (tokens.revisionOf(consistency.atLeast, path) > revision) {
    throw new EngineError('revision_ahead', 'the revision of the consistency token has not been reached here', {
      path,
    });
  }
}

/** How long a question waits for a revision that this node has not reached. */
const WAIT_MS = 5000;
const LOOK_MS = 2;

/**
 * Waits, on a node of several, until its store is as fresh as a question wants it; `undefined` where there is nothing to
 * wait for. Alone, a node has nothing to wait for: what was acknowledged is in its store.
 */
export type Freshness = (consistency: Consistency) => Promise<void> | undefined;

export function freshnessOf(engine: Pick<Engine, 'barrier' | 'revision'>, tokens: RevisionTokens): Freshness {
  return (consistency) => {
    if (!('atLeast' in consistency)) return consistency.mode === 'fully_consistent' ? engine.barrier() : undefined;
    const revision = revisionIn(tokens, consistency.atLeast);
    return revision <= engine.revision() ? undefined : reached(engine, revision);
  };
}

/** After a while it gives up: whoever asks for the revision finds that it is not reached. */
async function reached(engine: Pick<Engine, 'revision'>, revision: number): Promise<void> {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; ) {
    await sleep(LOOK_MS);
    if (revision <= engine.revision()) return;
  }
}

/** What is wrong with a token is told by whoever reads it for the answer. */
function revisionIn(tokens: RevisionTokens, token: string): number {
  try {
    return tokens.revisionOf(token, 'consistency.atLeast');
  } catch (error) {
    if (error instanceof EngineError) return 0;
    throw error;
  }
}

/** Endpoints that wait for as much freshness as their body, or their query, asks for. */
export function freshened(endpoints: readonly Endpoint[], freshness: Freshness | undefined): readonly Endpoint[] {
  if (freshness === undefined) return endpoints;
  return endpoints.map((endpoint) => ({
    ...endpoint,
    handler(call) {
      const consistency = consistencyOf(call.body) ?? consistencyOf(call.query);
      const waiting = consistency && freshness(consistency);
      return waiting === undefined ? endpoint.handler(call) : waiting.then(() => endpoint.handler(call));
    },
  }));
}

/** Of what the endpoint's schema has accepted. */
function consistencyOf(input: unknown): Consistency | undefined {
  return (input as { readonly consistency?: Consistency } | undefined)?.consistency;
}
