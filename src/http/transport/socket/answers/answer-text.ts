import { statusLine } from '../../status-lines.ts';
import type { Outgoing } from '../../transport.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const OTHER: string[] = [];

function firstLine(status: number): string {
  if (status === 200) return OK;
  OTHER[status] ??= `HTTP/1.1 ${statusLine(status)}\r\n`;
  return OTHER[status];
}

/**
 * The head of an answer, without the fields that tell how its body and its connection end, and without the empty line.
 * Values in `more` were checked when they were made (`headerPairs`).
 * @param date the whole line: a server with a clock says when it answers (RFC 9110, 6.6.1)
 */
export function answerHead({ status, head, more }: Outgoing, id: string, date: string): string {
  const text = `${firstLine(status)}${date}${head.text}${id}\r\n`;
  if (more === undefined) return text;
  let all = text;
  for (let i = 0; i < more.length; i += 2) all += `${more[i]}: ${more[i + 1]}\r\n`;
  return all;
}

/** `date: Mon, 23 Nov 2026 21:30:00 GMT`, made once a second. */
export class DateLine {
  text = '';
  #second = 0;

  constructor() {
    this.turn();
  }

  turn(): void {
    const second = Math.floor(Date.now() / 1000);
    if (second === this.#second) return;
    this.#second = second;
    this.text = `date: ${new Date(second * 1000).toUTCString()}\r\n`;
  }
}
