import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { page, type Reply } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { type Asset, asset, assetPath } from '../assets/asset.ts';
import { Avatar } from '../parts/avatar.tsx';
import { issuerPath, type Site } from '../site.ts';
import type { Brand } from '../theme/brand.ts';
import { contentPolicy, sourceOf } from './policy.ts';

/** Whose page it is, and who reads it. Made anew for each request. */
export interface PageContext {
  readonly site: Site;
  readonly organization: Organization;
  readonly brand: Brand;
  /** What the page says, in its reader's language. */
  readonly t: Texts;
}

export interface PageOptions {
  /** Of the tab, before the organization's name; and what a screen reader says first. */
  readonly title: string;
  /** 200 where omitted. */
  readonly status?: number | undefined;
  /** Origins or schemes that forms of this page may end at, by whatever redirects: see `sourceOf`. */
  readonly leadsTo?: readonly (string | undefined)[] | undefined;
  /** Addresses of pictures in the body that are not the organization's own. */
  readonly pictures?: readonly (string | undefined)[] | undefined;
  readonly scripts?: readonly Asset[] | undefined;
  /** Whether they ask the service for anything. */
  readonly asks?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where the browser goes by itself, as soon as the page is there. */
  readonly leadsOnTo?: string | undefined;
  /** The organization's own words, above and below: for the first page of sign-in. */
  readonly isWelcome?: boolean | undefined;
  readonly styles?: readonly Asset[] | undefined;
  /** Beside the body: the way through an area of several pages. */
  readonly side?: ComponentChildren;
}

export const pagesCss = asset('pages.css');
/** Of the account, beside that of all pages. */
export const accountCss = asset('account.css');
export const pagesScript = asset('pages.js');
export const icon = asset('icon.svg');

/** A whole page of an organization, under the policy that fits it. */
export function renderPage(context: PageContext, options: PageOptions, body: ComponentChildren): Reply<never> {
  const { logoUrl, faviconUrl } = context.brand.settings;
  const shown = [logoUrl, faviconUrl].filter((url) => url !== null).map(sourceOf);
  const own = options.isWelcome ? picturesIn(context.brand.markup).map(sourceOf) : [];
  const given = (options.pictures ?? []).map((url) => (url === undefined ? undefined : sourceOf(url)));
  const policy = contentPolicy({
    pictures: [...shown, ...own, ...given].filter((each) => each !== undefined),
    leadsTo: (options.leadsTo ?? []).filter((each) => each !== undefined),
    hasScripts: true,
    asks: options.asks ?? false,
  });
  const markup = renderToString(<Page context={context} options={options} body={body} />);
  return page(`<!doctype html>${markup}`, {
    policy,
    status: options.status ?? 200,
    headers: { 'x-frame-options': 'DENY', ...options.headers },
  });
}

interface PageProps {
  readonly context: PageContext;
  readonly options: PageOptions;
  readonly body: ComponentChildren;
}

function Page({ context, options, body }: PageProps) {
  const { site, organization, brand, t } = context;
  const { faviconUrl } = brand.settings;
  const branding = `${issuerPath(site, organization.slug)}/branding.css?v=${brand.version}`;
  return (
    <html lang={t.tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        {options.leadsOnTo === undefined ? null : <meta http-equiv="refresh" content={`0; url=${options.leadsOnTo}`} />}
        <title>{`${options.title} · ${brand.name}`}</title>
        {[pagesCss, ...(options.styles ?? [])].map((sheet) => (
          <link key={sheet.file} rel="stylesheet" href={assetPath(site.path, sheet)} />
        ))}
        <link rel="stylesheet" href={branding} />
        <link rel="icon" href={faviconUrl ?? assetPath(site.path, icon)} referrerpolicy="no-referrer" />
        {[pagesScript, ...(options.scripts ?? [])].map((script) => (
          <script key={script.file} src={assetPath(site.path, script)} defer />
        ))}
      </head>
      <body>
        <div class={options.side === undefined ? 'frame' : 'frame area'}>
          {options.side === undefined ? null : (
            <a class="skip" href="#main">
              {t('frame.skip')}
            </a>
          )}
          <Header brand={brand} isWelcome={options.isWelcome ?? false} />
          {options.side === undefined ? null : <div class="side">{options.side}</div>}
          <main id="main">{body}</main>
          <Footer brand={brand} isWelcome={options.isWelcome ?? false} t={t} />
        </div>
      </body>
    </html>
  );
}

interface BrandProps {
  readonly brand: Brand;
  readonly isWelcome: boolean;
}

function Header({ brand: { name, settings }, isWelcome }: BrandProps) {
  const { logoUrl, welcomeText } = settings;
  return (
    <header class="brand">
      {logoUrl === null ? (
        <p class="brand-name">
          <Avatar name={name} />
          <span dir="auto">{name}</span>
        </p>
      ) : (
        <img class="logo" src={logoUrl} alt={name} referrerpolicy="no-referrer" />
      )}
      {isWelcome && welcomeText !== null ? (
        <p class="welcome" dir="auto">
          {welcomeText}
        </p>
      ) : null}
    </header>
  );
}

function Footer({ brand: { settings, markup }, isWelcome, t }: BrandProps & { readonly t: Texts }) {
  const { footerText, supportEmail } = settings;
  const own = isWelcome ? markup : '';
  if (own === '' && footerText === null && supportEmail === null) return null;
  return (
    <footer>
      {own === '' ? null : (
        // known elements and attributes alone: it passed the settings' rules of markup again when it was read
        <div class="own" dir="auto" dangerouslySetInnerHTML={{ __html: own }} />
      )}
      {footerText === null ? null : <p dir="auto">{footerText}</p>}
      {supportEmail === null ? null : (
        <p>
          {t('frame.needHelp')} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
        </p>
      )}
    </footer>
  );
}

function picturesIn(markup: string): string[] {
  return [...markup.matchAll(/\ssrc="(https:[^"]*)"/gi)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
}
