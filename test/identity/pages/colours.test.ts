import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialSettings } from '../../../src/directory/settings/truth/settings.ts';
import { brandingCss } from '../../../src/identity/pages/theme/branding-css.ts';
import { contrast, mix, readable, textOn } from '../../../src/platform/index.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('colours', () => {
  it('know contrast as WCAG has it', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#fff', '#ffffff')).toBe(1);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
  });

  it('stay as they are where they can be read, and move no further than they must', () => {
    expect(readable('#2563eb', '#ffffff', 4.5)).toBe('#2563eb');
    expect(readable('#ffff00', '#ffffff', 4.5)).not.toBe('#ffff00');
    fc.assert(
      fc.property(hex, hex, (colour, background) => {
        expect(contrast(readable(colour, background, 4.5), background)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(textOn(background), background)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe('the theme of an organization', () => {
  const modes = (css: string) => [...css.matchAll(/:root\{([^}]*)\}/g)].map(([, text = '']) => variables(text));
  const variables = (text: string) =>
    Object.fromEntries(text.split(';').map((pair) => pair.split(':') as [string, string]));

  it('can be read in light and dark, whatever colours were chosen', () => {
    fc.assert(
      fc.property(hex, hex, hex, hex, (primaryColor, textColor, backgroundGradientStart, backgroundGradientEnd) => {
        const branding = {
          ...initialSettings.branding,
          primaryColor,
          textColor,
          backgroundGradientStart,
          backgroundGradientEnd,
        };
        const all = modes(brandingCss(branding));
        expect(all).toHaveLength(2);
        for (const mode of all) {
          const ratio = (one: string, other: string) => contrast(mode[`--${one}`] ?? '', mode[`--${other}`] ?? '');
          for (const name of ['text', 'muted', 'link', 'danger', 'success']) {
            expect(ratio(name, 'surface')).toBeGreaterThanOrEqual(4.5);
          }
          for (const name of ['text', 'muted', 'link']) expect(ratio(name, 'tint')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('text', 'rule')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('danger', 'danger-surface')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('success', 'success-surface')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('text', 'field')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('text', 'danger-surface')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('button-text', 'button')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('button-text', 'button-hover')).toBeGreaterThanOrEqual(4.5);
          expect(ratio('button-line', 'surface')).toBeGreaterThanOrEqual(3);
          expect(mode['--button']).toBe(primaryColor);
          expect(ratio('line', 'field')).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });

  it.each(['#fde047', '#ffffff', '#000000', '#767676', '#dc2626'])(
    'leaves a brand’s colour as it is: %s',
    (primaryColor) => {
      const [light, dark] = modes(brandingCss({ ...initialSettings.branding, primaryColor }));
      expect([light?.['--button'], dark?.['--button']]).toEqual([primaryColor, primaryColor]);
    },
  );

  it('leaves a text’s colour as it is in light, where it has the contrast that is asked for', () => {
    const textOf = (textColor: string) => modes(brandingCss({ ...initialSettings.branding, textColor }))[0]?.['--text'];
    expect(textOf('#4b5563')).toBe('#4b5563');
    expect(contrast(textOf('#9ca3af') ?? '', '#ffffff')).toBeGreaterThanOrEqual(7);
  });

  it('has the organization’s own style sheet after it, where its rules admit it', () => {
    const own = '.brand-name { letter-spacing: 0.1em; }';
    expect(brandingCss({ ...initialSettings.branding, customCss: own })).toContain(own);
    const bad = '.x { background: url(https://evil.example/) }';
    expect(brandingCss({ ...initialSettings.branding, customCss: bad })).not.toContain('evil');
  });
});
