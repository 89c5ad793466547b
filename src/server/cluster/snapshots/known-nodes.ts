import type { NodeFormats } from '#engine';
import type { KnownNode } from './log-record.ts';

type Answer = Omit<KnownNode, 'seen'>;

const NODES_MAX = 1000;
/** Of the last version that did not tell. */
const UNTOLD: NodeFormats = { log: 1, store: 4 };

/** What is known after some nodes have answered. Those that were not seen for `absentMs` are forgotten. */
export function knownAfter(
  known: readonly KnownNode[],
  answered: readonly Answer[],
  { now, absentMs }: { readonly now: number; readonly absentMs: number },
): KnownNode[] {
  const nodes = new Map<string, KnownNode>();
  // a clock that was set back must not keep a node for ever
  for (const each of known) if (Math.abs(now - each.seen) < absentMs) nodes.set(each.name, each);
  const fresh = new Set<string>();
  for (const answer of answered) {
    const { name } = answer;
    const before = fresh.has(name) ? nodes.get(name) : undefined;
    nodes.set(name, { ...(before === undefined ? answer : least(before, answer)), seen: now });
    fresh.add(name);
  }
  return [...nodes.values()].toSorted((one, other) => other.seen - one.seen).slice(0, NODES_MAX);
}

/** Two nodes of one name are as far as the one that is behind, and read what both read. */
function least(one: Answer, other: Answer): Answer {
  const sequence = Math.min(one.sequence, other.sequence);
  return { name: one.name, sequence, formats: agreedFormats([one, other]) };
}

/** The newest that all of them read. */
export function agreedFormats(nodes: readonly Pick<KnownNode, 'formats'>[]): NodeFormats {
  const all = nodes.map(({ formats }) => formats ?? UNTOLD);
  return { log: Math.min(...all.map(({ log }) => log)), store: Math.min(...all.map(({ store }) => store)) };
}

/**
 * Up to which message the log is not needed any more, but for that message itself, by which the history is compared: the
 * older of the snapshots that are kept has it, and so has each node. 0 where nothing may go.
 */
export function cutPoint(
  kept: readonly { readonly sequence: number }[],
  nodes: readonly Pick<KnownNode, 'sequence'>[],
  keptMin: number,
): number {
  if (kept.length < keptMin) return 0;
  return Math.min(...kept.map(({ sequence }) => sequence), ...nodes.map(({ sequence }) => sequence));
}
