import { liveToken, type TokenEntry } from '../../../identity/sessions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { readGrantText } from '../tokens/index.ts';

/** The grant whose current refresh token this is, while it goes on. */
export function grantBehind(
  dependencies: ProtocolDependencies,
  organization: Organization,
  text: string,
): TokenEntry | undefined {
  const found = grantEverBehind(dependencies, organization, text);
  return found?.isCurrent === true ? found.grant : undefined;
}

/** The same also for one that was used: a client may have lost the answer that had the next. */
export function grantEverBehind(
  { engine, clock, sealer }: ProtocolDependencies,
  organization: Organization,
  text: string,
): { readonly grant: TokenEntry; readonly isCurrent: boolean } | undefined {
  const presented = readGrantText(sealer, organization, 'refresh', text);
  if (presented === undefined) return undefined;
  const entry = engine.read(() => liveToken(organization.store, presented.id, clock.now()));
  if (entry?.document.type !== 'refresh') return undefined;
  return { grant: entry, isCurrent: entry.document.generation === presented.generation };
}
