import { BoundedMap, type Store } from '#engine';
import { readSettings } from '../../../../directory/settings/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { OutboundError, type OutboundGuard, outboundRequest } from '../../../../platform/index.ts';
import { clientRecords, type ReadDocument, type RegisteredClient } from '../records/client-record.ts';
import type { ClientDependencies } from '../records/metadata-rules.ts';
import { isDocumentAddress } from './document-address.ts';
import { DOCUMENT_MAX_MS, freshMs } from './freshness.ts';
import { keepDocument, rescope } from './keep-document.ts';
import { allowedScopes, readDocument } from './read-document.ts';

/** Why a client whose id is the address of a document is not served. Nothing of it tells what a network looks like. */
export interface DocumentFault {
  readonly message: string;
  /** Whether the document itself is wrong; otherwise it could not be read now. */
  readonly isLasting: boolean;
}

const TIMEOUT_MS = 5_000;
const BODY_MAX = 65_536;
/** A failed address is not asked again for so long. This bounds requests; no answer is kept (draft, 5.2). */
const HOLD_MS = 5_000;
const HELD_MAX = 10_000;
/** Documents that are read at one time for one organization. */
const READING_MAX = 8;

/** Clients that are documents (OAuth Client ID Metadata Document): read where that is due, and kept as records. */
export class ClientDocuments {
  readonly #dependencies: ClientDependencies;
  readonly #reading = new Map<string, Promise<DocumentFault | undefined>>();
  readonly #readingOf = new Map<string, number>();
  readonly #held = new BoundedMap<string, { readonly fault: DocumentFault; readonly until: number }>(HELD_MAX);

  constructor(dependencies: ClientDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Brings the record of a client up to date. Whoever comes with another id, or to an organization that does not admit
   * such clients, is left to those who look for the client.
   * @param mayBeNew false where a client can have nothing to do that was never here before
   */
  async settle(
    organization: Organization,
    clientId: string,
    { mayBeNew }: { readonly mayBeNew: boolean },
  ): Promise<DocumentFault | undefined> {
    const { engine, clock, outbound } = this.#dependencies;
    if (!isDocumentAddress(clientId, outbound)) return undefined;
    const { store } = organization;
    const { isOpen, entry, scopes } = engine.read(() => standing(store, clientId));
    if (!isOpen || (entry === undefined ? !mayBeNew : !entry.document.isActive)) return undefined;
    if (clock.now() < (entry?.document.document?.freshUntil ?? 0)) {
      if (scopes !== undefined) await rescope(this.#dependencies, organization, clientId, scopes);
      return undefined;
    }
    const fault = await this.#read(organization, clientId);
    const readAt = entry?.document.document?.readAt ?? 0;
    // a host that is away for a while does not stop clients that were here
    const isStillGood = fault?.isLasting === false && clock.now() < readAt + DOCUMENT_MAX_MS;
    return isStillGood ? undefined : fault;
  }

  /** One reading at a time of each document, however many wait for it. */
  #read(organization: Organization, clientId: string): Promise<DocumentFault | undefined> {
    const documentKey = `${organization.id}\n${clientId}`;
    const running = this.#reading.get(documentKey);
    if (running !== undefined) return running;
    const held = this.#held.get(documentKey);
    if (held !== undefined && this.#dependencies.clock.now() < held.until) return Promise.resolve(held.fault);
    const count = this.#readingOf.get(organization.id) ?? 0;
    if (count >= READING_MAX) return Promise.resolve({ message: 'too many others are being read', isLasting: false });
    this.#readingOf.set(organization.id, count + 1);
    const reading = this.#request(organization, clientId)
      .then((fault) => {
        if (fault !== undefined)
          this.#held.set(documentKey, { fault, until: this.#dependencies.clock.now() + HOLD_MS });
        return fault;
      })
      .finally(() => {
        this.#reading.delete(documentKey);
        const left = (this.#readingOf.get(organization.id) ?? 1) - 1;
        if (left > 0) this.#readingOf.set(organization.id, left);
        else this.#readingOf.delete(organization.id);
      });
    this.#reading.set(documentKey, reading);
    return reading;
  }

  async #request(organization: Organization, clientId: string): Promise<DocumentFault | undefined> {
    const { outbound, clock, engine } = this.#dependencies;
    const answer = await answerOf(outbound, clientId);
    if ('message' in answer) return answer;
    const said = readDocument(answer.body, clientId, outbound);
    if ('fault' in said) return { message: said.fault, isLasting: true };
    const now = clock.now();
    const { scopes } = said;
    const document: ReadDocument = {
      readAt: now,
      freshUntil: now + answer.freshMs,
      ...(scopes === undefined ? {} : { scopes }),
    };
    const allowed = engine.read(() => allowedScopes(organization.store, scopes));
    return keepDocument(this.#dependencies, organization, clientId, { ...said.metadata, scopes: allowed }, document);
  }
}

/** A client as it stands, and the scopes that it may ask for now where those are others than on record. */
function standing(store: Store, clientId: string) {
  const entry: RegisteredClient | undefined = clientRecords.get(store, clientId);
  const isOpen = readSettings(store).oauth.clientDocuments;
  const now = entry && isOpen ? allowedScopes(store, entry.document.document?.scopes) : undefined;
  const isSame = now === undefined || now.join(' ') === entry?.document.scopes.join(' ');
  return { isOpen, entry, scopes: isSame ? undefined : now };
}

async function answerOf(
  outbound: OutboundGuard,
  url: string,
): Promise<DocumentFault | { readonly body: unknown; readonly freshMs: number }> {
  const away = (message: string): DocumentFault => ({ message, isLasting: false });
  const wrong = (message: string): DocumentFault => ({ message, isLasting: true });
  try {
    const headers = { accept: 'application/json' };
    const answer = await outboundRequest(outbound, { url, headers, timeoutMs: TIMEOUT_MS, bodyMax: BODY_MAX });
    const { status, contentType, body } = answer;
    if (status >= 500 || status === 429) return away('its host does not serve it now');
    if (status !== 200) return wrong('its host has no such document');
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) return wrong('it is no JSON');
    return { body: JSON.parse(body.toString('utf8')), freshMs: freshMs(answer) };
  } catch (error) {
    if (error instanceof SyntaxError) return wrong('it is no JSON');
    if (error instanceof OutboundError)
      return error.code === 'too_large' ? wrong('it is too long') : away('its host cannot be reached');
    throw error;
  }
}
