/** A node of the cluster, as the node that keeps the snapshots knows it. */
export interface KnownNode {
  /** Host and port: the same after a restart. */
  readonly name: string;
  /** The last message that it had applied when it was seen. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly seen: number;
}

const NODES_MAX = 1000;

/** What is known after some nodes have answered. Those that were not seen for `absentMs` are forgotten. */
export function knownAfter(
  known: readonly KnownNode[],
  answered: readonly { readonly name: string; readonly sequence: number }[],
  { now, absentMs }: { readonly now: number; readonly absentMs: number },
): KnownNode[] {
  const nodes = new Map<string, KnownNode>();
  // a clock that was set back must not keep a node for ever
  for (const each of known) if (Math.abs(now - each.seen) < absentMs) nodes.set(each.name, each);
  const fresh = new Set<string>();
  for (const { name, sequence } of answered) {
    // two nodes of one name are as far as the one that is behind
    const before = fresh.has(name) ? nodes.get(name)?.sequence : undefined;
    nodes.set(name, { name, sequence: Math.min(sequence, before ?? sequence), seen: now });
    fresh.add(name);
  }
  return [...nodes.values()].toSorted((one, other) => other.seen - one.seen).slice(0, NODES_MAX);
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
