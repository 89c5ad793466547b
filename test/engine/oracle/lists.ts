import { knownObjects } from './edges.ts';
import type { Oracle, Verdict } from './oracle.ts';
import type { Formula, Program } from './program.ts';

/** What a list has to hold (`must`), and what it is free to hold (`may`). */
export interface Listing {
  readonly must: ReadonlyMap<string, Verdict>;
  readonly may: ReadonlyMap<string, Verdict>;
}

/** List objects is the filter of all objects by check; the subject's own object counts as known. */
export function listObjects(oracle: Oracle, type: string, relation: string, subject: string): Listing {
  const objects = knownObjects(oracle.world, type, subject);
  return listed(decisions(objects, (object) => oracle.decide(object, relation, subject)));
}

/**
 * List subjects is the filter of all subjects by check, but where `type:*` is listed it stands for those who are there
 * by nothing else. So a subject must be listed that answers otherwise than `type:*`, or that is named by a tuple which
 * leads to it without a `but not`; and it may be listed where a tuple behind a `but not` names it that counts. Usersets
 * are no one's `type:*`: all of them must be listed.
 */
export function listSubjects(
  oracle: Oracle,
  object: string,
  relation: string,
  subjectType: string,
  subjectRelation?: string,
): Listing {
  const check = (subject: string) => oracle.decide(object, relation, subject);
  if (subjectRelation !== undefined) {
    const usersets = knownObjects(oracle.world, subjectType, object).map((known) => `${known}#${subjectRelation}`);
    return listed(decisions(usersets, check));
  }
  const wildcard = `${subjectType}:*`;
  const known = [...knownObjects(oracle.world, subjectType, object), wildcard];
  const answers = decisions(known, check);
  const general = answers.get(wildcard)?.outcome;
  const named = namedSubjects(oracle.program, { object, relation, all: false });
  const near = namedSubjects(oracle.program, { object, relation, all: true });
  const must = new Map<string, Verdict>();
  const may = new Map<string, Verdict>();
  for (const [subject, verdict] of answers) {
    if (subject === wildcard || verdict.outcome !== general || named.has(subject)) must.set(subject, verdict);
    if (must.has(subject) || near.has(subject)) may.set(subject, verdict);
  }
  return { must: listed(must).must, may };
}

/** Where a cycle leaves it open whether context could help, the list may hold the item as conditional. */
function listed(may: ReadonlyMap<string, Verdict>): Listing {
  return { must: new Map([...may].filter(([, { outcome }]) => outcome !== 'cycle')), may };
}

interface From {
  readonly object: string;
  readonly relation: string;
  /** Through the right side of `but not` as well. */
  readonly all: boolean;
}

/** The objects and wildcards of all tuples that an object and relation lead to. */
function namedSubjects(program: Program, { object, relation, all }: From): ReadonlySet<string> {
  const named = new Set<string>();
  const seen = new Set<number>();
  const visitAtom = (number: number | undefined) => {
    const atom = number === undefined ? undefined : program.atoms[number];
    if (number === undefined || atom === undefined || seen.has(number)) return;
    seen.add(number);
    visit(atom.formula);
  };
  const visit = (formula: Formula): void => {
    if ('truth' in formula && formula.truth.kind === 'false') return;
    if (formula.kind === 'leaf') named.add(formula.subject);
    if (formula.kind === 'step' || formula.kind === 'atom') visitAtom(formula.atom);
    if (formula.kind === 'or' || formula.kind === 'and') formula.children.forEach(visit);
    if (formula.kind === 'all') {
      for (const { truth, atom } of formula.parents) if (truth.kind !== 'false') visitAtom(atom);
    }
    if (formula.kind !== 'minus') return;
    visit(formula.base);
    if (all) visitAtom(formula.subtract);
  };
  visitAtom(program.atom(object, relation));
  return named;
}

/** What a list could show, of all that was asked. */
function decisions(items: readonly string[], check: (item: string) => Verdict): Map<string, Verdict> {
  const answers = new Map<string, Verdict>();
  for (const item of items) {
    const verdict = check(item);
    if (verdict.outcome !== 'denied') answers.set(item, verdict);
  }
  return answers;
}
