/** What can fetch something, or run something in old browsers. */
const refusedFunctions = [
  'url',
  'src',
  'image',
  'image-set',
  '-webkit-image-set',
  'cross-fade',
  '-webkit-cross-fade',
  'element',
  '-moz-element',
  'paint',
  'expression',
];
const functions = new RegExp(`(?<![\\w-])(${refusedFunctions.join('|')})\\s*\\(`);
const refusedRules = ['@import', '@namespace', '@font-face', '@charset', '@document', '@-moz-document'];
const refusedTexts = ['</', '<!', '-moz-binding', 'behavior:'];

/**
 * Why an organization's style sheet cannot stand in the service's pages; `undefined` where it can. It must load
 * nothing, because a selector with an address behind it tells what a page holds. Comments and strings are searched as
 * the rest: which they are is where readers of CSS begin to differ.
 */
export function styleSheetFault(css: string): string | undefined {
  const plain = css
    .replace(/\\([0-9a-fA-F]{1,6})(?:\r\n|\s)?|\\([^\n\r\f])/g, (_, hex?: string, char?: string) =>
      unescaped(hex, char),
    )
    .toLowerCase();
  const name = functions.exec(plain)?.[1];
  if (name !== undefined) return `must not contain ${name}()`;
  const text = [...refusedRules, ...refusedTexts].find((each) => plain.includes(each));
  return text === undefined ? undefined : `must not contain ${text}`;
}

function unescaped(hex: string | undefined, char: string | undefined): string {
  if (hex === undefined) return char ?? '';
  const code = Number.parseInt(hex, 16);
  return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
