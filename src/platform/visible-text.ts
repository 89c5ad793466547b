/** Scripts whose words are written with joiners that are not seen. */
const joined = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

/** What is part of a word or of one picture, and may stay. */
const needed = [
  '\\n|\\t',
  '(?<=\\p{Extended_Pictographic})\\uFE0F',
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=[${joined}])[\\u200C\\u200D](?=[${joined}])`,
].join('|');

/** Controls, formats such as those that turn the direction of text, and what takes no room: UTS #51, UAX #44. */
const unseen = '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]';

const pattern = new RegExp(`(${needed})|${unseen}`, 'gu');

/**
 * Text of somebody who is not to be believed, so that people see all of it: a character that shows nothing, or turns
 * what stands around it, is named (`[U+202E]`). Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(pattern, (character: string, kept: string | undefined) => kept ?? nameOf(character));
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
