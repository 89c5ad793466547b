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
 * Waits, on a node of several, until its store is as fresh as a question wants it. Alone, a node has nothing to wait for:
 * what was acknowledged is in its store.
 */
export class Freshness {
  readonly #engine: Pick<Engine, 'barrier' | 'revision'>;
  readonly #tokens: RevisionTokens;

  constructor(engine: Pick<Engine, 'barrier' | 'revision'>, tokens: RevisionTokens) {
    this.#engine = engine;
    this.#tokens = tokens;
  }

  /** Undefined where there is nothing to wait for. */
  wait(consistency: Consistency | undefined): Promise<void> | undefined {
    if (consistency === undefined) return undefined;
    if ('atLeast' in consistency) return this.reached(consistency.atLeast);
    return consistency.mode === 'fully_consistent' ? this.#engine.barrier() : undefined;
  }

  /** After a while it gives up: whoever asks for the revision finds that it is not reached. */
  reached(token: string): Promise<void> | undefined {
    const revision = this.#revisionOf(token);
    return revision <= this.#engine.revision() ? undefined : this.#until(revision);
  }

  async #until(revision: number): Promise<void> {
    for (const end = performance.now() + WAIT_MS; performance.now() < end; ) {
      await sleep(LOOK_MS);
      if (revision <= this.#engine.revision()) return;
    }
  }

  /** What is wrong with a token is told by whoever reads it for the answer. */
  #revisionOf(token: string): number {
    try {
      return this.#tokens.revisionOf(token, 'consistency.atLeast');
    } catch (error) {
      if (error instanceof EngineError) return 0;
      throw error;
    }
  }
}

/** Endpoints that wait for as much freshness as their body, or their query, asks for. */
export function freshened(endpoints: readonly Endpoint[], freshness: Freshness | undefined): readonly Endpoint[] {
  if (freshness === undefined) return endpoints;
  return endpoints.map((endpoint) => ({
    ...endpoint,
    handler(call) {
      const waiting = freshness.wait(consistencyOf(call.body) ?? consistencyOf(call.query));
      return waiting === undefined ? endpoint.handler(call) : waiting.then(() => endpoint.handler(call));
    },
  }));
}

/** Of what the endpoint's schema has accepted. */
function consistencyOf(input: unknown): Consistency | undefined {
  return (input as { readonly consistency?: Consistency } | undefined)?.consistency;
}
