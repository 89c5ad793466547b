/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [number, number, number];

/** @param hex `#abc` or `#aabbcc`, as settings admit it */
function parse(hex: string): Colour {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function format(colour: Colour): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = parse(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Colour; // three in, three out
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** @param share of the second colour, from 0 to 1 */
export function mix(one: string, other: string, share: number): string {
  const [from, to] = [parse(one), parse(other)];
  return format(from.map((part, index) => part + ((to[index] as number) - part) * share) as unknown as Colour);
}

const STEPS = 40;

/** The colour itself where it stands out enough, else the nearest shade of it towards black or white that does. */
export function readable(colour: string, background: string, ratio: number): string {
  const pole = contrast('#ffffff', background) > contrast('#000000', background) ? '#ffffff' : '#000000';
  for (let step = 0; step < STEPS; step++) {
    const shade = mix(colour, pole, step / STEPS);
    if (contrast(shade, background) >= ratio) return shade;
  }
  return pole;
}

/** Black or white: one of them has a contrast of 4.5 on every colour. */
export function textOn(background: string): string {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';
}
