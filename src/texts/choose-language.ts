import { isLanguage } from './languages.ts';

/** Browsers send a few ranges; nothing behind so many characters is read. */
const HEADER_MAX = 512;
const TAG_MAX = 64;

const fallback = 'en';

/**
 * The language tag to speak in: a user's own setting, else the first of the browser's languages that there are texts
 * in, else English. A region is kept for dates and numbers: `de-CH`.
 * @param acceptLanguage the header (RFC 9110, 12.5.4); `''` where there is none
 * @param setting `locale` of a user, `de-CH` or `de_CH`
 */
export function chooseLanguage(acceptLanguage: string, setting?: string): string {
  const own = setting === undefined ? undefined : spokenTag(setting);
  if (own !== undefined) return own;
  for (const range of rangesOf(acceptLanguage)) {
    const tag = spokenTag(range);
    if (tag !== undefined) return tag;
  }
  return fallback;
}

/** By their quality, those of the same in the order in which they stand. */
function rangesOf(header: string): string[] {
  return header
    .slice(0, HEADER_MAX)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((each) => /^q=/i.test(each))?.slice(2) ?? '1';
      return { range, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ range }) => range);
}

/** Language and region of a tag that there are texts in. */
function spokenTag(text: string): string | undefined {
  const tag = text.replaceAll('_', '-');
  if (tag.length > TAG_MAX || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(tag)) return undefined;
  try {
    const { language, region } = new Intl.Locale(tag);
    if (!isLanguage(language)) return undefined;
    return region === undefined ? language : `${language}-${region}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
