import { ProblemError, problem } from '../../../http/index.ts';
import { FairQueue, refusalText } from '../../../platform/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import type { TokenResponse } from '../tokens/index.ts';
import type { Grant, TokenRequest } from './grant.ts';

/** So many share a flush to the disk; with more the garbage collector costs more, see `bench/FINDINGS.md`. */
const LIMITS = { running: 200, runningOfOne: 160, waiting: 20_000, waitingOfOne: 10_000 };
const RETRY_S = 1;

/**
 * The token requests of a thread. A bounded number is under way at a time, because each holds much memory until its
 * commit is on the disk. The others hold little while they wait, and organizations take turns.
 */
export class GrantTurns {
  readonly #queue = new FairQueue(LIMITS);

  /** @throws ProblemError as the grant; `unavailable` where too many wait */
  issue(grant: Grant, dependencies: ProtocolDependencies, request: TokenRequest): Promise<TokenResponse> {
    if (grant.asksOthers) return grant.issue(dependencies, request);
    const turn = this.#queue.run(request.organization.store.name, async () => grant.issue(dependencies, request));
    if (typeof turn !== 'string') return turn;
    const detail = refusalText(turn, 'token requests', LIMITS.waitingOfOne);
    throw new ProblemError(problem('unavailable', detail, { headers: { 'retry-after': String(RETRY_S) } }));
  }
}
