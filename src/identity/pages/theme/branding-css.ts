import { type Settings, styleSheetFault } from '../../../directory/settings/index.ts';
import { contrast, mix, readable, textOn } from '../../../platform/index.ts';

type Branding = Settings['branding'];

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT = 4.5;
const SHAPE = 3;

/** Text has the contrast of WCAG 2.2, 1.4.6, or more: what is read most should be read best. */
const light = { surface: '#ffffff', field: '#ffffff', pole: '#ffffff', body: 7 };
const dark = { surface: '#161a22', field: '#0f131a', pole: '#06080c', body: 13 };

type Mode = typeof light;

/**
 * Custom properties for `pages.css`. Where the organization's colour fills something, it stays what it is: the text on it
 * is black or white, and a line around it tells it from the page. Where it is text itself, it is moved as far as it must
 * be to be read.
 */
export function themeCss(branding: Branding): string {
  return [
    `:root{color-scheme:light dark;${variables(branding, light, 0)}}`,
    `@media (prefers-color-scheme:dark){:root{${variables(branding, dark, 0.96)}}}`,
  ].join('\n');
}

/** `branding.css`: the theme, and after it what the organization has written itself. */
export function brandingCss(branding: Branding): string {
  const { customCss } = branding;
  const own = customCss !== null && styleSheetFault(customCss) === undefined ? customCss : '';
  return `${themeCss(branding)}\n${own}\n`;
}

function variables(branding: Branding, mode: Mode, darkening: number): string {
  const { primaryColor, textColor, backgroundType, backgroundGradientStart, backgroundGradientEnd } = branding;
  const { surface, field } = mode;
  const start = mix(backgroundGradientStart, mode.pole, darkening);
  const end = backgroundType === 'gradient' ? mix(backgroundGradientEnd, mode.pole, darkening) : start;
  const text = readable(textColor, surface, mode.body);
  // the darkest ground that text stands on in light, the lightest in dark: what is read there is read everywhere
  const tint = mix(text, surface, 0.965);
  const button = primaryColor;
  const dangerSurface = mix(surface, '#b91c1c', 0.07);
  const successSurface = mix(surface, '#15803d', 0.09);
  const values: Readonly<Record<string, string>> = {
    surface,
    tint,
    field,
    text,
    muted: readable(mix(text, surface, 0.35), tint, TEXT),
    line: readable(mix(text, surface, 0.6), field, SHAPE),
    rule: mix(text, surface, 0.85),
    link: readable(primaryColor, tint, TEXT),
    button,
    'button-text': textOn(button),
    'button-line': readable(button, surface, SHAPE),
    'button-hover': hovered(button),
    start,
    end,
    danger: readable('#b91c1c', dangerSurface, TEXT),
    'danger-surface': dangerSurface,
    success: readable('#15803d', successSurface, TEXT),
    'success-surface': successSurface,
    warning: readable('#b45309', surface, SHAPE),
  };
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

/** Away from the colour of its text, so that the text is only easier to read. */
function hovered(button: string): string {
  const pole = textOn(button) === '#ffffff' ? '#000000' : '#ffffff';
  const shade = mix(button, pole, 0.15);
  return contrast(shade, textOn(button)) >= TEXT ? shade : button;
}
