import type { Context, Decision, ListPage, Store, Tuple } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { type Caller, lentSubject } from '../../../kernel/organizations/index.ts';
import { ask } from '../checks/ask.ts';
import { decideParties } from './decide-parties.ts';
import { aboutRelation, reaches } from './reach.ts';

/** Which objects of a type a subject has a relation to. */
export interface ObjectsQuestion {
  readonly type: string;
  readonly relation: string;
  readonly context: Context;
  readonly contextualTuples?: readonly Tuple[];
  readonly now: number;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const emptyPage: ListPage = { items: [], conditional: [] };
/** Begins a cursor behind all objects of the agent's own: those that it was lent come next. */
const LENT = 'lent.';

/**
 * A page of the objects that a subject has a relation to. Where a caller asks about itself and somebody acts for it, only
 * those for which the check would answer so, too. To be called inside `Engine.read`.
 */
export function objectsOf(caller: Caller, subject: string, question: ObjectsQuestion): ListPage {
  const { store } = caller.organization;
  const { actor, agency } = caller;
  if (actor === undefined || subject !== caller.subject) return pageOf(store, subject, question);
  if (agency !== undefined && lentSubject(agency) !== undefined) return ownThenLent(caller, actor, subject, question);
  return judged(pageOf(store, subject, question), (object) => decide(caller, subject, object, question));
}

/** First what the agent has itself, then what it has by what was lent, and not itself. */
function ownThenLent(caller: Caller, actor: string, lender: string, question: ObjectsQuestion): ListPage {
  const { store } = caller.organization;
  const { cursor } = question;
  const all = (object: string): Decision => decide(caller, lender, object, question);
  if (cursor?.startsWith(LENT) !== true) {
    const { items, conditional, cursor: next } = pageOf(store, actor, question);
    const settled = judged({ items: [], conditional }, all);
    return { ...settled, items: [...items, ...settled.items], cursor: next ?? LENT };
  }
  const rest = cursor.slice(LENT.length);
  const page = pageOf(store, lender, { ...question, cursor: rest === '' ? undefined : rest });
  const isOwn = (object: string): boolean => one(caller, actor, object, question).outcome !== 'denied';
  const isNew = (object: string): boolean => {
    return reaches(caller, aboutRelation(object, question.relation)) && !isOwn(object);
  };
  const candidates = {
    items: page.items.filter(isNew),
    conditional: page.conditional.filter(({ item }) => isNew(item)),
  };
  const found = judged(candidates, all);
  return page.cursor === undefined ? found : { ...found, cursor: LENT + page.cursor };
}

function pageOf(store: Store, subject: string, question: ObjectsQuestion): ListPage {
  return actors.counts(store, subject, question.now) ? store.listObjects({ ...question, subject }) : emptyPage;
}

/** Of a page those objects of which the decision is not a denial. */
function judged(page: ListPage, decide: (object: string) => Decision): ListPage {
  const items: string[] = [];
  const conditional: { item: string; missing: readonly string[] }[] = [];
  for (const object of [...page.items, ...page.conditional.map(({ item }) => item)]) {
    const decision = decide(object);
    if (decision.outcome === 'allowed') items.push(object);
    if (decision.outcome === 'conditional') conditional.push({ item: object, missing: decision.missing });
  }
  return { ...page, items, conditional };
}

function decide(caller: Caller, subject: string, object: string, question: ObjectsQuestion): Decision {
  const { relation, now, context } = question;
  const answer = (of: string, asked: ObjectsQuestion) => ({
    decision: one(caller, of, object, asked),
    explain: () => ({ question: '', outcome: 'denied', rule: 'none' }) as const,
  });
  const { contextualTuples: _, ...stored } = question;
  return decideParties({
    caller,
    subject,
    about: aboutRelation(object, relation),
    now,
    context,
    ask: (of) => answer(of, question),
    askStored: (of) => answer(of, stored),
  }).decision;
}

function one(
  { organization: { store } }: Caller,
  subject: string,
  object: string,
  question: ObjectsQuestion,
): Decision {
  const { type: _, limit: __, cursor: ___, ...rest } = question;
  return ask(store, { ...rest, object, subject }, question.now);
}
