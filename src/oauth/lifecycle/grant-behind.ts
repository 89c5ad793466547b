import type { Organization } from '../../orgs/index.ts';
import { liveToken, type TokenEntry } from '../../sessions/index.ts';
import type { ProtocolParts } from '../protocol/parts.ts';
import { readGrantText } from '../tokens/index.ts';

/** The grant whose current refresh token this is, while it goes on. */
export function grantBehind(
  { engine, clock, sealer }: ProtocolParts,
  organization: Organization,
  text: string,
): TokenEntry | undefined {
  const presented = readGrantText(sealer, organization, 'refresh', text);
  if (presented === undefined) return undefined;
  const entry = engine.read(() => liveToken(organization.store, presented.id, clock.now()));
  return entry?.document.type === 'refresh' && entry.document.generation === presented.generation ? entry : undefined;
}
