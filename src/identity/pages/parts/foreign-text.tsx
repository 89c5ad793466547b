import { visibleText } from '../../../platform/index.ts';

/** A name that somebody else has chosen, in a sentence of ours: it does not turn the words around it. */
export function Name({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}

interface QuotedProps {
  readonly text: string;
  /** Whose words, for screen readers. */
  readonly label: string;
}

/**
 * Somebody's own words, whole and as they were written: text alone, without links. What is long scrolls, so that it
 * pushes nothing off the page.
 */
export function Quoted({ text, label }: QuotedProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
    <figure class="quoted" aria-label={label} tabIndex={0} dir="auto">
      {visibleText(text)}
    </figure>
  );
}
