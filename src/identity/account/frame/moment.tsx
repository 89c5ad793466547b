/** A time in the user's own zone and words, as far as they are known; exact for programs. */
export function Moment({
  at,
  locale,
  zone,
}: {
  readonly at: number;
  readonly locale?: string | undefined;
  readonly zone?: string | undefined;
}) {
  return <time datetime={new Date(at).toISOString()}>{momentText(at, locale, zone)}</time>;
}

export function momentText(at: number, locale = 'en', zone = 'UTC'): string {
  const known = supported(locale) ? locale : 'en';
  const format = new Intl.DateTimeFormat(known, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  return zone === 'UTC' ? `${format.format(at)} UTC` : format.format(at);
}

/** Of a tag that passed the rules of a profile, not every one is a language that can be formatted in. */
function supported(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
