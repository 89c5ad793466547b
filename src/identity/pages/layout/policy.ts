/** What a page may load and where its forms may lead, beside what every page may. */
export interface PageReach {
  /** Origins of pictures that the organization has chosen. */
  readonly pictures: readonly string[];
  /** Origins or schemes (`com.example.app:`) that a form may end at: browsers look at redirects as well. */
  readonly leadsTo: readonly string[];
  readonly hasScripts: boolean;
  /** Whether its scripts ask the service. */
  readonly asks: boolean;
}

const source = /^(?:https?:\/\/[A-Za-z0-9.[\]:_-]+|[a-z][a-z0-9+.-]*:)$/;

/** Content-Security-Policy: nothing but what is named, nothing inline, and never in a frame. */
export function contentPolicy({ pictures, leadsTo, hasScripts, asks }: PageReach): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScripts ? ["script-src 'self'"] : []),
    ...(asks ? ["connect-src 'self'"] : []),
    ['img-src', "'self'", ...sources(pictures)].join(' '),
    ['form-action', "'self'", ...sources(leadsTo)].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Nothing else can become part of the header, whatever was registered. */
function sources(given: readonly string[]): string[] {
  return [...new Set(given)].filter((each) => source.test(each));
}

/** How a policy names where a URL leads: its origin, or the scheme of an app's own URL. `undefined`: it is none. */
export function sourceOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}
