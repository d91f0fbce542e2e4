/** The forms of texts that no length can express. */
import { RE2JS } from 're2js';
import { SaxesParser } from 'saxes';
import type { ValueKind } from '../../api/modules.ts';
import { attempt } from './attempt.ts';

const LABEL = /^\w(?:[\w-]{0,61}\w)?$/;
const ADDRESS = /^\[[0-9A-Fa-f:.]{2,45}\]$/;
const PORT = /^[1-9][0-9]{0,4}$/;
const MAX_PORT = 65_535;

/** An address in brackets, or a name, which may begin with a wildcard. */
function isHost(sent: string): boolean {
  if (ADDRESS.test(sent)) {
    return true;
  }
  const labels = sent.replace(/^\*\./, '').split('.');
  return labels.every((label) => LABEL.test(label));
}

export function isHostport(sent: string): boolean {
  const colon = sent.lastIndexOf(':');
  const host = sent.slice(0, Math.max(colon, 0));
  const port = sent.slice(colon + 1);
  return PORT.test(port) && Number(port) <= MAX_PORT && isHost(host);
}

const BYTE_ORDER_MARK = '\ufeff';

function isPathCharacter(character: string): boolean {
  // The space, and what ASCII has before it.
  if (character <= ' ' || '?#\u007f\u0085'.includes(character)) {
    return false;
  }
  // `\s` has the byte order mark, which is not white space of Unicode.
  return character === BYTE_ORDER_MARK || !/\s/.test(character);
}

/** A path, which may begin with a host. */
export function isMatch(sent: string): boolean {
  const [host = ''] = sent.split('/', 1);
  const path = sent.slice(host.length);
  const hasRightStart = sent.startsWith('/') || isHost(host);
  return hasRightStart && Array.from(path).every(isPathCharacter);
}

const ID = /^[\w-]+$/;
const EVENT_TYPE = /^[a-z][a-z0-9_]*\.v(?:0|[1-9][0-9]*)$/;

export const isId = (sent: string): boolean => ID.test(sent);

export const isEventType = (sent: string): boolean => EVENT_TYPE.test(sent);

/** The characters of URIs (RFC 3986), which unlike IRIs are ASCII alone. */
const URI_CHARACTERS = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

const isUri = (sent: string): boolean => URL.canParse(sent) && URI_CHARACTERS.test(sent);

/** The name of an element, with or without a prefix. */
const ENTITY_DESCRIPTOR = /^(?:[^:]+:)?EntityDescriptor$/;

function isIdpMetadata(sent: string): boolean {
  const root = rootOf(sent);
  return root !== undefined && ENTITY_DESCRIPTOR.test(root);
}

/**
 * The name of the root of an XML document; undefined if it is not well-formed, or if it has a
 * document type.
 */
function rootOf(text: string): string | undefined {
  let root: string | undefined;
  const refuse = () => {
    throw new Error('not a well-formed document without a document type');
  };
  const parser = new SaxesParser();
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name }) => {
    root ??= name;
  });
  return attempt(() => {
    parser.write(text).close();
    return root;
  });
}

/** A token of HTTP (RFC 9110, 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const FORMS: Record<NonNullable<ValueKind['form']>, (sent: string) => boolean> = {
  id: isId,
  'header name': (sent) => HEADER_NAME.test(sent),
  'header value': (sent) => !/[\r\n\0]/.test(sent),
  'webhook provider': (sent) => /^[a-z0-9_]+$/.test(sent),
  team: (sent) => /^[^/]+\/[^/]+$/.test(sent),
  uri: isUri,
  re2: (sent) => attempt(() => RE2JS.compile(sent)) !== undefined,
  'idp metadata': isIdpMetadata,
};
