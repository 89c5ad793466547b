import { DOMParser } from '@xmldom/xmldom';
import { UpstreamError } from '../upstreams/upstream.ts';

export const namespaces = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

const DEPTH_MAX = 48;
/** Tags, comments and what else begins with `<`: of a message, which has some hundred. */
const MARKUP_MAX = 4000;

/** Anything that declares: a document type, and with it entities. Comments and character data may stand. */
const declaration = /<!(?!--|\[CDATA\[)/;

/**
 * Parses a document of somebody else's, within bounds that are looked at before the parser is.
 * @param markupMax how often `<` may stand in it
 * @throws UpstreamError `rejected` where it is malformed, declares a document type, is too large or nested too deeply
 */
export function parseXml(text: string, markupMax = MARKUP_MAX): Document {
  requireFew(text, markupMax);
  if (declaration.test(text)) throw new UpstreamError('rejected', 'the document declares a type');
  const fault = (message: string): never => {
    throw new UpstreamError('rejected', `the document is no XML: ${message.slice(0, 200)}`);
  };
  const parser = new DOMParser({ errorHandler: { warning: fault, error: fault, fatalError: fault } });
  const document = parser.parseFromString(text, 'text/xml');
  if (!document?.documentElement) throw new UpstreamError('rejected', 'the document is empty');
  requireShallow(document.documentElement);
  return document;
}

function requireFew(text: string, markupMax: number): void {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (++count > markupMax) throw new UpstreamError('rejected', 'the document is too large');
  }
}

/** What walks it later does so by recursion. */
function requireShallow(root: Element): void {
  let level: Element[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) throw new UpstreamError('rejected', 'the document is nested too deeply');
    level = level.flatMap((element) => elementsIn(element));
  }
}

export function elementsIn(parent: Element): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    // nodeType says that it is one
    if (node.nodeType === 1) found.push(node as Element);
  }
  return found;
}

/** Children of one name. */
export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return elementsIn(parent).filter((child) => child.namespaceURI === namespace && child.localName === name);
}

/** The only child of this name. @throws UpstreamError where there is none, or several */
export function onlyChild(parent: Element, namespace: string, name: string): Element {
  const [first, ...others] = childrenOf(parent, namespace, name);
  if (first === undefined || others.length > 0) {
    throw new UpstreamError('rejected', `${parent.localName} must have one ${name}`);
  }
  return first;
}

export function allOf(document: Document, namespace: string, name: string): Element[] {
  return Array.from(document.getElementsByTagNameNS(namespace, name));
}

/** All of the text, also where a comment cuts it in two. */
export function textOf(element: Element): string {
  return (element.textContent ?? '').trim();
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** An `xs:dateTime` with its zone, in milliseconds; `undefined` where the attribute is absent. @throws UpstreamError */
export function timeOf(element: Element, attribute: string): number | undefined {
  if (!element.hasAttribute(attribute)) return undefined;
  const text = element.getAttribute(attribute) ?? '';
  const time = dateTime.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UpstreamError('rejected', `${attribute} is no time`);
  return time;
}
