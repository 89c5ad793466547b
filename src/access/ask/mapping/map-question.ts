import { type NamedObject, namesIn } from '../question/objects.ts';
import { type ReadQuestion, readQuestion } from '../question/read-question.ts';
import { isGeneralVerb } from '../question/synonyms.ts';
import { contentWords, type Word } from '../question/words.ts';
import type { VocabularyEntry } from '../vocabulary/collect-entries.ts';
import { fitOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { confidenceOf, type Features } from './confidence.ts';
import { CONFIDENT, type Mapping, READINGS_MAX, type Reading, UNMAPPED_MAX, type UnmappedReason } from './mapping.ts';
import { type Scored, scoreWords } from './score.ts';

export interface Asked {
  readonly question: string;
  /** What the context names. */
  readonly resource?: NamedObject | undefined;
  readonly isAboutSubject: boolean;
}

/** A reading is as good as another that scores nearly as much. */
const TIE = 0.025;
/** Where slugs and ids say what is meant. */
const NAMED = 0.97;
/** Only so many words are looked at: no sensible question has more. */
const WORDS_MAX = 60;

/** What a question means in an organization, by its words alone. Nothing here decides anything. */
export function mapQuestion(vocabulary: Vocabulary, asked: Asked): Mapping {
  return mapRead(vocabulary, asked, readQuestion(asked.question, asked.isAboutSubject));
}

/** The same, and what the confidence was made of, where words were compared. */
export function mapWithFeatures(vocabulary: Vocabulary, asked: Asked): { mapping: Mapping; features?: Features } {
  const read = readQuestion(asked.question, asked.isAboutSubject);
  const names = namesIn(read.content, vocabulary);
  const best = bestOf(vocabulary, read, names.rest, names.objects[0] ?? asked.resource);
  const mapping = mapRead(vocabulary, asked, read);
  const isByWords = read.form !== 'several' && read.form !== 'other' && names.permissions.length === 0;
  return best === undefined || !isByWords ? { mapping } : { mapping, features: best.features };
}

function mapRead(vocabulary: Vocabulary, asked: Asked, read: ReadQuestion): Mapping {
  const { objects, permissions, rest } = namesIn(read.content, vocabulary);
  const about = {
    isNegated: read.isNegated,
    isNeeded: read.form === 'needed',
    ...(read.subject === undefined ? {} : { subject: read.subject }),
  };
  const unmapped = (reason: UnmappedReason, readings: readonly Reading[], confidence = UNMAPPED_MAX): Mapping => ({
    ...about,
    isMapped: false,
    reason,
    readings: readings.slice(0, READINGS_MAX),
    confidence: Math.min(confidence, UNMAPPED_MAX),
  });
  const mapped = (reading: Reading, confidence: number): Mapping => ({
    ...about,
    isMapped: true,
    readings: [reading],
    confidence,
  });
  if (read.form === 'other') return unmapped('other', [], 0.05);
  if (permissions.length > 1 || severalOf(objects))
    return unmapped(
      'several',
      permissions.map((each) => permissionReading(each)),
    );
  const [slug] = permissions;
  if (slug !== undefined && read.form !== 'several') {
    return { ...mapped(permissionReading(slug, objects[0] ?? asked.resource), NAMED), isNamed: true };
  }
  const member = membership(read, objects, rest);
  if (member !== undefined) return { ...mapped(member, NAMED), isNamed: true };
  const object = objects.find(({ type }) => type !== 'role' && type !== 'group') ?? asked.resource;
  const best = bestOf(vocabulary, read, rest, object);
  if (best === undefined) return unmapped('unknown', [], 0.02);
  const readings = best.all.flatMap((each) => readingOf(each, object, read.isBeing) ?? []);
  if (read.form === 'several') return unmapped('several', readings);
  const parts = partsOf(vocabulary, read, rest, object);
  if (parts.length > 1) return unmapped('several', parts);
  const [first] = readings;
  if (first === undefined) return unmapped(best.all.length > 0 ? 'no_object' : 'unknown', [], best.confidence);
  if (best.isTied) return unmapped('ambiguous', readings, best.confidence);
  if (best.confidence >= CONFIDENT) return mapped(first, best.confidence);
  return unmapped('unknown', readings, best.confidence);
}

/** A word or two in common: what an entry must have with a question to be chosen for it. */
const PLAUSIBLE = 0.25;
const CHOICES_MAX = 10;

/** Readings that the words of a question admit, best first, each with its entry: what somebody else may choose from. */
export function plausibleReadings(
  vocabulary: Vocabulary,
  asked: Asked,
): { readonly reading: Reading; readonly entry: VocabularyEntry }[] {
  const read = readQuestion(asked.question, asked.isAboutSubject);
  const { objects, rest } = namesIn(read.content, vocabulary);
  const object = objects.find(({ type }) => type !== 'role' && type !== 'group') ?? asked.resource;
  const best = bestOf(vocabulary, read, rest, object);
  return (best?.found ?? [])
    .filter(({ coverage }) => coverage >= PLAUSIBLE)
    .flatMap((each) => {
      const { entry } = each.found;
      const reading =
        entry.kind === 'role' || entry.kind === 'group' ? undefined : readingOf(each, object, read.isBeing);
      return reading === undefined ? [] : [{ reading, entry }];
    })
    .slice(0, CHOICES_MAX);
}

interface Best {
  readonly found: readonly Scored[];
  /** Those that score nearly as much as the first, which is among them. */
  readonly all: readonly Scored[];
  readonly isTied: boolean;
  readonly features: Features;
  readonly confidence: number;
}

function bestOf(
  vocabulary: Vocabulary,
  read: ReadQuestion,
  text: string,
  object: NamedObject | undefined,
): Best | undefined {
  const words = contentWords(text).slice(0, WORDS_MAX);
  if (words.length === 0) return undefined;
  const ofObject =
    object === undefined
      ? []
      : usable(scoreWords(vocabulary, withoutType(words, vocabulary, object), object.type), read);
  const isAboutObject = (ofObject[0]?.action ?? 0) > 0 || (ofObject[0]?.coverage ?? 0) > 0.5;
  const found = isAboutObject ? ofObject : usable(scoreWords(vocabulary, words, undefined), read);
  const [first, second] = found;
  if (first === undefined || first.coverage === 0) return undefined;
  const margin = second === undefined ? 1 : first.score - second.score;
  const { coverage, noun } = first;
  const features = { coverage, noun, margin };
  return {
    found,
    all: found.filter(({ score }) => first.score - score < TIE).slice(0, READINGS_MAX),
    isTied: margin < TIE || (object === undefined && isBareVerb(words, first)),
    features,
    confidence: confidenceOf(features),
  };
}

/** "Can I close?": what, is left open. */
function isBareVerb(words: readonly Word[], { found, noun }: Scored): boolean {
  return noun === 0 && words.every((word) => (word.isWeak ? fitOf(word, found) === 0 : isGeneralVerb(word.stem)));
}

/** Roles, groups and plain relations are what somebody is; what one may do is permissions and `can_…`. */
function usable(found: readonly Scored[], { isBeing }: ReadQuestion): Scored[] {
  return found.filter(({ found: { entry } }) => isBeing || isDone(entry));
}

function isDone({ kind, key }: { readonly kind: string; readonly key: string }): boolean {
  return kind === 'permission' || (kind === 'relation' && key.includes('#can_'));
}

function withoutType(words: readonly Word[], vocabulary: Vocabulary, { type }: NamedObject): Word[] {
  return words.filter(({ text }) => vocabulary.typeOf(text) !== type);
}

function readingOf(
  { found: { entry } }: Scored,
  object: NamedObject | undefined,
  isBeing: boolean,
): Reading | undefined {
  switch (entry.kind) {
    case 'permission':
      return permissionReading(entry.key, object);
    case 'relation':
      return object === undefined
        ? undefined
        : { kind: 'relation', object, relation: entry.key.slice(entry.type.length + 1) };
    default:
      return isBeing ? memberReading(entry.kind, entry.key) : undefined;
  }
}

/** A permission on an object, where that is of its type. */
function permissionReading(permission: string, object?: NamedObject): Reading {
  return { kind: 'permission', permission, ...(object?.type === typeOf(permission) ? { resource: object } : {}) };
}

function memberReading(kind: 'role' | 'group', id: string): Reading {
  return { kind: 'relation', object: { type: kind, id }, relation: kind === 'role' ? 'assignee' : 'member' };
}

/** "Do I have the role X", "am I in the group Y": where nothing but that is asked. */
function membership(read: ReadQuestion, objects: readonly NamedObject[], rest: string): Reading | undefined {
  const [object] = objects;
  if (objects.length !== 1 || object === undefined || !read.isBeing) return undefined;
  if (object.type !== 'role' && object.type !== 'group') return undefined;
  const others = contentWords(rest).filter(
    ({ text, isWeak }) => !isWeak && !/^(?:belong|member|assignee|part)s?$/iu.test(text),
  );
  return others.length === 0 ? memberReading(object.type, object.id) : undefined;
}

function severalOf(objects: readonly NamedObject[]): boolean {
  return new Set(objects.map(({ type }) => type)).size < objects.length;
}

function typeOf(slug: string): string {
  return slug.slice(0, Math.max(slug.indexOf(':'), 0));
}

/**
 * The readings of the parts that "and", "or" and commas join, where they differ. A part without a verb takes that of the
 * one before it, and one without a thing takes that of the next.
 */
function partsOf(vocabulary: Vocabulary, read: ReadQuestion, text: string, object: NamedObject | undefined): Reading[] {
  const parts = text.split(/,| and | or | & | as well as | plus /iu).filter((part) => contentWords(part).length > 0);
  if (parts.length < 2) return [];
  const kinds = parts.map((part) => kindsOf(vocabulary, part));
  const readings = new Map<string, Reading>();
  for (const [at, { part, verbs, nouns }] of kinds.entries()) {
    const verbsBefore = kinds.slice(0, at).findLast((other) => other.verbs !== '')?.verbs ?? '';
    const nounsBehind = kinds.slice(at + 1).find((other) => other.nouns !== '')?.nouns ?? '';
    const whole = `${verbs === '' ? verbsBefore : ''} ${part} ${nouns === '' ? nounsBehind : ''}`;
    const first = bestOf(vocabulary, read, whole, object)?.all[0];
    const reading = first === undefined || first.coverage < 0.5 ? undefined : readingOf(first, object, read.isBeing);
    if (reading !== undefined) readings.set(JSON.stringify(reading), reading);
  }
  return [...readings.values()];
}

function kindsOf(vocabulary: Vocabulary, part: string) {
  const verbs: string[] = [];
  const nouns: string[] = [];
  for (const word of contentWords(part)) {
    const found = vocabulary.find([word]).map(({ found: entry }) => entry);
    if (found.some((entry) => fitOf(word, entry, 'action') > 0)) verbs.push(word.text);
    else if (found.length > 0) nouns.push(word.text);
  }
  return { part, verbs: verbs.join(' '), nouns: nouns.join(' ') };
}
