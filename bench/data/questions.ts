import type { CheckRequest } from '#engine';
import type { Questions } from './data-set.ts';
import type { Random } from './random.ts';

/** One question before it is known to be new. `key` is a number that no other question of the set has. */
export interface Draw {
  readonly key: number;
  readonly object: string;
  readonly relation: string;
  readonly subject: string;
}

/** Draws a question with the named answer; undefined where the draw came to nothing and should be repeated. */
export interface Draws {
  allowed(): Draw | undefined;
  denied(): Draw | undefined;
}

const DRAWS_MAX = 10_000;

/** Throws where the data set has too few distinct questions. */
export function collectQuestions(random: Random, count: number, draws: Draws): Questions {
  const seen = new Set<number>();
  const requests: CheckRequest[] = [];
  const expected = new Uint8Array(count);
  let allowedLeft = count >> 1;
  for (let place = 0; place < count; place++) {
    const isAllowed = random.below(count - place) < allowedLeft;
    const draw = drawNew(seen, isAllowed ? () => draws.allowed() : () => draws.denied());
    if (isAllowed) allowedLeft--;
    expected[place] = isAllowed ? 1 : 0;
    requests.push({ object: flat(draw.object), relation: draw.relation, subject: flat(draw.subject) });
  }
  return { requests, expected };
}

function drawNew(seen: Set<number>, draw: () => Draw | undefined): Draw {
  for (let i = 0; i < DRAWS_MAX; i++) {
    const drawn = draw();
    if (drawn === undefined || seen.has(drawn.key)) continue;
    seen.add(drawn.key);
    return drawn;
  }
  throw new Error('the data set has too few distinct questions');
}

/** V8 keeps a concatenation as a tree until somebody reads it; what comes out of a parser is one piece, as here. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** The part of the questions in which no object and no subject comes twice: asking them finds nothing that was cached. */
export function withoutRepetition(questions: Questions, count: number): Questions {
  const seen = new Set<string>();
  const requests: CheckRequest[] = [];
  const expected: number[] = [];
  questions.requests.forEach((request, place) => {
    if (requests.length === count || seen.has(request.object) || seen.has(request.subject)) return;
    seen.add(request.object).add(request.subject);
    requests.push(request);
    expected.push(questions.expected[place] as number);
  });
  return { requests, expected: Uint8Array.from(expected) };
}

export function firstOf(questions: Questions, count: number): Questions {
  return { requests: questions.requests.slice(0, count), expected: questions.expected.slice(0, count) };
}

export function withoutFirst(questions: Questions, count: number): Questions {
  return { requests: questions.requests.slice(count), expected: questions.expected.slice(count) };
}
