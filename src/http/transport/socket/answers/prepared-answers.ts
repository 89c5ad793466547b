import type { Outgoing } from '../../transport.ts';
import { answerHead } from './answer-text.ts';

/** An answer as it is written, but for the id of its request, which stands between the two. */
export interface PreparedAnswer {
  readonly start: string;
  readonly end: string;
  readonly isAscii: boolean;
}

/** An answer that was given, and the date line that was current when it was prepared. */
interface Given {
  readonly outgoing: Outgoing;
  date: string;
  prepared: PreparedAnswer | undefined;
}

/**
 * The last two answers that were given again: checks have the same two until the next commit. Each is put together once a
 * second, and from then on three texts make an answer instead of eight.
 */
export class PreparedAnswers {
  #last: Given | undefined;
  #other: Given | undefined;

  /** Undefined where an answer is given for the first time, or has something of its own beside its id. */
  of(outgoing: Outgoing, date: string): PreparedAnswer | undefined {
    let given = this.#last;
    if (given?.outgoing !== outgoing) {
      given = this.#other;
      this.#other = this.#last;
      if (given?.outgoing !== outgoing) {
        this.#last = { outgoing, date: '', prepared: undefined };
        return undefined;
      }
      this.#last = given;
    }
    if (given.date !== date) {
      given.prepared = prepare(outgoing, date);
      given.date = date;
    }
    return given.prepared;
  }
}

function prepare(outgoing: Outgoing, date: string): PreparedAnswer | undefined {
  const { body, more } = outgoing;
  if (typeof body !== 'string' || more !== undefined) return undefined;
  const length = Buffer.byteLength(body);
  const lines = answerHead(outgoing, '', date);
  return {
    start: whole(lines.slice(0, -LINE_END.length)),
    end: whole(`${LINE_END}content-length: ${length}${LINE_END}${LINE_END}${body}`),
    isAscii: length === body.length,
  };
}

const LINE_END = '\r\n';

/** The same text in one piece of memory. What was added up is kept in its pieces until somebody reads it. */
function whole(text: string): string {
  return Buffer.from(text).toString();
}
