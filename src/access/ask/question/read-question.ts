import { actors } from '../../../directory/records/index.ts';

/** What kind of sentence a question is. */
export type QuestionForm =
  /** Whether whoever asks, or the subject that was named, may do something. */
  | 'may'
  /** What is needed to do something. */
  | 'needed'
  /** Several things at once, or all but some. */
  | 'several'
  /** About somebody who was not named as the subject, or no question that yes or no answers. */
  | 'other';

export interface ReadQuestion {
  readonly form: QuestionForm;
  /** "Am I forbidden to …", "can't I …". */
  readonly isNegated: boolean;
  /** "Am I a …", "do I have the role …": it may be about a relation and not about an action. */
  readonly isBeing: boolean;
  /** What is asked about: the sentence without its frame. */
  readonly content: string;
  /** The subject that stands in the question itself, as `user:alice`. */
  readonly subject?: string;
}

const modal = '(?:can|could|may|might|must|shall|should|will|would|am|are|do|did|does|have|has|is|was)';
const self = '(?:i|we|my (?:account|agent|key|token|app|application|bot|client))';
const person = `(?:${actors.kinds.map(({ type }) => type).join('|')}):[^\\s,;?!]+`;
const asked = new RegExp(`\\b(${modal})(?: not)? (?:${self}|(${person}))(?= |$|[?,!.])(?: not)?`, 'iu');
const stated = /\b(?:i|we) (can|may|could|might|should|must|am)(?: not)?\b/iu;
const interrogative = /\b(?:who|whom|whose|when|where|why|how|what|which)(?: (?:often|many|much|long|else))? ?$/iu;
const needed =
  /\b(?:which|what) (?:permissions?|scopes?|rights?|privileges?)\b.*\b(?:needs?|needed|requires?|required|necessary)\b|\bwhat (?:do|would) (?:i|we) need\b|\bwhat is (?:needed|required|necessary)\b/iu;
const aboutOthers =
  /\b(?:who|whom|everybody|everyone|anybody|anyone|nobody) (?:who )?(?:can|may|could|is|are|has|have)\b/iu;
const mentionsSelf = /\b(?:i|me|we|us|myself|my (?:account|agent|key|token))\b/iu;
const startsOfOthers = /^(?:can|could|may|might|must|shall|should|will|would|is|are|was|does|did|do|has|have)\b/iu;
const startsAsQuestion = /^(?:who|whom|whose|when|where|why|how|what|which)\b/iu;
const forbidden =
  /^ ?(?:not )?(?:forbidden|prohibited|banned|blocked|barred|prevented|excluded|denied)(?: (?:to|from))?\b/iu;
const notInFrame = /^(?:can|could|may|might|must|should|am|are|do|is|was|have|has)? ?(?:i|we)? ?not\b/iu;
const exceptions =
  /\b(?:except|besides|apart from|aside from|other than|instead of|neither|nor|everything|anything|without)\b/iu;

/**
 * Takes a question apart by its form alone; what its words mean is for the vocabulary. All patterns run in linear time
 * over a text that its schema has bounded.
 * @param isAboutSubject somebody was named as the subject beside the question, so that "can she …" is about them
 */
export function readQuestion(text: string, isAboutSubject: boolean): ReadQuestion {
  const sentences = sentencesOf(text);
  const asking = sentences.filter((sentence) => asked.test(sentence));
  if (asking.length > 1) {
    return { ...framed(asking.join(' and '), asked, sentences), form: 'several' };
  }
  const [question] = asking;
  if (question !== undefined) return readAsked(question, sentences);
  const statement = sentences.find((sentence) => stated.test(sentence) && !aboutOthers.test(sentence));
  if (statement !== undefined) {
    const isAsked = isAskedFor(statement, stated);
    return { ...framed(statement, stated, sentences), form: isAsked ? formOf(statement) : 'other' };
  }
  return readUnframed(sentences, isAboutSubject);
}

function readAsked(question: string, sentences: readonly string[]): ReadQuestion {
  const read = framed(question, asked, sentences);
  const subject = asked.exec(question)?.[2];
  const form = needed.test(question) ? 'needed' : isAskedFor(question, asked) ? formOf(question) : 'other';
  return { ...read, form, ...(subject === undefined ? {} : { subject }) };
}

/** Nobody asks of themselves in so many words: an imperative, a wish, or a question about something else. */
function readUnframed(sentences: readonly string[], isAboutSubject: boolean): ReadQuestion {
  const whole = sentences.join(' ');
  const plain = { isNegated: /\bnot\b/iu.test(whole), isBeing: false, content: whole };
  const [first = ''] = sentences;
  if (needed.test(whole)) return { ...plain, form: 'needed', content: withoutFrame(whole) };
  if (aboutOthers.test(whole) || startsAsQuestion.test(first)) return { ...plain, form: 'other' };
  if (startsOfOthers.test(first)) {
    const isOwn = /^(?:is|are|was)\b/iu.test(first) && mentionsSelf.test(first);
    return { ...plain, form: isOwn || isAboutSubject ? formOf(whole) : 'other', isBeing: isAboutSubject };
  }
  return { ...plain, form: formOf(whole) };
}

function formOf(sentence: string): QuestionForm {
  return exceptions.test(sentence) ? 'several' : 'may';
}

/** Whether no word before the frame makes it a question that yes does not answer: "how can I …". */
function isAskedFor(sentence: string, frame: RegExp): boolean {
  const found = frame.exec(sentence);
  return found === null || !interrogative.test(sentence.slice(0, found.index));
}

function framed(sentence: string, frame: RegExp, sentences: readonly string[]): Omit<ReadQuestion, 'form'> {
  const found = frame.exec(sentence);
  const start = found?.index ?? 0;
  const behind = sentence.slice(start + (found?.[0].length ?? 0));
  const frameText = found?.[0] ?? '';
  const verb = found?.[1]?.toLowerCase() ?? '';
  const isForbidden = forbidden.test(behind);
  const isNegated =
    isForbidden !== (notInFrame.test(frameText) || /\bnot\b/iu.test(frameText) || /^ not\b/iu.test(behind));
  const content = withoutFrame(`${sentence.slice(0, start)} ${behind.replace(forbidden, ' ')}`);
  const isBeing = /^(?:am|are|is|do|does|have|has|was|did)$/u.test(verb);
  // "I want to release this. May I?": the sentence before says what
  const index = sentences.indexOf(sentence);
  const before = index > 0 ? withoutFrame(sentences[index - 1] ?? '') : '';
  return { isNegated, isBeing, content: /\p{L}{3}/u.test(content) ? content : `${before} ${content}` };
}

const frames = [
  /\bin order to\b/giu,
  /\b(?:have|has|had|get|hold) (?:the |an?y? )?(?:permissions?|rights?|access|ability|authority|privileges?|scopes?)\b/giu,
  /\b(?:permissions?|scopes?|rights?|privileges?) (?:do|is|are)\b/giu,
  /\b(?:not )?(?:allowed|permitted|able|authori[sz]ed|entitled|eligible|supposed|in a position) to\b/giu,
];

function withoutFrame(text: string): string {
  return frames.reduce((rest, frame) => rest.replace(frame, ' '), text).trim();
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\b(?:can't|cannot|cant)\b/giu, 'can not'],
  [/\bwon't\b/giu, 'will not'],
  [/\b(could|would|should|is|are|was|does|do|did|has|have|may|might|must)n't\b/giu, '$1 not'],
  [/\bi'm\b/giu, 'i am'],
  [/\bi'd\b/giu, 'i would'],
  [/\bi've\b/giu, 'i have'],
  [/\bwe're\b/giu, 'we are'],
];

/** Sentences and the halves of a colon, one space between words; signs that are not seen are gone. */
function sentencesOf(text: string): string[] {
  const plain = text
    .normalize('NFC')
    .replace(/[\u2018\u2019]/gu, "'")
    .replace(/[\u201c\u201d`]/gu, '"');
  return plain
    .split(/\n|(?<=[.!?;]) |: /u)
    .map((sentence) => expanded(sentence.replace(/[\p{C}\s]+/gu, ' ').trim()))
    .filter((sentence) => sentence !== '');
}

function expanded(sentence: string): string {
  return contractions.reduce((rest, [from, to]) => rest.replace(from, to), sentence);
}
