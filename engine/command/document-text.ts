import { EngineError } from '../errors.ts';

/**
 * A document as JSON. The runtime writes and reads it with code of its own, in less time than any packing in JavaScript
 * takes, and the thread that makes a document writes it: the writer never has it as an object. Throws `invalid_argument`.
 */
export function documentText(document: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(document);
    if (text !== undefined) return text;
  } catch {
    // a circle, or a number too large for one
  }
  throw new EngineError('invalid_argument', 'a document is no JSON');
}
