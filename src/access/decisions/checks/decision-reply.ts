import { z } from 'zod';
import type { Decision, Explanation } from '#engine';
import { jsonText, type Reply } from '../../../http/index.ts';
import { unknownField } from './item-error.ts';

export const revision = z.string().describe('Consistency token');
export const missing = z.array(z.string()).optional().describe('Names of context that conditions lacked');

/** The answer to one check, as `POST /zanzibar/check` and `POST /authz/check` give it. */
export const decisionSchema = z.strictObject({
  allowed: z.boolean(),
  revision,
  missing,
  explanation: z.unknown().optional(),
});
/** Of a permission, which may be one that nobody has defined. */
export const permissionDecisionSchema = decisionSchema.extend(unknownField);
export type DecisionAnswer = z.output<typeof permissionDecisionSchema>;

/** Nearly all answers are one of two, until the next commit. A reply is not written to, so that it can be given again. */
let plain: { readonly token: string; readonly allowed: Reply<never>; readonly denied: Reply<never> } | undefined;

export function decisionReply(
  decision: Decision,
  token: string,
  explanation?: Explanation,
  unknown?: true,
): Reply<DecisionAnswer> {
  if (explanation === undefined && unknown === undefined && decision.outcome !== 'conditional') {
    if (plain?.token !== token) {
      plain = {
        token,
        allowed: jsonText(200, `{"allowed":true,"revision":"${token}"}`),
        denied: jsonText(200, `{"allowed":false,"revision":"${token}"}`),
      };
    }
    return decision.outcome === 'allowed' ? plain.allowed : plain.denied;
  }
  return jsonText(200, JSON.stringify({ ...outcomeFields(decision), unknown, revision: token, explanation }));
}

/** `outcomeFields` as JSON. */
export function outcomeText(decision: Decision): string {
  if (decision.outcome === 'conditional') return JSON.stringify(outcomeFields(decision));
  return decision.outcome === 'allowed' ? '{"allowed":true}' : '{"allowed":false}';
}

/** `missing` only where something is missing. */
export function outcomeFields(decision: Decision): { readonly allowed: boolean; readonly missing?: string[] } {
  if (decision.outcome === 'conditional') return { allowed: false, missing: [...decision.missing] };
  return { allowed: decision.outcome === 'allowed' };
}
