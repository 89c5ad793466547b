import { z } from 'zod';
import { EngineError, type Store } from '#engine';
import { invalid } from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { actors, getUser, userSubject } from '../records/index.ts';
import { applications, conditionProblem, requireCondition } from './policy-tuples.ts';

/** Whether a condition would hold. Where attributes are absent on which it depends, it does not, and says so. */
export const trialSchema = z.strictObject({
  applies: z.boolean(),
  missing: z.array(z.string()).describe('Attributes that decide and were not there'),
  error: z.string().nullable().describe('Why the condition could not be evaluated'),
});

export type Trial = z.output<typeof trialSchema>;

export interface TrialAttributes {
  readonly userId?: string | undefined;
  readonly subject?: Readonly<Record<string, unknown>> | undefined;
  readonly resource?: Readonly<Record<string, unknown>> | undefined;
  readonly environment?: Readonly<Record<string, unknown>> | undefined;
}

/** Nobody has this id: the trial is of attributes alone. */
const nobody = 'user:!trial';
const trialPolicy = '!trial';

/**
 * Evaluates a condition as the engine would, on an object that only this question knows. What is on record of a user
 * wins over what is supplied, as it does in decisions. To be called inside a snapshot.
 * @throws ProblemError 400
 */
export function tryCondition(store: Store, condition: string, attributes: TrialAttributes, now: number): Trial {
  requireCondition(store, condition);
  const [tuple] = applications(trialPolicy, { appliesTo: ['user'], condition, enabled: true });
  const context = { ...contextOf(store, attributes), now: isoTime(now) };
  try {
    const decision = store.check({
      object: `policy:${trialPolicy}`,
      relation: 'applies',
      subject: nobody,
      context,
      now,
      contextualTuples: tuple === undefined ? [] : [tuple],
    });
    const missing = decision.outcome === 'conditional' ? [...decision.missing] : [];
    return { applies: decision.outcome === 'allowed', missing, error: null };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'invalid_contextual_tuple') throw conditionProblem(error);
    return { applies: false, missing: [], error: error.message };
  }
}

function contextOf(store: Store, { userId, subject, resource, environment }: TrialAttributes) {
  const known = userId === undefined ? undefined : recordOf(store, userId);
  return {
    subject: { ...subject, ...known },
    resource: { ...resource },
    environment: { ...environment },
  };
}

function recordOf(store: Store, userId: string): Readonly<Record<string, unknown>> {
  if (getUser(store, userId) === undefined) throw invalid('userId', `there is no user ${userId}`);
  return actors.attributes(store, userSubject(userId));
}
