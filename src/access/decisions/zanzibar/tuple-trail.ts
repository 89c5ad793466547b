import { formatTuple, parseObject, type Tuple } from '#engine';
import type { Settings } from '../../../directory/settings/index.ts';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import type { TupleChanges } from './authorize-system-tuples.ts';

/** Tuples of one request that its entry shows, of writes and of deletes each. */
const SAMPLE_MAX = 10;
const TEXT_MAX = 512;

/**
 * Who wrote which tuples, as the organization wants it on record: not at all, as one entry for the request, or as one for
 * each of its tuples. An entry has a target where all that it tells of is one object; a sample is found by its text.
 */
export function tupleTrail(mode: Settings['audit']['tuples'], { writes, deletes }: TupleChanges): AuditEvent[] {
  if (mode === 'none' || writes.length + deletes.length === 0) return [];
  if (mode === 'each')
    return [...writes.map((tuple) => one('write', tuple)), ...deletes.map((tuple) => one('delete', tuple))];
  const sample = { writes: sampleOf(writes), deletes: sampleOf(deletes) };
  return [
    {
      eventType: 'admin.action',
      action: 'tuples.write',
      ...targetOf([...writes, ...deletes]),
      metadata: { writes: writes.length, deletes: deletes.length, sample },
    },
  ];
}

function one(op: 'write' | 'delete', tuple: Tuple): AuditEvent {
  const metadata = { tuple: textOf(tuple) };
  return { eventType: 'admin.action', action: `tuple.${op}`, ...targetOf([tuple]), metadata };
}

function targetOf([first, ...others]: readonly Tuple[]): Pick<AuditEvent, 'targetId' | 'targetType'> {
  if (first === undefined || others.some(({ object }) => object !== first.object)) return {};
  const { type, id } = parseObject(first.object);
  return { targetId: id, targetType: type };
}

function sampleOf(tuples: readonly Tuple[]): string[] {
  return tuples.slice(0, SAMPLE_MAX).map(textOf);
}

function textOf(tuple: Tuple): string {
  return formatTuple(tuple).slice(0, TEXT_MAX);
}
