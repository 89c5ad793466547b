import type { Context, Decision, Explanation } from '#engine';
import { type Agency, type Caller, lentSubject } from '../../../kernel/organizations/index.ts';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { ask, explainAny } from '../checks/ask.ts';
import {
  ALLOWED,
  type Answer,
  allOf,
  bothOf,
  DENIED,
  explainAll,
  oneOf,
  type Party,
  type PartyExplanation,
} from './parties.ts';
import { type About, reaches } from './reach.ts';

/** A question of a caller, and how it is put to one subject of the engine. */
interface Question {
  readonly caller: Caller;
  /** Who is asked about. */
  readonly subject: string;
  readonly about: About;
  readonly now: number;
  readonly context: Context;
  /** The answer for one subject. */
  readonly ask: (subject: string) => Answer;
  /** The same by stored tuples alone, where the question brings tuples along: nothing is lent by those. */
  readonly askStored?: (subject: string) => Answer;
}

/**
 * The answer to a question. Where a caller asks about itself and somebody acts for it (RFC 8693, 1.1), all whose rights
 * count must allow it, in one snapshot: the subject and the one who acts; by a delegation also its ceiling. With what was
 * lent, it is allowed where the agent has it itself, or where it was lent, within the ceiling, by one who has it now.
 * Those before in a chain of actors do not count (RFC 8693, 4.1).
 */
export function decideParties(question: Question): Answer {
  const { caller, subject, ask } = question;
  const { actor, agency } = caller;
  if (actor === undefined || subject !== caller.subject) return ask(subject);
  if (agency === undefined) return ofBoth(question, actor);
  const lent = lentSubject(agency);
  return lent === undefined ? delegated(question, actor, agency) : elevated(question, { actor, agency, lent });
}

function ofBoth({ subject, ask }: Question, actor: string): Answer {
  const decision = allOf([() => ask(subject).decision, () => ask(actor).decision]);
  const explain = () => explainAll('intersection', [ask(subject).explain(), ask(actor).explain()], decision);
  return { decision, explain };
}

/** The user, the agent and the ceiling. */
function delegated(question: Question, actor: string, agency: Agency): Answer {
  const { subject, ask } = question;
  const ceiling = ceilingOf(question, agency);
  const decision = allOf([() => ceiling.decision, () => ask(subject).decision, () => ask(actor).decision]);
  const explain = (): Explanation => {
    const parts = [
      named('user', ask(subject).explain()),
      named('agent', ask(actor).explain()),
      named('ceiling', ceiling.explain()),
    ];
    return explainAll('intersection', parts, decision);
  };
  return { decision, explain };
}

interface Elevation {
  readonly actor: string;
  readonly agency: Agency;
  /** As the engine knows what was lent. */
  readonly lent: string;
}

/** What was lent is looked at first: such a token is used for that. */
function elevated(question: Question, { actor, agency, lent }: Elevation): Answer {
  const { subject, ask, askStored = ask } = question;
  const ceiling = ceilingOf(question, agency);
  const borrowed = (): Decision =>
    allOf([() => ceiling.decision, () => grantOf(question, lent).decision, () => askStored(subject).decision]);
  const decision = oneOf(borrowed, () => ask(actor).decision);
  const explainLoan = (): Explanation => {
    const [grant, lender] = [grantOf(question, lent), askStored(subject)];
    const parts = [
      named('ceiling', ceiling.explain()),
      named('grant', grant.explain()),
      named('lender', lender.explain()),
    ];
    return explainAll('intersection', parts, [ceiling, grant, lender].map((each) => each.decision).reduce(bothOf));
  };
  return {
    decision,
    explain: () => explainAll('union', [named('agent', ask(actor).explain()), explainLoan()], decision),
  };
}

/** Whether the scopes and the objects of an agency cover the question. */
function ceilingOf({ caller, about }: Question, { kind, id }: Agency): Answer {
  const decision = reaches(caller, about) ? ALLOWED : DENIED;
  const what = about.object === undefined ? about.permission : `${about.permission ?? 'nothing'} on ${about.object}`;
  const question = `${kind}:${id} reaches ${what ?? 'it'}`;
  return { decision, explain: () => ({ question, outcome: decision.outcome, rule: 'none' }) };
}

/** The tuple that was written for the elevation: where it has ended, there is none. */
function grantOf({ caller, about, now, context }: Question, lent: string): Answer {
  const { store } = caller.organization;
  const { permission } = about;
  if (permission === undefined) {
    return { decision: DENIED, explain: () => ({ question: `nothing of ${lent}`, outcome: 'denied', rule: 'none' }) };
  }
  const request = { object: permissionObject(permission), relation: 'granted', subject: lent, now, context };
  const decision = ask(store, request, now);
  return { decision, explain: () => explainAny(store, [request], decision, now) };
}

function named(party: Party, explanation: Explanation): PartyExplanation {
  return { ...explanation, party };
}
