import { documentText } from '../store/record-text.ts';
import type { Change, Command, PackedChange, PackedCommand } from './command.ts';

/** A command as the log takes it. Throws `invalid_argument` where a document or an event is no JSON. */
export function packCommand({ changes, events, ...rest }: Command): PackedCommand {
  const packed = { ...rest, changes: changes.map(packChange) };
  return events === undefined || events.length === 0 ? packed : { ...packed, events: documentText(events) };
}

function packChange(change: Change): PackedChange {
  if (change.op !== 'put_record') return change;
  const { document, ...rest } = change.record;
  return { op: change.op, store: change.store, record: { ...rest, json: documentText(document) } };
}
