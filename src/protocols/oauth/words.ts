/** Words with blanks between them, as scopes and other parameters are written. */
export function wordsOf(text = ''): string[] {
  return text.split(' ').filter((word) => word !== '');
}
