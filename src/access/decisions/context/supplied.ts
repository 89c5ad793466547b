import { type Context, EngineError, parseObject, parseSubject, type Tuple } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { SystemModel } from '../../../kernel/rights/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';
import { isoTime, type Limits } from '../../../platform/index.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import { readTuple, type TupleForm } from './tuple-form.ts';

type ContextLimit = Pick<Limits, 'contextBytes'>;

/** What a question may bring along beside itself. */
export interface Supplied {
  readonly subject?: string | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly contextualTuples?: readonly TupleForm[] | undefined;
}

/**
 * The subject of a question. Callers ask about themselves; asking about others, and supplying context or contextual
 * tuples, needs `authz:check`. To be called inside the snapshot that answers.
 * @throws ProblemError 403; EngineError `invalid_argument` where nobody is asked about
 */
export function askedSubject(caller: Caller, supplied: Supplied): string {
  const { subject, context, contextualTuples } = supplied;
  const isBare = context === undefined && contextualTuples === undefined;
  // the right first: to compare with the caller's subject is to look at one more text, mostly for nothing
  const isAllowed =
    (isBare && subject === undefined) || caller.may('authz:check') || (isBare && subject === caller.subject);
  if (!isAllowed) {
    throw forbidden('Asking about others, and supplying context or contextual tuples, needs authz:check.');
  }
  const asked = subject ?? caller.subject;
  if (asked === undefined) {
    throw new EngineError('invalid_argument', 'the super administrator is nobody: name a subject', { path: 'subject' });
  }
  return asked;
}

/**
 * The same where the question is about somebody: an API key stands for no person, and what it may do itself is hardly
 * ever meant.
 * @throws ProblemError 403; EngineError `invalid_argument`
 */
export function checkedSubject(caller: Caller, supplied: Supplied): string {
  const subject = askedSubject(caller, supplied);
  if (supplied.subject === undefined && subject.startsWith(keyPrefix)) {
    const message = `name whom you ask about, such as user:ID: an API key is no user (${subject} is the key itself)`;
    throw new EngineError('invalid_argument', message, { path: 'subject' });
  }
  return subject;
}

const keyPrefix = 'api_key:';

/**
 * The context of a question, with the parameter `now` of the server's clock in it, whatever the caller sent.
 * @throws EngineError `too_large`
 */
export function questionContext(
  supplied: Readonly<Record<string, unknown>> | undefined,
  now: number,
  limits: ContextLimit,
): Context {
  const time = timeContext(now);
  if (supplied === undefined) return time;
  requireSmall(supplied, limits, 'context');
  return { ...supplied, ...time };
}

/** @throws EngineError `too_large` */
export function requireSmall(supplied: unknown, limits: ContextLimit, path: string): void {
  if (Buffer.byteLength(JSON.stringify(supplied)) > limits.contextBytes) {
    throw new EngineError('too_large', `${path} is limited to ${limits.contextBytes} bytes of JSON`, { path });
  }
}

/** Questions of one millisecond share it: making the text costs more than a decision does. */
let shared: { readonly at: number; readonly context: Context } = { at: Number.NaN, context: {} };

function timeContext(now: number): Context {
  if (shared.at !== now) shared = { at: now, context: { now: isoTime(now) } };
  return shared.context;
}

/** @throws EngineError `invalid_contextual_tuple`, `too_large` */
export function questionTuples(
  forms: readonly TupleForm[] | undefined,
  { limits, systemModel }: Pick<DecisionDependencies, 'limits' | 'systemModel'>,
): Tuple[] | undefined {
  if (forms === undefined || forms.length === 0) return undefined;
  if (forms.length > limits.contextualTuples) {
    throw new EngineError('too_large', `at most ${limits.contextualTuples} contextual tuples`, {
      path: 'contextualTuples',
    });
  }
  return forms.map((form, index) => {
    const path = `contextualTuples[${index}]`;
    const tuple = readContextual(systemModel, form, path);
    if (tuple.condition?.context !== undefined)
      requireSmall(tuple.condition.context, limits, `${path}.condition.context`);
    return tuple;
  });
}

function readContextual(systemModel: SystemModel, form: TupleForm, path: string): Tuple {
  try {
    const tuple = readTuple(form, path);
    if (!namesSystemType(systemModel, tuple)) return tuple;
    throw new EngineError('invalid_contextual_tuple', 'a contextual tuple cannot name a system type');
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const field = error.details.path === path || error.details.path === undefined ? '' : `.${error.details.path}`;
    throw new EngineError('invalid_contextual_tuple', error.message, { path: `${path}${field}` });
  }
}

/** Rights come from stored tuples alone. People and programs are named as subjects, and that gives them no right. */
function namesSystemType({ model: { types } }: SystemModel, tuple: Tuple): boolean {
  if (types.has(parseObject(tuple.object).type)) return true;
  const { type } = parseSubject(tuple.subject);
  return types.has(type) && !actors.isType(type);
}
