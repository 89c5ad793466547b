import { MODEL_LIMITS } from '../limits.ts';

const SHAPE = /^[^\s:#@*]+$/u;
/** Words that tuples, rewrites or JavaScript objects give a meaning of their own. */
const RESERVED = new Set(['self', 'this', ...Object.getOwnPropertyNames(Object.prototype)]);

export type NameKind = 'type' | 'relation' | 'condition';

const LENGTHS: Readonly<Record<NameKind, number>> = {
  type: MODEL_LIMITS.typeNameLength,
  relation: MODEL_LIMITS.relationNameLength,
  condition: MODEL_LIMITS.conditionNameLength,
};

/** What is wrong with a name, or nothing. */
export function nameFault(kind: NameKind, name: string): string | undefined {
  if (RESERVED.has(name)) return `\`${name}\` is reserved and cannot name a ${kind}`;
  if (name.length > LENGTHS[kind]) return `the name of a ${kind} is limited to ${LENGTHS[kind]} characters`;
  if (!SHAPE.test(name)) return `\`${name}\` cannot name a ${kind}: no white space and none of : # @ *`;
  return undefined;
}
