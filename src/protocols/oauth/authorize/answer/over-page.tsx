import type { Engine, Store } from '#engine';
import { ProblemError, problem, type Reply } from '../../../../http/index.ts';
import { ButtonLink, issuerPath, type PageContext, renderPage } from '../../../../identity/pages/index.ts';
import { said } from '../../../../texts/index.ts';
import { type ClientRecord, clientRecords } from '../../clients/index.ts';

/** The request is not there, or not for this browser: it was answered, took too long, or was begun elsewhere. */
export class RequestOver extends ProblemError {
  constructor() {
    super(problem('not_found', said('consent.overText')));
  }
}

/** Goes on, and where the request is over, tells the user where to begin anew. */
export async function orOver(
  engine: Engine,
  context: PageContext,
  clientId: string | undefined,
  goOn: () => Promise<Reply<never>>,
): Promise<Reply<never>> {
  try {
    return await goOn();
  } catch (error) {
    if (!(error instanceof RequestOver)) throw error;
    const client = engine.read(() => knownClient(context.organization.store, clientId));
    return overPage(context, client);
  }
}

/** One that an administrator has registered: anybody could name another. */
function knownClient(store: Store, clientId = ''): ClientRecord | undefined {
  const client = clientRecords.get(store, clientId)?.document;
  return client?.kind === 'admin' && client.isActive ? client : undefined;
}

function overPage(context: PageContext, client: ClientRecord | undefined): Reply<never> {
  const { t } = context;
  const title = t('consent.overTitle');
  const base = issuerPath(context.site, context.organization.slug);
  return renderPage(
    context,
    { title, status: 404 },
    <>
      <h1>{title}</h1>
      <p>{t('consent.overText')}</p>
      <p>{client === undefined ? t('consent.overBackUnknown') : t('consent.overBack', { application: client.name })}</p>
      {client?.clientUri === undefined ? null : (
        <ButtonLink href={client.clientUri}>{t('consent.goTo', { application: client.name })}</ButtonLink>
      )}
      <ButtonLink href={`${base}/account`}>{t('consent.account')}</ButtonLink>
    </>,
  );
}
