import type { Store } from '#engine';
import { getUser } from '../../../directory/records/index.ts';
import { type Factor, factorRecords } from '../../../directory/users/index.ts';
import type { Method } from './methods.ts';

/** A factor as its user sees it: no secret. Times are milliseconds since the epoch. */
export interface FactorView {
  readonly id: string;
  readonly type: Method;
  readonly name: string;
  /** Where codes go to, half hidden. */
  readonly to?: string | undefined;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** To be called inside `Engine.read`. */
export function listFactors(store: Store, userId: string): FactorView[] {
  const factors = factorRecords.get(store, userId)?.document.factors ?? [];
  return factors.map((factor) => viewOf(store, userId, factor));
}

export function viewOf(store: Store, userId: string, factor: Factor): FactorView {
  const { id, type, name, createdAt, lastUsedAt } = factor;
  const to = receiverOf(store, userId, factor);
  return { id, type, name, createdAt, lastUsedAt, ...(to === undefined ? {} : { to: hidden(to) }) };
}

/** Where codes of a factor go to. */
export function receiverOf(store: Store, userId: string, factor: Pick<Factor, 'type'> | Factor): string | undefined {
  if (factor.type === 'sms' && 'number' in factor) return factor.number;
  return factor.type === 'email' ? getUser(store, userId)?.document.email : undefined;
}

/** Enough to know it again, and too little to learn it. */
export function hidden(receiver: string): string {
  const at = receiver.lastIndexOf('@');
  if (at > 0) return `${[...receiver][0] ?? ''}•••${receiver.slice(at)}`;
  return `•••${receiver.slice(-3)}`;
}
