import type { Problem } from '../../../http/index.ts';
import type { PlainKey, Texts } from '../../../texts/index.ts';

interface Words {
  readonly title: PlainKey;
  /** What a reader can do about it, beside what the problem itself says. */
  readonly text?: PlainKey;
}

/** How pages name problems, by their code. */
const words: Readonly<Record<string, Words>> = {
  not_found: { title: 'problems.notFound', text: 'problems.notFoundText' },
  invalid_request: { title: 'problems.invalidRequest', text: 'problems.usual' },
  method_not_allowed: { title: 'problems.methodNotAllowed', text: 'problems.methodNotAllowedText' },
  malformed_url: { title: 'problems.malformedUrl', text: 'problems.usual' },
  forbidden: { title: 'problems.forbidden', text: 'problems.usual' },
  refused: { title: 'problems.refused', text: 'problems.usual' },
  rate_limited: { title: 'problems.rateLimited', text: 'problems.rateLimitedText' },
  conflict: { title: 'problems.conflict', text: 'problems.conflictText' },
  precondition_failed: { title: 'problems.conflict', text: 'problems.conflictText' },
  unavailable: { title: 'problems.unavailable', text: 'problems.unavailableText' },
  mail_failed: { title: 'problems.mailFailed', text: 'problems.mailFailedText' },
  internal: { title: 'problems.internal', text: 'problems.internalText' },
  body_too_large: { title: 'problems.bodyTooLarge', text: 'problems.bodyTooLargeText' },
  signin_over: { title: 'problems.signInOver' },
  link_over: { title: 'problems.linkOver' },
  form_over: { title: 'problems.formOver' },
  account_unusable: { title: 'problems.accountUnusable' },
};

const unknown: Words = { title: 'problems.internal', text: 'problems.usual' };

/** What a refusal says to who has sent a form. What is said in English alone is no word to other readers. */
export function refusalText(t: Texts, { detail, options }: Problem): string {
  const said = options.said ?? options.errors?.[0]?.said;
  if (said !== undefined) return t.said(said);
  return t.language === 'en' ? detail : t('refusals.general');
}

/** A problem as a page tells it: a heading, and short texts. */
export function wordsOf(t: Texts, { kind, detail, options }: Problem): { title: string; texts: readonly string[] } {
  const { title, text } = words[kind.code] ?? unknown;
  // words for programs are in English alone, and those of failures and of what is not there say nothing to a reader
  const isSpoken = t.language === 'en' && detail !== kind.title;
  const isForReaders = isSpoken && kind.status < 500 && kind.status !== 429 && kind.code !== 'not_found';
  const own = options.said === undefined ? (isForReaders ? detail : undefined) : t.said(options.said);
  const advice = text === undefined ? undefined : t(text);
  return { title: t(title), texts: [own, advice].filter((each) => each !== undefined) };
}
