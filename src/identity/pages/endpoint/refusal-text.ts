import type { Problem } from '../../../http/index.ts';
import type { Texts } from '../../../texts/index.ts';

/** What a refusal says to who has sent a form. What is said in English alone is no word to other readers. */
export function refusalText(t: Texts, { detail, options }: Problem): string {
  const said = options.said ?? options.errors?.[0]?.said;
  if (said !== undefined) return t.said(said);
  return t.language === 'en' ? detail : t('refusals.general');
}
