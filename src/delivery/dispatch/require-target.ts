import { invalid, usableAddress } from '../../kernel/transactions/index.ts';
import type { OutboundGuard } from '../../platform/index.ts';

/**
 * What nothing would ever be sent to is refused at once. Names are resolved at each connection, and judged then.
 * @throws ProblemError 400
 */
export function requireTarget(guard: OutboundGuard, path: string, text: string): void {
  usableAddress(path, () => guard.requireAddress(guard.requireUrl(text).hostname));
  if (text.includes('#')) throw invalid(path, 'must have no fragment');
}
