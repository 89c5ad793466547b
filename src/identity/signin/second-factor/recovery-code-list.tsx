import type { Texts } from '../../../texts/index.ts';

interface RecoveryCodeListProps {
  readonly codes: readonly string[];
  readonly t: Texts;
  /** Whose they are: for the file, and on paper. */
  readonly organization: string;
  readonly account: string;
}

/** Recovery codes, this once. The buttons to take them along come with `pages.js`, and make the file in the browser. */
export function RecoveryCodeList({ codes, t, organization, account }: RecoveryCodeListProps) {
  const heading = t('recovery.heading', { organization, account });
  return (
    <div class="codes" data-codes data-heading={heading} data-file={t('recovery.file')}>
      <p>{t('recovery.keep')}</p>
      <p class="on-paper">{heading}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="codes-buttons">
        <Deed deed="copy">{t('recovery.copy')}</Deed>
        <Deed deed="download">{t('recovery.download')}</Deed>
        <Deed deed="print">{t('recovery.print')}</Deed>
      </p>
      <p class="hint" role="status" data-copied={t('recovery.copied')} data-failed={t('recovery.copyFailed')} />
    </div>
  );
}

function Deed({ deed, children }: { readonly deed: 'copy' | 'download' | 'print'; readonly children: string }) {
  return (
    <button type="button" class="button other small" data-deed={deed} hidden>
      {children}
    </button>
  );
}
