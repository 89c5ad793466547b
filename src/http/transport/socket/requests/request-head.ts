import { METHODS } from 'node:http';
import { chunked } from '../../framing.ts';
import { FIELDS_MAX, HeadOctets } from './head-octets.ts';
import { OctetRuns } from './octet-runs.ts';
import {
  ASTERISK,
  COLON,
  CR,
  classesOf,
  DIGIT_0,
  DIGIT_9,
  HOST,
  isText,
  LF,
  QUERY,
  QUESTION,
  SLASH,
  SPACE,
  TAB,
} from './octets.ts';

/** More octets are needed to know. */
export const INCOMPLETE = 0;

/** What is refused, as a negative status. */
const BAD = -400;
const TOO_LONG = -431;
const EXPECTATION = -417;
const VERSION = -505;

const METHOD_MAX = 24;
/** More digits than any allowed body has, and still an exact number. */
const LENGTH_DIGITS_MAX = 15;
const VERSION_TEXT = 'HTTP/1.';

/** In the head that is being parsed: that happens in one go. */
const runs = new OctetRuns();

/** CONNECT makes a tunnel, and its target has a form of its own. */
const methods: ReadonlyMap<string, string> = new Map(
  METHODS.filter((method) => method !== 'CONNECT').map((method) => [method, method]),
);

/**
 * The head of a request (RFC 9112, 2 to 7), read from the octets as they came. Strict: what two readers could take
 * differently is refused. Only what every request needs becomes text; a field is decoded when it is asked for.
 *
 * Refused beyond what the RFC demands: a length twice even if both agree, a coding other than `chunked`, a target that
 * is neither a path nor `*` (the absolute form is for proxies), and a fragment.
 */
export class RequestHead extends HeadOctets {
  method = '';
  /** Bytes of the body, or `chunked`. */
  bodyLength = 0;
  /** HTTP/1.0. */
  isOld = false;
  /** Whether this is the last request of its connection. */
  isLast = false;
  /** Whether the client waits for `100 Continue`. */
  expectsContinue = false;
  /** Where the digits of the length stand. */
  protected digitsFrom = 0;
  protected digitsTo = 0;
  /** Where the value of `Authorization` stands; the same two offsets where it is not the only credential. */
  credentialFrom = 0;
  credentialTo = 0;

  #hosts = 0;
  #lengths = 0;
  #codings = 0;
  #credentials = 0;
  /** What `Connection` asks for. */
  #closes = false;
  #isKept = false;

  /** @returns where the head ends, `INCOMPLETE`, or a status that refuses it, negative */
  parse(octets: Buffer, from: number, until: number): number {
    this.octets = octets;
    runs.in(octets);
    this.from = from;
    this.bodyLength = this.fields = this.#hosts = this.#lengths = this.#codings = 0;
    this.digitsFrom = this.digitsTo = from;
    this.credentialFrom = this.credentialTo = this.#credentials = 0;
    this.expectsContinue = this.#closes = this.#isKept = false;
    let at = octets[from] === CR ? this.#skipEmptyLine(from, until) : this.#readMethod(from, until);
    if (at > 0) at = this.#readTarget(at, until);
    if (at > 0) at = this.#readVersion(at, until);
    while (at > 0) {
      if (at === until) return INCOMPLETE;
      if (octets[at] === CR) return this.#endHead(at, until);
      at = this.#readField(at, until);
    }
    return at;
  }

  /** One empty line before a request is passed over, as old clients send one after a body (RFC 9112, 2.2). */
  #skipEmptyLine(from: number, until: number): number {
    if (from + 1 === until) return INCOMPLETE;
    return this.octets[from + 1] === LF ? this.#readMethod(from + 2, until) : BAD;
  }

  #readMethod(from: number, until: number): number {
    const octets = this.octets;
    const at = runs.endOfToken(from, until);
    if (at - from > METHOD_MAX) return BAD;
    if (at === until) return INCOMPLETE;
    if (octets[at] !== SPACE) return BAD;
    const method = this.#methodOf(from, at);
    if (method === undefined) return BAD;
    this.method = method;
    return at + 1;
  }

  #methodOf(from: number, to: number): string | undefined {
    const octets = this.octets;
    // P, O and the rest; G, E and the rest: nearly all requests
    if (to - from === 4 && octets[from] === 0x50 && octets[from + 1] === 0x4f) {
      if (octets[from + 2] === 0x53 && octets[from + 3] === 0x54) return 'POST';
    }
    if (to - from === 3 && octets[from] === 0x47 && octets[from + 1] === 0x45 && octets[from + 2] === 0x54)
      return 'GET';
    return methods.get(this.text(from, to));
  }

  #readTarget(from: number, until: number): number {
    const octets = this.octets;
    let at = from;
    if (at === until) return INCOMPLETE;
    if (octets[at] === ASTERISK && this.method === 'OPTIONS') at++;
    else if (octets[at] !== SLASH) return BAD;
    else at = runs.endOfPath(at, until);
    this.pathTo = at;
    if (octets[from] === SLASH && at < until && octets[at] === QUESTION) {
      while (at < until && ((classesOf[octets[at] as number] as number) & QUERY) !== 0) at++;
    }
    if (at === until) return INCOMPLETE;
    if (octets[at] !== SPACE) return BAD;
    this.targetFrom = from;
    this.targetTo = at;
    return at + 1;
  }

  #readVersion(from: number, until: number): number {
    const octets = this.octets;
    if (until - from < 10) return INCOMPLETE;
    for (let i = 0; i < VERSION_TEXT.length; i++) {
      if (octets[from + i] !== VERSION_TEXT.charCodeAt(i)) return i === 5 ? VERSION : BAD;
    }
    const minor = octets[from + 7] as number;
    if (octets[from + 8] !== CR || octets[from + 9] !== LF) return BAD;
    if (minor !== DIGIT_0 && minor !== DIGIT_0 + 1) return VERSION;
    this.isOld = minor === DIGIT_0;
    return from + 10;
  }

  #readField(from: number, until: number): number {
    const octets = this.octets;
    let at = runs.endOfToken(from, until);
    if (at === until) return INCOMPLETE;
    if (octets[at] !== COLON || at === from) return BAD;
    const nameTo = at++;
    while (at < until && (octets[at] === SPACE || octets[at] === TAB)) at++;
    const valueFrom = at;
    at = runs.endOfValue(at, until);
    if (at === until) return INCOMPLETE;
    if (octets[at] !== CR) return BAD;
    if (at + 1 === until) return INCOMPLETE;
    if (octets[at + 1] !== LF) return BAD;
    let valueTo = at;
    while (valueTo > valueFrom && (octets[valueTo - 1] === SPACE || octets[valueTo - 1] === TAB)) valueTo--;
    if (this.fields === FIELDS_MAX) return TOO_LONG;
    const index = this.fields++ * 4;
    this.offsets[index] = from;
    this.offsets[index + 1] = nameTo;
    this.offsets[index + 2] = valueFrom;
    this.offsets[index + 3] = valueTo;
    const refused = this.#notice(from, nameTo, valueFrom, valueTo, at);
    return refused === 0 ? at + 2 : refused;
  }

  /**
   * Reads the fields that say how the request is read. By length first: few fields have one of these names. Those that
   * say where it ends may have no blank behind their values, as not every reader takes a tab away there.
   */
  #notice(from: number, to: number, valueFrom: number, valueTo: number, lineTo: number): number {
    const octets = this.octets;
    switch (to - from) {
      case 4:
        return isText(octets, from, 'host') ? this.#noticeHost(valueFrom, valueTo) : 0;
      case 6:
        return isText(octets, from, 'expect') ? this.#noticeExpectation(valueFrom, valueTo) : 0;
      case 9:
        if (isText(octets, from, 'x-api-key')) this.#noticeCredential(0, 0);
        return 0;
      case 10:
        // plain, as clients send it: readers differ in what blanks and further options make of it
        if (isText(octets, from, 'connection')) this.#noticeConnection(valueFrom, lineTo, valueFrom - to < 3);
        return 0;
      case 13:
        if (isText(octets, from, 'authorization')) this.#noticeCredential(valueFrom, valueTo);
        return 0;
      case 14:
        return isText(octets, from, 'content-length') ? this.#noticeLength(valueFrom, lineTo) : 0;
      case 17:
        return isText(octets, from, 'transfer-encoding') ? this.#noticeCoding(valueFrom, lineTo) : 0;
      default:
        return 0;
    }
  }

  #noticeHost(from: number, to: number): number {
    const octets = this.octets;
    for (let at = from; at < to; at++) {
      if (((classesOf[octets[at] as number] as number) & HOST) === 0) return BAD;
    }
    return this.#hosts++ === 0 ? 0 : BAD;
  }

  #noticeExpectation(from: number, to: number): number {
    if (this.isOld) return 0;
    if (to - from !== 12 || !isText(this.octets, from, '100-continue')) return EXPECTATION;
    this.expectsContinue = true;
    return 0;
  }

  #noticeConnection(from: number, to: number, isPlain: boolean): void {
    // what nearly all clients send, if anything
    if (to - from === 10 && isText(this.octets, from, 'keep-alive')) {
      this.#isKept = isPlain;
      return;
    }
    for (const option of this.text(from, to).toLowerCase().split(',')) {
      const trimmed = option.trim();
      // another protocol is not spoken here, and some readers take what follows for one
      if (trimmed === 'close' || trimmed === 'upgrade') this.#closes = true;
    }
  }

  #noticeLength(from: number, to: number): number {
    if (this.#lengths++ > 0 || from === to || to - from > LENGTH_DIGITS_MAX) return BAD;
    let length = 0;
    for (let at = from; at < to; at++) {
      const octet = this.octets[at] as number;
      if (octet < DIGIT_0 || octet > DIGIT_9) return BAD;
      length = length * 10 + (octet - DIGIT_0);
    }
    this.bodyLength = length;
    this.digitsFrom = from;
    this.digitsTo = to;
    return 0;
  }

  #noticeCredential(from: number, to: number): void {
    const isOnly = this.#credentials++ === 0;
    this.credentialFrom = isOnly ? from : 0;
    this.credentialTo = isOnly ? to : 0;
  }

  /** Chunks are not of HTTP/1.0: a proxy of it would not know them (RFC 9112, 6.1). */
  #noticeCoding(from: number, to: number): number {
    if (this.#codings++ > 0 || this.isOld) return BAD;
    return to - from === 7 && isText(this.octets, from, 'chunked') ? 0 : BAD;
  }

  override keep(): void {
    super.keep();
    this.credentialFrom = this.credentialTo = 0;
  }

  override clear(): void {
    super.clear();
    this.credentialFrom = this.credentialTo = 0;
  }

  #endHead(at: number, until: number): number {
    if (at + 1 === until) return INCOMPLETE;
    if (this.octets[at + 1] !== LF) return BAD;
    // checks of proxies have none: HTTP/1.0 does not ask for it (RFC 9112, 3.2)
    if (this.#hosts === 0 && !this.isOld) return BAD;
    if (this.#lengths + this.#codings > 1) return BAD;
    if (this.#codings === 1) this.bodyLength = chunked;
    // HTTP/1.0 ends a connection unless the client says otherwise (RFC 9112, 9.3)
    this.isLast = this.#closes || (this.isOld && !this.#isKept);
    this.to = at + 2;
    return this.to;
  }
}
