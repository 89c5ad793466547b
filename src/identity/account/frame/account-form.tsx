import type { ComponentChildren } from 'preact';
import { Form } from '../../pages/index.ts';
import type { AccountVisit } from './account-endpoint.ts';

interface AccountFormProps {
  readonly visit: AccountVisit;
  /** Below `{issuer}`. */
  readonly path: `/account/${string}`;
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A form about the account of who is signed in now, and of nobody who signs in later in the same browser. */
export function AccountForm({ visit: { base, visitor, user }, path, hidden, id, children }: AccountFormProps) {
  return (
    <Form
      action={`${base}${path}`}
      csrf={visitor.csrf}
      hidden={{ ...hidden, account: user.id }}
      {...(id === undefined ? {} : { id })}
    >
      {children}
    </Form>
  );
}
