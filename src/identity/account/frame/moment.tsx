import type { AccountVisit } from './account-endpoint.ts';

interface MomentProps {
  readonly visit: Pick<AccountVisit, 't' | 'user'>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A time in the zone that its reader has chosen. Where none was, it is said in UTC, and `pages.js` says it in that of the
 * browser.
 */
export function Moment({ visit: { t, user }, at }: MomentProps) {
  const { zoneinfo: zone } = user.document;
  return (
    <time datetime={new Date(at).toISOString()} {...(zone === undefined ? { 'data-local': t.tag } : {})}>
      {t.moment(at, zone)}
    </time>
  );
}
