import { programRights } from '../../../../directory/assignments/index.ts';
import { clientActor } from '../../../../directory/records/index.ts';
import { clientTelling } from './client-changes.ts';
import { type ClientRecord, clientRecords } from './client-record.ts';

/** Why nobody says anything of a client but whether it is active; undefined where administrators do. */
export function documentRefusal({ kind }: Pick<ClientRecord, 'kind'>): string | undefined {
  if (kind !== 'document') return undefined;
  return 'This client is described by the document at its id. Only isActive can be changed.';
}

/** What a client has where it acts for itself. Only full administrators manage clients: they hold all that one has. */
export const clientRights = programRights<ClientRecord>({
  ...clientActor,
  records: clientRecords,
  told: clientTelling,
  refusal: documentRefusal,
  changed: (document, now) => ({ ...document, updatedAt: now }),
});
