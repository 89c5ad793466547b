import { EngineError, type Store, type Tuple } from '#engine';
import { type FieldError, ProblemError, problem } from '../../http/index.ts';
import { refused } from '../../kernel/transactions/index.ts';
import { type PolicyRecord, policyActors, policyObject } from '../records/index.ts';

/** As `config/system.fga` declares it. */
const conditionName = 'policy_condition';

/** To whom a policy can apply, whether or not it does. */
export function possibleApplications(id: string): Tuple[] {
  return policyActors.map((actor) => ({ object: policyObject(id), relation: 'applies', subject: `${actor}:*` }));
}

/** To whom it applies: nobody while it is disabled. */
export function applications(
  id: string,
  { appliesTo, condition, enabled }: Pick<PolicyRecord, 'appliesTo' | 'condition' | 'enabled'>,
): Tuple[] {
  if (!enabled) return [];
  return appliesTo.map((actor) => ({
    object: policyObject(id),
    relation: 'applies',
    subject: `${actor}:*`,
    condition: { name: conditionName, context: { expression: condition } },
  }));
}

/**
 * An expression must compile before it is kept. To be called inside a snapshot.
 * @throws ProblemError 400 with line and column; 422 where the organization's model has no policies
 */
export function requireCondition(store: Store, condition: string): void {
  const [tuple] = applications('new', { appliesTo: ['user'], condition, enabled: true });
  if (tuple === undefined) return;
  try {
    store.gate().require(tuple);
  } catch (error) {
    throw conditionProblem(error);
  }
}

/** How a model answers that has not got the system's condition, or another of this name. */
const misfits: ReadonlySet<string> = new Set(['unknown_condition', 'invalid_tuple', 'invalid_context']);

/** What is wrong with an expression, at its position in the text. */
export function conditionProblem(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { issues, reason } = error.details as { issues?: unknown; reason?: unknown };
  if (!Array.isArray(issues)) {
    if (!misfits.has(error.code)) return error;
    return refused("The organization's model does not fit the system's: write it again, and policies can be used.");
  }
  const errors = (issues as { line: number; column: number; message: string }[]).map(
    ({ line, column, message }): FieldError => ({
      path: 'condition',
      message: `${line}:${column} ${typeof reason === 'string' ? reason : message}`,
    }),
  );
  return new ProblemError(problem('invalid_request', undefined, { errors }));
}
