import type { Texts } from '../../../texts/index.ts';
import { Button, Field, type FormFault } from '../../pages/index.ts';

interface CodeFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly faults: readonly FormFault[];
  readonly isFirst?: boolean;
}

/** A field for a code of six digits: from an application, or sent. */
export function CodeField(props: CodeFieldProps) {
  return <Field name="code" autocomplete="one-time-code" inputMode="numeric" maxLength={32} {...props} />;
}

/** Asks for a code, or for another one. */
export function SendButton({ isAgain, t }: { readonly isAgain: boolean; readonly t: Texts }) {
  return (
    <Button kind={isAgain ? 'other' : 'main'}>
      {t(isAgain ? 'secondFactor.sendAnother' : 'secondFactor.sendCode')}
    </Button>
  );
}
