import type { DirectSubject } from './model.ts';

/** `user`, `group#member`, `user:*`, `user with condition`: as the language writes it. */
export function subjectText({ type, relation, wildcard, condition }: DirectSubject): string {
  const subject = wildcard ? `${type}:*` : relation === undefined ? type : `${type}#${relation}`;
  return condition === undefined ? subject : `${subject} with ${condition}`;
}
