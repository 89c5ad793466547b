import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { inFamily } from './sections.ts';

const on = scene();
const patch = (body: object) => inFamily(on.org, 'org', 'PATCH', '/settings/branding', body);

describe('One origin, many organizations: a style sheet loads nothing and runs nothing', () => {
  test.each([
    'a { background: url(https://evil.example/x) }',
    'a { background: URL( "x" ) }',
    'a { background: u\\72l(x) }',
    'a { background: u\\000072 l(x) }',
    'a { background: \\75\\72\\6c(x) }',
    'a { background: u\\72\r\nl(x) }',
    '@import "x";',
    '@IMPORT url(x);',
    '@im\\70ort "x";',
    '/* a */ @import/**/"x";',
    '"/*" ; a { background: url(x) } "*/"',
    'a { background: image-set("x" 1x) }',
    'a { background: -webkit-image-set(url(x) 1x) }',
    'a { background: image("x") }',
    'a { background: cross-fade(x, y) }',
    'a { background: src("x") }',
    '@font-face { font-family: x }',
    '@namespace svg "x";',
    'a { width: expression(alert(1)) }',
    'a { -moz-binding: x }',
    'a { behavior: x }',
    '</style><script>alert(1)</script>',
    'a {} <!-- ',
  ])('%j is refused', async (css) => {
    const answer = await patch({ custom_css: css });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'custom_css' }] } });
  });

  test.each([
    '.card { border-radius: 12px; color: #fff }',
    '@media (max-width: 600px) and (width >= 10px) { a > b { margin: calc(1px + 2%) } }',
    ':root { --accent: rgb(1 2 3 / 50%) } a::after { content: "\\2014 x" }',
    '/* a comment, and a .curl(x) */',
    '',
  ])('%j is kept as it is', async (css) => {
    expect((await patch({ custom_css: css })).at('data.data.custom_css')).toBe(css);
  });
});

describe('One origin, many organizations: markup has no forms, inputs or scripts', () => {
  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC="https://evil.example/x.js"></SCRIPT>',
    '<form action="https://evil.example"><p>x</p></form>',
    '<input name="password">',
    '<button>x</button>',
    '<textarea></textarea>',
    '<select></select>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="x"></object>',
    '<embed src="x">',
    '<svg onload="alert(1)"></svg>',
    '<math></math>',
    '<style>a{}</style>',
    '<link rel="stylesheet" href="https://evil.example">',
    '<meta http-equiv="refresh" content="0">',
    '<base href="https://evil.example/">',
    '<template></template>',
    '<p onclick="alert(1)">x</p>',
    '<p style="background:url(x)">x</p>',
    '<p id="password">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="https://x.example/&colon;">x</a>',
    '<img src="http://a.example/x.png">',
    '<img src=x>',
    '<img src="https://a.example/x.png" onerror="alert(1)">',
    "<p class='a'>x</p>",
    '<p class="a"onclick="b">x</p>',
    '<!-- x -->',
    '<!doctype html>',
    '<?php ?>',
    '<![CDATA[x]]>',
    'a < b',
    '<p',
    '<p>x',
    'x</p>',
    '<p><b>x</p></b>',
    '</div></div>',
    '<p/ onclick="x">a</p>',
    '<constructor></constructor>',
  ])('%j is refused', async (html) => {
    const answer = await patch({ custom_html: html });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'custom_html' }] } });
  });

  test.each([
    '<p class="note">Ask the <a href="https://acme.example/help?a=1&amp;b=2" title="Help">help desk</a>.</p>',
    '<div><h2>Hi</h2><ul><li>a</li><li><strong>b</strong></li></ul><hr><br/></div>',
    '<img src="https://a.example/l.png" alt="Acme" width="10" height="10">',
    '<a href="mailto:help@acme.example">mail</a>',
    'plain text &lt;3',
    '',
  ])('%j is kept as it is', async (html) => {
    expect((await patch({ custom_html: html })).at('data.data.custom_html')).toBe(html);
  });

  test('Slow by input: what is long and nearly right is judged at once', async () => {
    const began = Date.now();
    for (const text of ['<', '<a ', '<p a="" ', '\\', '/*', 'url', '&', '<b>']) {
      const long = text.repeat(Math.floor(65_000 / text.length));
      await patch({ custom_html: long });
      await patch({ custom_css: long });
    }
    expect(Date.now() - began).toBeLessThan(30_000);
  });
});
