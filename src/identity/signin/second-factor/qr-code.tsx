import { encode } from 'uqr';

/** Every mask can be read; choosing the prettiest of all eight takes five times as long as drawing one. */
const MASK = 2;

/** A picture of a text for cameras, as drawing within the page: it is loaded from nowhere. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4, maskPattern: MASK });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
