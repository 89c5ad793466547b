import type { Change, Command, PackedChange, PackedCommand } from './command.ts';
import { documentText } from './document-text.ts';

/** A command as the log takes it. Throws `invalid_argument` where a document is no JSON. */
export function packCommand({ id, time, preconditions, changes }: Command): PackedCommand {
  const packed = changes.map(packChange);
  // the runtime makes literals of one shape many times faster than copies of another object
  return { id, time, preconditions, changes: packed };
}

function packChange(change: Change): PackedChange {
  if (change.op === 'append_record') {
    const { op, store, collection, document } = change;
    return { op, store, collection, json: documentText(document) };
  }
  if (change.op !== 'put_record') return change;
  const { collection, id, document, indexes, unique } = change.record;
  const record = { collection, id, json: documentText(document), indexes, unique };
  return { op: 'put_record', store: change.store, record };
}
