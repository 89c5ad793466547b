import { randomNumbers } from '../../engine/shuffle.ts';
import type { Fact } from '../history/history.ts';
import type { Draw } from './faults.ts';

/** Documents that people see, by themselves or through a team; counters with a step; and marks, one for each write. */
export const shareModel = [
  'type user',
  'type step',
  'type team',
  '  relations',
  '    define member: [user]',
  'type document',
  '  relations',
  '    define viewer: [user, team#member]',
  'type counter',
  '  relations',
  '    define at: [step]',
  'type mark',
  '  relations',
  '    define by: [user]',
];

export const viewer = (document: number, subject: string): Fact => `document:d${document}#viewer@${subject}`;
export const member = (team: number, user: number): Fact => `team:t${team}#member@user:u${user}`;
export const teamMembers = (team: number): string => `team:t${team}#member`;
export const counterAt = (counter: number, step: number): Fact => `counter:c${counter}#at@step:s${step}`;

/** What the model says, for a question about one of `viewer` or any other tuple. */
export function holds(facts: ReadonlySet<Fact>, asked: Fact): boolean {
  if (facts.has(asked)) return true;
  const [, object, user] = /^(document:\w+)#viewer@(user:\w+)$/.exec(asked) ?? [];
  if (object === undefined) return false;
  return [...facts].some((fact) => {
    const [, shared, team] = /^(document:\w+)#viewer@(team:\w+)#member$/.exec(fact) ?? [];
    return shared === object && facts.has(`${team}#member@${user}`);
  });
}

/** Draws that a seed decides. */
export function drawOf(seed: number): Draw {
  const numbers = randomNumbers(seed);
  const below = (bound: number): number => numbers() % bound;
  return {
    below,
    some(items, count) {
      const left = [...items];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)).flat();
    },
  };
}
