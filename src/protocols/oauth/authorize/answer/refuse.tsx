import type { Problem, Reply } from '../../../../http/index.ts';
import { Button, ButtonLink, type PageContext, renderPage, sourceOf } from '../../../../identity/pages/index.ts';
import type { Texts } from '../../../../texts/index.ts';
import type { ClientEntry } from '../../clients/index.ts';
import { protocolError } from '../../errors/index.ts';
import type { AnswerTarget } from '../request/authorization-request.ts';
import { answerAddress, answerParameters, sendAnswer } from './send-answer.ts';

export interface Refusal {
  /** The page of the one who is to be told. */
  readonly context: PageContext;
  readonly issuer: string;
  readonly client: ClientEntry;
  readonly target: AnswerTarget;
  /** Whether the user has let in this client before, or the client wants an answer without any page (`prompt=none`). */
  readonly isHarmless: boolean;
}

/**
 * Tells the client that its request is refused (RFC 6749, 4.1.2.1). A browser goes by itself only where that leads to
 * somebody known: whoever registers a client can choose any address, and would make this service lead people there who
 * trust in its own (RFC 9700, 4.11.2). Then they decide.
 */
export function refuse(refusal: Refusal, problem: Problem): Reply<never> {
  const { context, issuer, client, target, isHarmless } = refusal;
  const said = protocolError(problem);
  return client.document.kind === 'admin' || isHarmless
    ? sendAnswer(context.t, target, issuer, said)
    : farewell(refusal, said);
}

/** Descriptions are for those who build the application, in English alone; the code says the same in every language. */
function reasonOf(t: Texts, { error = '', error_description: description = '' }: Said): string {
  return t.language === 'en' ? description : error;
}

type Said = Readonly<Record<string, string>>;

function farewell({ context, issuer, client, target }: Refusal, said: Said): Reply<never> {
  const parameters = answerParameters(target, issuer, said);
  const { host, protocol } = new URL(target.redirectUri);
  const place = host === '' ? protocol : host;
  const { t } = context;
  const title = t('consent.leaveTitle');
  return renderPage(
    context,
    { title, leadsTo: [sourceOf(target.redirectUri)] },
    <>
      <h1>{title}</h1>
      <p>{t('consent.leaveReason', { application: client.document.name, reason: reasonOf(t, said) })}</p>
      <p class="caution">{t.rich('consent.leaveCaution', { place: <strong>{place}</strong> })}</p>
      {target.responseMode === 'form_post' ? (
        <form method="post" action={target.redirectUri}>
          {[...parameters].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button kind="other">{t('consent.continueTo', { place })}</Button>
        </form>
      ) : (
        <ButtonLink href={answerAddress(target, parameters)}>{t('consent.continueTo', { place })}</ButtonLink>
      )}
    </>,
  );
}
