import { type Outcome, Problem, type WatchedVisit } from '../../http/index.ts';
import type { Use } from './use-record.ts';

const TEXT_MAX = 256;

/** What is written down of a request. Of its input nothing but what was asked of the engine. */
export function useOf(
  at: number,
  { endpoint: { method, path }, body }: Pick<WatchedVisit, 'endpoint' | 'body'>,
  outcome: Outcome,
): Use {
  const status = outcome instanceof Problem ? outcome.kind.status : outcome.status;
  return { at, method, path, status, ...(isQuestion(path) ? asked(body, outcome) : {}) };
}

function isQuestion(path: string): boolean {
  return /\/(?:authz|abac|zanzibar)\/check/.test(path);
}

type Asked = Pick<Use, 'permission' | 'object' | 'allowed' | 'questions'>;

interface Question {
  readonly permission?: unknown;
  readonly resource?: { readonly type?: unknown; readonly id?: unknown };
  readonly object?: unknown;
  readonly relation?: unknown;
  readonly checks?: unknown;
  readonly permissions?: unknown;
}

function asked(body: unknown, outcome: Outcome): Asked {
  const { permission, resource, object, relation, checks, permissions } = (body ?? {}) as Question;
  const many = checks ?? permissions;
  if (Array.isArray(many)) return { questions: many.length };
  const what = permission ?? relation;
  if (typeof what !== 'string') return {};
  const about = resource === undefined ? object : `${resource.type}:${resource.id}`;
  const allowed = answered(outcome);
  return {
    permission: what.slice(0, TEXT_MAX),
    ...(typeof about === 'string' ? { object: about.slice(0, TEXT_MAX) } : {}),
    ...(allowed === undefined ? {} : { allowed }),
  };
}

/** Answers to one question begin with it. */
function answered(outcome: Outcome): boolean | undefined {
  if (outcome instanceof Problem || typeof outcome.body !== 'string') return undefined;
  if (outcome.body.startsWith('{"allowed":true')) return true;
  return outcome.body.startsWith('{"allowed":false') ? false : undefined;
}
