import { EngineError, parseObject } from '#engine';

/** Objects that somebody has typed, one a line; none where nothing is typed; `undefined` where it is something else. */
export function objectsIn(text: string, max: number): readonly string[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const objects = [...new Set(lines)];
  return objects.length <= max && objects.every(isObject) ? objects : undefined;
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
