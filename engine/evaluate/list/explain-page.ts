import { EngineError } from '../../errors.ts';
import type { Explanation, ListedExplanation, ListSubjectsRequest, SubjectsPage } from '../../requests.ts';
import { explain } from '../explain/explain.ts';
import { type Paged, writeCursor } from '../page-cursor.ts';
import type { Plan } from '../plan/plan.ts';
import type { Reader, View } from '../reader.ts';

/** The largest page with explanations. */
export const EXPLAINED_MAX = 100;
/** Nodes of one explanation in a list. */
const NODES_MAX = 1_000;
/** A page ends, short of its limit and with a cursor, after so many nodes or so long. */
const PAGE_NODES_MAX = 2_000;
const EXPLAINING_MAX_MS = 1_000;

interface Entry {
  readonly id: number;
  readonly item: string;
}

/** The page with an explanation of each entry. The entries are in the order of their ids. */
export function explainPage(
  reader: Reader,
  view: View,
  plan: Plan,
  request: ListSubjectsRequest,
  page: SubjectsPage,
  entries: readonly Entry[],
  paged: Paged,
): SubjectsPage {
  const explanations: ListedExplanation[] = [];
  const deadline = performance.now() + EXPLAINING_MAX_MS;
  let nodes = 0;
  for (const { item } of entries) {
    if (explanations.length > 0 && (nodes > PAGE_NODES_MAX || performance.now() > deadline)) break;
    const explanation = explained(reader, view, plan, { ...request, subject: item });
    nodes += explanation === undefined ? NODES_MAX : nodesOf(explanation);
    explanations.push(explanation === undefined ? { item } : { item, explanation });
  }
  if (explanations.length === entries.length) return { ...page, explanations };
  const cursor = writeCursor(paged, [entries[explanations.length - 1]?.id ?? 0]);
  return { ...upTo(page, explanations), explanations, cursor };
}

/** Undefined where it passes a bound that its check alone does not pass. */
function explained(
  reader: Reader,
  view: View,
  plan: Plan,
  request: ListSubjectsRequest & { readonly subject: string },
): Explanation | undefined {
  try {
    return explain(reader, view, plan, request, NODES_MAX);
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'too_wide' || error.code === 'timeout')) return undefined;
    throw error;
  }
}

function nodesOf({ children = [] }: Explanation): number {
  let nodes = 1;
  for (const child of children) nodes += nodesOf(child);
  return nodes;
}

/** What of a page is explained: its first entries. */
function upTo(page: SubjectsPage, explanations: readonly ListedExplanation[]): SubjectsPage {
  const kept = new Set(explanations.map(({ item }) => item));
  return {
    items: page.items.filter((item) => kept.has(item)),
    conditional: page.conditional.filter(({ item }) => kept.has(item)),
    ...(page.excluded === undefined ? {} : { excluded: page.excluded.filter((item) => kept.has(item)) }),
  };
}
