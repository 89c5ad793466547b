import type { CheckOperation, Commit, Fact, History, NodeContent, WriteOperation } from './history.ts';
import { Timeline } from './timeline.ts';

/** Each problem in words, beginning with its kind; none where the history is one that the service promises. */
export function problemsOf(history: History): string[] {
  const [node] = history.nodes;
  if (node === undefined) return ['nodes: there is none'];
  return [
    ...differentNodes(history.nodes),
    ...history.nodes.flatMap((each) => lostWrites(history.writes, each)),
    ...history.nodes.flatMap((each) => repeatedWrites(history.writes, each)),
    ...misplacedWrites(history.writes, node.commits),
    ...unmetRequirements(history.writes, node.commits),
    ...staleChecks(history),
    ...wrongChecks(history, node.commits),
    ...newEnemies(history, node.commits),
  ];
}

/** All nodes have the same, at the same message of the log, and it is what their commits make. */
function differentNodes(nodes: readonly NodeContent[]): string[] {
  const [first, ...others] = nodes as [NodeContent, ...NodeContent[]]; // the caller has looked
  const against = (node: NodeContent): string[] => [
    ...(node.sequence === first.sequence
      ? []
      : [`different: ${node.name} has message ${node.sequence}, ${first.name} has ${first.sequence}`]),
    ...(node.hash === first.hash
      ? []
      : [`different: ${node.name} has ${node.hash}, and ${first.name} has ${first.hash}`]),
    ...(textOf(node.commits) === textOf(first.commits)
      ? []
      : [`different: the commits of ${node.name} are not those of ${first.name}`]),
  ];
  const ofItself = ({ name, commits, facts }: NodeContent): string[] => {
    const made = new Timeline(commits).facts();
    const isSame = made.size === facts.length && facts.every((fact) => made.has(fact));
    return isSame ? [] : [`different: the tuples of ${name} are not what its commits make`];
  };
  return [...others.flatMap(against), ...nodes.flatMap(ofItself)];
}

/** What was acknowledged is there, by its mark, which nobody takes away. */
function lostWrites(writes: readonly WriteOperation[], { name, facts, records }: NodeContent): string[] {
  const there = new Set(facts);
  return writes.flatMap(({ mark, outcome }) => {
    if (outcome !== 'acknowledged') return [];
    return [
      ...(there.has(mark) ? [] : [`lost: ${mark} was acknowledged, and is not at ${name}`]),
      ...(records.has(mark) ? [] : [`lost: ${mark} was acknowledged, and ${name} has no record of it`]),
    ];
  });
}

/** Each write is applied once, or not where it was refused, and nothing is there that nobody wrote. */
function repeatedWrites(writes: readonly WriteOperation[], { name, commits, records }: NodeContent): string[] {
  const counts = new Map<Fact, number>();
  for (const { writes: written } of commits) {
    for (const fact of written) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  const marks = new Set(writes.map(({ mark }) => mark));
  const ofNobody = commits.filter(({ writes: written }) => !written.some((fact) => marks.has(fact)));
  return [
    ...writes.flatMap(({ mark, outcome }) => {
      const most = Math.max(counts.get(mark) ?? 0, records.get(mark) ?? 0);
      if (outcome === 'refused') return most === 0 ? [] : [`refused: ${mark} was refused, and ${name} applied it`];
      return most <= 1 ? [] : [`repeated: ${name} applied ${mark} ${most} times`];
    }),
    ...ofNobody.map(({ revision }) => `unasked: nobody wrote the commit ${revision} of ${name}`),
  ];
}

/** A write stands at the revision of its answer, and after all that was acknowledged before it began. */
function misplacedWrites(writes: readonly WriteOperation[], commits: readonly Commit[]): string[] {
  const placed = placesOf(commits);
  const acknowledged = new Acknowledged(writes);
  return writes.flatMap(({ mark, outcome, revision, began }) => {
    const place = placed.get(mark);
    if (place === undefined) return [];
    if (outcome === 'acknowledged' && revision !== place) {
      return [`misplaced: ${mark} was answered with revision ${revision}, and stands at ${place}`];
    }
    const before = acknowledged.before(began);
    return place > before ? [] : [`misplaced: ${mark} stands at ${place}, and began after ${before} was acknowledged`];
  });
}

function unmetRequirements(writes: readonly WriteOperation[], commits: readonly Commit[]): string[] {
  const placed = placesOf(commits);
  const problems: string[] = [];
  const applied = writes.filter(({ mark, requires }) => requires.length > 0 && placed.has(mark));
  new Timeline(commits).visit(
    applied,
    ({ mark }) => (placed.get(mark) ?? 0) - 1,
    ({ mark, requires }, facts) => {
      for (const { fact, isPresent } of requires) {
        if (facts.has(fact) === isPresent) continue;
        problems.push(`requirement: ${mark} was applied where ${fact} was ${isPresent ? 'absent' : 'present'}`);
      }
    },
  );
  return problems;
}

/** No answer says that it is from a state older than what was asked for. */
function staleChecks({ writes, checks }: History): string[] {
  const acknowledged = new Acknowledged(writes);
  return checks.flatMap((check) => {
    const least = leastOf(check, acknowledged);
    if (check.revision >= least) return [];
    return [`stale: ${check.fact} was answered from ${check.revision}, and ${least} was asked for`];
  });
}

/** Each answer is that of the state that it says it is from. */
function wrongChecks({ checks, holds }: History, commits: readonly Commit[]): string[] {
  const problems: string[] = [];
  new Timeline(commits).visit(
    checks,
    ({ revision }) => revision,
    ({ fact, allowed, revision }, facts) => {
      if (holds(facts, fact) !== allowed) problems.push(`wrong: ${fact} was answered ${allowed} at ${revision}`);
    },
  );
  return problems;
}

/** Whatever an answer says of its state: what was taken away up to the revision that was asked for is not allowed. */
function newEnemies({ writes, checks, holds }: History, commits: readonly Commit[]): string[] {
  const timeline = new Timeline(commits);
  const acknowledged = new Acknowledged(writes);
  const suspects: CheckOperation[] = [];
  timeline.visit(
    checks.filter(({ allowed }) => allowed),
    (check) => Math.max(check.revision, leastOf(check, acknowledged)),
    (check, facts) => {
      if (!holds(facts, check.fact)) suspects.push(check);
    },
  );
  return suspects.flatMap((check) => {
    const least = leastOf(check, acknowledged);
    const wasAllowed = timeline.some(least, Math.max(check.revision, least), (facts) => holds(facts, check.fact));
    return wasAllowed ? [] : [`new enemy: ${check.fact} was allowed, and was not from ${least} on`];
  });
}

/** The revision that an answer must be from, at least. */
function leastOf({ token = 0, isFullyConsistent, began }: CheckOperation, acknowledged: Acknowledged): number {
  return isFullyConsistent ? Math.max(token, acknowledged.before(began)) : token;
}

/** The highest revision that was acknowledged by a time. */
class Acknowledged {
  readonly #ended: readonly number[];
  /** Up to each of them. */
  readonly #highest: readonly number[];

  constructor(writes: readonly WriteOperation[]) {
    const known = writes.filter(({ outcome }) => outcome === 'acknowledged').toSorted((a, b) => a.ended - b.ended);
    let highest = 0;
    this.#ended = known.map(({ ended }) => ended);
    this.#highest = known.map(({ revision = 0 }) => {
      highest = Math.max(highest, revision);
      return highest;
    });
  }

  before(time: number): number {
    let low = 0;
    let high = this.#ended.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ended[middle] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return this.#highest[low - 1] ?? 0;
  }
}

function placesOf(commits: readonly Commit[]): Map<Fact, number> {
  return new Map(commits.flatMap(({ revision, writes }) => writes.map((fact) => [fact, revision] as const)));
}

function textOf(commits: readonly Commit[]): string {
  const texts = commits.map(({ revision, writes, deletes }) => [revision, writes.toSorted(), deletes.toSorted()]);
  return JSON.stringify(texts);
}
