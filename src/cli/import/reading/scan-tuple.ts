/**
 * Finds the parts of a tuple in the bytes of a line, for the forms that files consist of almost entirely:
 * `{"object":"type:id","relation":"r","subject":"type:id"}` in any order, with `user` for `subject`, and
 * `type:id#r@type:id`, all in ASCII and without escapes. It accepts only what is surely well-formed; every other line
 * goes through `JSON.parse` and the engine's own checks. This is what makes an import three times as fast.
 */

/** Offsets of the parts found last. One object for the thread, because there are millions of lines. */
export const tupleParts = {
  object: 0,
  objectColon: 0,
  objectEnd: 0,
  relation: 0,
  relationEnd: 0,
  subject: 0,
  subjectColon: 0,
  /** The end of the subject without its relation. Before `subject`, where it is a wildcard. */
  nameEnd: 0,
  subjectEnd: 0,
};

/** What a byte may be part of. */
const IN_ID = 1;
const IN_NAME = 2;
const IN_TEXT = 4;
const classes = new Uint8Array(256);
for (let byte = 0x21; byte < 0x7f; byte++) {
  const character = String.fromCharCode(byte);
  classes[byte] = (character === '"' || character === '\\' ? 0 : IN_TEXT) | (character === '#' ? 0 : IN_ID);
  if (!':#@*'.includes(character)) classes[byte] = (classes[byte] as number) | IN_NAME;
}
classes[0x20] = IN_TEXT;

const QUOTE = 0x22;
const HASH = 0x23;
const STAR = 0x2a;
const COMMA = 0x2c;
const COLON = 0x3a;
const AT = 0x40;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const NAME_MAX = 254;
const ID_MAX = 256;

/** True where `tupleParts` has the tuple of this line. */
export function scanTuple(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === OPEN ? scanObject(bytes, start, end) : scanText(bytes, start, end);
}

function scanText(bytes: Uint8Array, start: number, end: number): boolean {
  let hash = start;
  while (hash < end && bytes[hash] !== HASH) hash++;
  let at = hash + 1;
  while (at < end && bytes[at] !== AT) at++;
  if (at >= end) return false;
  return take(bytes, start, hash, hash + 1, at, at + 1, end);
}

function scanObject(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start + 1;
  let object = 0;
  let objectEnd = 0;
  let relation = 0;
  let relationEnd = 0;
  let subject = 0;
  let subjectEnd = 0;
  for (let field = 0; field < 3; field++) {
    const key = openString(bytes, at);
    const keyEnd = closeString(bytes, key, end);
    const colon = skipSpace(bytes, keyEnd + 1);
    if (key === 0 || bytes[keyEnd] !== QUOTE || bytes[colon] !== COLON) return false;
    const value = openString(bytes, colon + 1);
    const valueEnd = closeString(bytes, value, end);
    if (value === 0 || bytes[valueEnd] !== QUOTE) return false;
    if (isWord(bytes, key, keyEnd, OBJECT) && object === 0) {
      object = value;
      objectEnd = valueEnd;
    } else if (isWord(bytes, key, keyEnd, RELATION) && relation === 0) {
      relation = value;
      relationEnd = valueEnd;
    } else if ((isWord(bytes, key, keyEnd, SUBJECT) || isWord(bytes, key, keyEnd, USER)) && subject === 0) {
      subject = value;
      subjectEnd = valueEnd;
    } else return false;
    at = skipSpace(bytes, valueEnd + 1);
    if (bytes[at++] !== (field === 2 ? CLOSE : COMMA)) return false;
  }
  return at === end && take(bytes, object, objectEnd, relation, relationEnd, subject, subjectEnd);
}

const OBJECT = Buffer.from('object');
const RELATION = Buffer.from('relation');
const SUBJECT = Buffer.from('subject');
const USER = Buffer.from('user');

function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false;
  return true;
}

/** The offset after the opening quote, or 0. */
function openString(bytes: Uint8Array, from: number): number {
  const at = skipSpace(bytes, from);
  return bytes[at] === QUOTE ? at + 1 : 0;
}

/** The offset of the first byte that is not plain text: of the closing quote, where the string is simple. */
function closeString(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && ((classes[bytes[at] as number] as number) & IN_TEXT) !== 0) at++;
  return at;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  return at;
}

function take(
  bytes: Uint8Array,
  object: number,
  objectEnd: number,
  relation: number,
  relationEnd: number,
  subject: number,
  subjectEnd: number,
): boolean {
  const objectColon = nameEnd(bytes, object, objectEnd);
  const subjectColon = nameEnd(bytes, subject, subjectEnd);
  if (!isType(bytes, object, objectColon, objectEnd) || !isType(bytes, subject, subjectColon, subjectEnd)) return false;
  if (idEnd(bytes, objectColon + 1, objectEnd) !== objectEnd || isStar(bytes, objectColon + 1, objectEnd)) return false;
  if (nameEnd(bytes, relation, relationEnd) !== relationEnd || !isNameLength(relationEnd - relation)) return false;
  const end = idEnd(bytes, subjectColon + 1, subjectEnd);
  if (end < subjectColon + 2) return false;
  const isWildcard = isStar(bytes, subjectColon + 1, end);
  if (end < subjectEnd) {
    if (isWildcard || bytes[end] !== HASH || !isNameLength(subjectEnd - end - 1)) return false;
    if (nameEnd(bytes, end + 1, subjectEnd) !== subjectEnd) return false;
  }
  tupleParts.object = object;
  tupleParts.objectColon = objectColon;
  tupleParts.objectEnd = objectEnd;
  tupleParts.relation = relation;
  tupleParts.relationEnd = relationEnd;
  tupleParts.subject = subject;
  tupleParts.subjectColon = subjectColon;
  tupleParts.nameEnd = isWildcard ? subject - 1 : end;
  tupleParts.subjectEnd = subjectEnd;
  return true;
}

/** Where a type's or relation's name ends. */
function nameEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && ((classes[bytes[at] as number] as number) & IN_NAME) !== 0) at++;
  return at;
}

/** Where an id ends; before its start where it is empty or too long. */
function idEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && ((classes[bytes[at] as number] as number) & IN_ID) !== 0) at++;
  return at > start && at - start <= ID_MAX ? at : start - 1;
}

function isType(bytes: Uint8Array, start: number, colon: number, end: number): boolean {
  return colon < end && bytes[colon] === COLON && isNameLength(colon - start);
}

function isNameLength(length: number): boolean {
  return length > 0 && length <= NAME_MAX;
}

function isStar(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && bytes[start] === STAR;
}
