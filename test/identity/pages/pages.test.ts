import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignInWorld } from '../signin/world.ts';

const branding = {
  logo_url: 'https://cdn.example/logo.svg',
  favicon_url: 'https://icons.example/icon.png',
  welcome_text: 'Good to <see> you',
  footer_text: 'Made by us & friends',
  primary_color: '#ffee00',
  text_color: '#333333',
  background_type: 'gradient',
  background_gradient_start: '#ff0000',
  background_gradient_end: '#0000ff',
  custom_css: '.brand-name { font-style: italic; }',
  custom_html:
    '<p>Read <a href="https://acme.example/terms">our terms</a> <img src="https://pics.example/a.png" alt=""></p>',
};

describe('pages of an organization', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  const policyOf = (headers: Headers) =>
    new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((each) => {
        const [name = '', ...values] = each.split(' ');
        return [name, values.join(' ')] as const;
      }),
    );

  it('load nothing but their own, run nothing inline, and stand in no frame', async () => {
    const site = await world.organization();
    const { headers, html } = await site.begin(site.browser());
    const policy = policyOf(headers);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('form-action')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|data:|blob:/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect(html).not.toMatch(/<style|<script[^>]*>[^<]|\sstyle=|\son[a-z]+=|javascript:/);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain('<main');
  });

  it('let their forms end where the application is, and nowhere else', async () => {
    const site = await world.organization();
    const policyFor = async (leadsTo: string) =>
      policyOf((await site.begin(site.browser(), { leadsTo })).headers).get('form-action');
    expect(await policyFor('https://app.example')).toBe("'self' https://app.example");
    expect(await policyFor('com.example.app:')).toBe("'self' com.example.app:");
    expect(await policyFor("https://a.example; script-src 'unsafe-inline'")).toBe("'self'");
    expect(await policyFor('*')).toBe("'self'");
  });

  it('look and speak as the settings of branding say', async () => {
    const site = await world.organization({
      branding,
      general: { name: 'Acme "Inc" <b>', supportEmail: 'help@acme.example' },
    });
    const browser = site.browser();
    const page = await site.begin(browser);
    const policy = policyOf(page.headers);
    expect(policy.get('img-src')).toBe("'self' https://cdn.example https://icons.example https://pics.example");
    expect(page.title).toBe('Sign in · Acme "Inc" <b>');
    expect(page.html).toContain('src="https://cdn.example/logo.svg" alt="Acme &quot;Inc&quot; &lt;b');
    expect(page.text).toContain('Good to <see> you');
    expect(page.text).toContain('Made by us & friends');
    expect(page.link('our terms').href).toBe('https://acme.example/terms');
    expect(page.link('help@acme.example').href).toBe('mailto:help@acme.example');
    expect(page.html).toContain('<link rel="icon" href="https://icons.example/icon.png"');
    const href = /href="([^"]*branding\.css[^"]*)"/.exec(page.html)?.[1] ?? '';
    const css = await browser.open(href);
    expect(css.html).toContain('.brand-name { font-style: italic; }');
    expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(css.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await browser.open(`${site.base}/branding.css?v=other`)).headers.get('cache-control')).toBe('no-store');
    // another version under another address
    await site.set('branding', { primary_color: '#00ff00' });
    const next = /href="([^"]*branding\.css[^"]*)"/.exec((await browser.open(page.url)).html)?.[1];
    expect(next).not.toBe(href);
  });

  it('let each of the organization’s own texts run in its own direction', async () => {
    const site = await world.organization({
      general: { name: 'مؤسسة (HQ)' },
      branding: { welcome_text: 'ברוכים', footer_text: '© مؤسسة', custom_html: '<p>أهلا</p>' },
    });
    const { html, title } = await site.begin(site.browser());
    expect(title).toBe('Sign in · مؤسسة (HQ)');
    for (const text of ['مؤسسة (HQ)', 'ברוכים', '© مؤسسة', '<p>أهلا</p>']) expect(html).toContain(`dir="auto">${text}`);
  });

  it('are reached by the address of the organization alone, as the reference is by that of the service', async () => {
    const site = await world.organization();
    expect((await site.browser().open(site.base)).heading).toBe('Sign in');
    const reference = await site.browser().open('/');
    expect([reference.status, reference.url.pathname]).toEqual([200, '/docs']);
  });

  it('name their style sheet by its content, and let it be kept', async () => {
    const site = await world.organization();
    const browser = site.browser();
    const page = await site.begin(browser);
    const href = /href="(\/assets\/pages-[0-9a-f]{16}\.css)"/.exec(page.html)?.[1] ?? '';
    const css = await browser.open(href);
    expect(css.status).toBe(200);
    expect(css.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await browser.open('/assets/pages-0000000000000000.css')).status).toBe(404);
    expect((await browser.open('/assets/..%2fpackage.json')).status).toBe(404);
  });

  it('say what to do where something is wrong, in the organization’s own frame', async () => {
    const site = await world.organization({ branding });
    const page = await site.browser().open(`${site.base}/signin?flow=no-such-flow`);
    expect(page.status).toBe(404);
    expect(page.heading).toBe('This sign-in has expired');
    expect(page.text).toContain('start again');
    expect(page.html).toContain('cdn.example/logo.svg');
    expect(page.html).not.toContain('our terms');
    expect(policyOf(page.headers).get('default-src')).toBe("'none'");
  });

  it('say so without one where there is no organization, or the request cannot be read', async () => {
    const site = await world.organization();
    const browser = site.browser();
    const unknown = await browser.open('/orgs/no-such-organization/signin');
    expect([unknown.status, unknown.heading]).toEqual([404, 'Page not found']);
    const long = await browser.open(`${site.base}/signin?flow=${'x'.repeat(100)}`);
    expect(long.status).toBe(400);
    expect(long.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('say so where there is no page, and where there is only what a form is sent to', async () => {
    const site = await world.organization();
    const browser = site.browser();
    for (const path of ['/nowhere', '/account/nowhere']) {
      const { status, heading, headers } = await browser.open(`${site.base}${path}`);
      expect([status, heading, headers.get('x-frame-options')], path).toEqual([404, 'Page not found', 'DENY']);
    }
    const form = await browser.open(`${site.base}/account/sessions/end`);
    expect([form.status, form.heading]).toEqual([405, 'This page can’t be opened']);
    for (const path of ['/api/v1/nowhere', '/.well-known/nowhere']) {
      const { status, headers } = await browser.open(`${site.base}${path}`);
      expect([status, headers.get('content-type')], path).toEqual([404, 'application/problem+json']);
    }
  });

  it('are no part of the interface that is described', async () => {
    const answer = await world.provider.service.call('GET', '/openapi.json');
    const paths = Object.keys(answer.at('paths') as object);
    expect(
      paths.filter((path) =>
        /^\/assets|^\/orgs\/\{orgId\}\/(?!api\/|scim2\.0|\.well-known)|^\/(orgs\/\{orgId\})?$/.test(path),
      ),
    ).toEqual([]);
  });
});
