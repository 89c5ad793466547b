import { EngineError, parseObject } from '#engine';
import { visibleText } from '../../../platform/index.ts';
import type { AccountVisit } from './account-endpoint.ts';

/** Objects that somebody has typed, one per line; none where nothing is typed. Otherwise what is wrong, for a person. */
export function objectsIn(
  t: AccountVisit['t'],
  text: string,
  max: number,
): readonly string[] | { readonly fault: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const objects = [...new Set(lines)];
  const wrong = objects.find((each) => !isObject(each));
  if (wrong !== undefined) {
    return { fault: t('agents.noResource', { text: visibleText(shortened(wrong)) }) };
  }
  return objects.length <= max ? objects : { fault: t('agents.resourcesMax', { count: max }) };
}

const SHOWN_MAX = 60;

function shortened(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;
}

function isObject(text: string): boolean {
  try {
    parseObject(text);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
