import type { Change } from '../../../engine/index.ts';
import type { TokenEntry } from '../../../src/identity/sessions/index.ts';

/**
 * A token as earlier versions put it on record: under its owners' names whatever it is, with the grant that it was issued
 * by as its parent, and due when it expires.
 */
export function earlierWrite({ name: store }: { readonly name: string }, { id, document }: TokenEntry): Change {
  const { grantId, parentId = grantId, dueAt: _, ...kept } = document;
  const { clientId: client, userId: user, sessionId: session, expiresAt, epochs } = kept;
  const indexes = present({
    '#state': `open:${epochs.tokens ?? 0}`,
    client,
    user,
    session,
    parent: parentId,
    expires: String(expiresAt).padStart(15, '0'),
  });
  return {
    op: 'put_record',
    store,
    record: { collection: 'tokens', id, document: parentId === undefined ? kept : { ...kept, parentId }, indexes },
  };
}

function present(all: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(all).flatMap(([name, key]) => (key === undefined ? [] : [[name, key] as const]));
  return Object.fromEntries(entries);
}
