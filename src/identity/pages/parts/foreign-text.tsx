import { visibleText } from '../../../platform/index.ts';

/** A name that somebody else has chosen, in a sentence of ours: it does not turn the words around it. */
export function Name({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}

/** For screen readers: what a button or link among many alike is about. */
export function About({ name }: { readonly name: string }) {
  return (
    <span class="unseen">
      {' '}
      <Name text={name} />
    </span>
  );
}

interface SlugAndTextProps {
  readonly slug: string;
  /** What stands above: a slug that is its own name is not said again. */
  readonly name: string;
  readonly text: string | undefined;
  readonly isHint?: boolean;
}

/** What a permission is called in requests, and what people say of it. */
export function SlugAndText({ slug, name, text, isHint = false }: SlugAndTextProps) {
  const isSaid = name === slug;
  if (isSaid && text === undefined) return null;
  return (
    <p class={isHint ? 'hint' : undefined}>
      {isSaid ? null : <code>{slug}</code>}
      {isSaid || text === undefined ? null : ': '}
      {text === undefined ? null : <Name text={text} />}
    </p>
  );
}

interface QuotedProps {
  readonly text: string;
  /** Whose words, for screen readers. */
  readonly label: string;
}

/** Somebody's own words, whole and as they were written: text alone, without links. */
export function Quoted({ text, label }: QuotedProps) {
  return (
    <figure class="quoted" aria-label={label} dir="auto">
      {visibleText(text)}
    </figure>
  );
}
