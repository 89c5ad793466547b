interface AvatarProps {
  readonly name: string;
  readonly picture?: string | undefined;
  readonly size?: 'small' | 'large';
}

/** A picture of somebody, or of something; its first letters until the picture is there, and where there is none. */
export function Avatar({ name, picture, size = 'small' }: AvatarProps) {
  return (
    <span class={`avatar ${size}`} aria-hidden="true">
      {monogramOf(name)}
      {picture === undefined ? null : <img src={picture} alt="" referrerpolicy="no-referrer" />}
    </span>
  );
}

interface SignedInAsProps {
  readonly label: string;
  /** The address. */
  readonly account: string;
}

/** Whose account it is that something is asked for. */
export function SignedInAs({ label, account }: SignedInAsProps) {
  return (
    <p class="signed-in-as">
      <Avatar name={account} />
      <span>
        <span class="hint">{label}</span> <strong dir="auto">{account}</strong>
      </span>
    </p>
  );
}

const word = /[\p{L}\p{N}]/u;

/** `AE` for Anne van den Example, `a` for anne@example.com: one letter or two, never half of one. */
export function monogramOf(name: string): string {
  const words =
    name
      .split(/@/, 1)[0]
      ?.split(/\s+/)
      .filter((each) => word.test(each)) ?? [];
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map(firstLetter).join('').toLocaleUpperCase();
}

const letters = new Intl.Segmenter();

function firstLetter(text: string | undefined): string {
  for (const { segment } of letters.segment(text ?? '')) if (word.test(segment)) return segment;
  return '';
}
