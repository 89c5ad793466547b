import { readable, textOn } from './colours.ts';

/** WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5;

/** What a mail says, without its layout. */
export interface MailContent {
  /** Of the text: a language tag; English where omitted. */
  readonly language?: string | undefined;
  readonly subject: string;
  /** Whose mail it is. */
  readonly brand: { readonly name: string; readonly colour: string; readonly footer?: string | undefined };
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** One link, shown as a button and written out for those who see no button. */
  readonly action?: { readonly label: string; readonly url: string } | undefined;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The two bodies of a mail. Everything that is said is escaped; nothing is loaded when it is opened. */
export function composeMail({ language = 'en', subject, brand, heading, paragraphs, action }: MailContent): MailText {
  const url = action === undefined ? undefined : linkOf(action.url);
  const footer = brand.footer ?? brand.name;
  const text = [heading, ...paragraphs, ...(action && url ? [`${action.label}:\n${url}`] : []), `-- \n${footer}`];
  const html = [
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"></head>`,
    '<body style="margin:0;padding:24px;font-family:sans-serif;color:#111827;background:#f9fafb">',
    '<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">',
    `<p style="margin:0 0 16px;font-weight:bold;color:${readable(colourOf(brand.colour), '#ffffff', TEXT_CONTRAST)}">${escapeHtml(brand.name)}</p>`,
    `<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((each) => `<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(each)}</p>`),
    ...(action && url ? [button(action.label, url, colourOf(brand.colour))] : []),
    `<p style="margin:24px 0 0;font-size:12px;color:#6b7280">${escapeHtml(footer)}</p>`,
    '</div></body></html>',
  ];
  return { subject, text: `${text.join('\n\n')}\n`, html: html.join('\n') };
}

function button(label: string, url: string, colour: string): string {
  const style = `display:inline-block;padding:10px 18px;border-radius:6px;background:${colour};color:${textOn(colour)}`;
  return [
    `<p style="margin:0 0 16px"><a href="${escapeHtml(url)}" style="${style};text-decoration:none">${escapeHtml(label)}</a></p>`,
    `<p style="margin:0;font-size:12px;color:#6b7280;word-break:break-all">${escapeHtml(url)}</p>`,
  ].join('\n');
}

/** @throws RangeError where a link of the service's own is none: a fault of the caller */
function linkOf(text: string): string {
  const { protocol, href } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') throw new RangeError('a mail links to http and https alone');
  return href;
}

function colourOf(text: string): string {
  return /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/.test(text) ? text : '#111827';
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, between tags and in the quotes of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
