import { Random } from '../../../../bench/data/random.ts';

const H = 'Host: x.example\r\n';

/** Requests that are right, and some that are nearly so. */
const bases: readonly string[] = [
  `GET /a HTTP/1.1\r\n${H}\r\n`,
  `GET /a/b%20c?d=e&f=%31 HTTP/1.1\r\n${H}X-A: one\r\nX-A: two\r\nCookie: a=b\r\nCookie: c=d\r\n\r\n`,
  `POST /a HTTP/1.1\r\n${H}Content-Length: 5\r\n\r\nhello`,
  `POST /a HTTP/1.1\r\n${H}Content-Type: application/json\r\nAuthorization: Bearer abc.def\r\nContent-Length: 11\r\n\r\n{"a":"b\\n"}`,
  `POST /a HTTP/1.1\r\n${H}Content-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\n${H}\r\n`,
  `GET /a HTTP/1.1\r\n${H}\r\nGET /b HTTP/1.1\r\n${H}\r\nPOST /c HTTP/1.1\r\n${H}Content-Length: 0\r\n\r\n`,
  `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`,
  `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n5;name=value\r\nhello\r\n0;last\r\nX-T: u\r\n\r\n`,
  `PUT /a HTTP/1.1\r\n${H}Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi`,
  `OPTIONS * HTTP/1.1\r\n${H}Access-Control-Request-Method: GET\r\n\r\n`,
  `HEAD /a HTTP/1.0\r\n${H}Connection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n${H}\r\n`,
  'OPTIONS /a HTTP/1.0\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n\r\n',
  `DELETE /a HTTP/1.1\r\n${H}Connection: close\r\n\r\nGET /b HTTP/1.1\r\n${H}\r\n`,
  `PATCH /a HTTP/1.1\r\n${H}X-Empty:\r\nX-Blank: \t \r\nX-Long: ${'v'.repeat(90)}\r\nContent-Length: 3\r\n\r\nabc`,
  `\r\nGET /a HTTP/1.1\r\n${H}Accept: */*\r\nUser-Agent: test/1.0 (a; b)\r\n\r\n`,
  `GET /a HTTP/1.1\r\n${H}Upgrade: h2c\r\nConnection: upgrade, HTTP2-Settings\r\n\r\nGET /b HTTP/1.1\r\n${H}\r\n`,
];

/** Lines that make a head doubtful. */
const lines: readonly string[] = [
  'Content-Length: 5',
  'Content-Length: 05',
  'Content-Length: 5, 5',
  'Content-Length: +5',
  'Content-Length : 5',
  'content-length:5',
  'Content-Length:\t5 ',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: chunked\t',
  'Transfer-Encoding:\tchunked ',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: chunked, identity',
  'Host: y.example',
  'Host: y/z',
  'Host:',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: x, Close',
  'Expect: 100-continue',
  'Expect: something',
  'Upgrade: websocket',
  ' folded: value',
  '\tfolded',
  ': no name',
  'no colon',
  'X-A: \x80\xff',
  'X-A: a\0b',
  'X-A: a\x7fb',
  'X-(A): b',
  'Set-Cookie: a=b',
  'Keep-Alive: timeout=5',
];

const chunkTexts: readonly string[] = [
  '5\r\nhello\r\n',
  '5 \r\nhello\r\n',
  '05\r\nhello\r\n',
  '0x5\r\nhello\r\n',
  'A\r\n0123456789\r\n',
  '5;a\r\nhello\r\n',
  '5;a="b"\r\nhello\r\n',
  '5\nhello\n',
  '0\r\n\r\n',
  '0\r\nX-T: u\r\n\r\n',
  'fffffffffffffffff\r\n',
];

const octets = '\r\n\t \0\x0b\x0c\x1f\x7f\x80\xa0\xff:;,=/?#*"\\()<>@[]{}|`~%&+-_.09afAFzZGPHT';

/** The names of fields that stand in these requests. */
export const fieldNames: readonly string[] = [
  ...new Set(
    [...bases.flatMap((base) => base.split('\r\n')), ...lines]
      .map((line) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):/.exec(line)?.[1]?.toLowerCase())
      .filter((name) => name !== undefined),
  ),
];

/** What is sent over one connection, in segments. */
export type Segments = readonly Buffer[];

/** Requests that were changed by chance; the same ones for the same seed. */
export class RequestMutator {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(): Segments {
    let text = this.#pick(bases);
    for (let changes = this.#below(5); changes > 0; changes--) text = this.#change(text);
    return this.#cut(Buffer.from(text, 'latin1'));
  }

  #change(text: string): string {
    const at = this.#below(text.length + 1);
    const length = this.#below(Math.min(24, text.length - at + 1));
    const octet = octets[this.#below(octets.length)] as string;
    switch (this.#below(13)) {
      case 0:
        return text.slice(0, at) + octet + text.slice(at + 1);
      case 1:
        return text.slice(0, at) + octet + text.slice(at);
      case 2:
        return text.slice(0, at) + text.slice(at + 1);
      case 3:
        return text.slice(0, at + length) + text.slice(at);
      case 4:
        return text.slice(0, at) + text.slice(at + length);
      case 5:
        return text.slice(0, at) + swapCase(text.slice(at, at + length)) + text.slice(at + length);
      case 6:
        return this.#insertLine(text, this.#pick(lines));
      case 7:
        return this.#insertLine(text, this.#pick(text.split('\r\n')));
      case 8:
        return this.#insertLine(text, this.#pick(chunkTexts).replace(/\r\n$/, ''));
      case 9:
        return text + this.#pick(bases);
      case 10:
        return this.#swapEnd(text);
      case 11:
        return text.replace(/\d+/g, (digits) => (this.#below(3) === 0 ? String(this.#below(30)) : digits));
      default:
        return this.#pick(bases).slice(0, this.#below(60)) + text.slice(at);
    }
  }

  #insertLine(text: string, line: string): string {
    const parts = text.split('\r\n');
    parts.splice(this.#below(parts.length), 0, line);
    return parts.join('\r\n');
  }

  /** One line end becomes another kind of it. */
  #swapEnd(text: string): string {
    const parts = text.split('\r\n');
    const at = this.#below(parts.length);
    return (
      parts.slice(0, at).join('\r\n') + this.#pick(['\n', '\r', '\r\r\n', '\n\r\n']) + parts.slice(at).join('\r\n')
    );
  }

  #cut(bytes: Buffer): Segments {
    const cuts = Array.from({ length: this.#below(3) }, () => this.#below(bytes.length + 1)).sort((a, b) => a - b);
    const all = [0, ...cuts, bytes.length];
    return cuts.length === 0
      ? [bytes]
      : all.slice(1).flatMap((to, place) => {
          const segment = bytes.subarray(all[place], to);
          return segment.length === 0 ? [] : [segment];
        });
  }

  #pick<T>(of: readonly T[]): T {
    return of[this.#below(of.length)] as T;
  }

  #below(bound: number): number {
    return this.#random.below(bound);
  }
}

function swapCase(text: string): string {
  return [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');
}
