import { ProblemError, problem } from '../../http/index.ts';
import type { RequireHeard } from '../../kernel/organizations/index.ts';
import type { Config } from '../../platform/index.ts';
import { silentSeconds } from './cluster-state.ts';

/** Undefined on a node that is alone: nothing is revoked elsewhere. */
export function requireHeardBy(
  memory: SharedArrayBuffer | undefined,
  { clusterUrl, clusterSilentS, clusterSilentKeysS }: Config,
): RequireHeard | undefined {
  if (clusterUrl === null || memory === undefined) return undefined;
  const cells = new Int32Array(memory);
  return (kind) => {
    const silent = silentSeconds(cells);
    if (silent <= (kind === 'token' ? clusterSilentS : clusterSilentKeysS)) return;
    const what = kind === 'token' ? 'tokens and sessions' : 'keys';
    const reason = `This node has heard nothing of the cluster's log for ${silent} seconds, and does not know which ${what} were revoked.`;
    throw new ProblemError(problem('unavailable', reason, { headers: { 'retry-after': '5' } }));
  };
}
