/** The forms of texts, each by a function of its own. */
import { isIPv6 } from 'node:net';
import { RE2JS } from 're2js';
import { SaxesParser } from 'saxes';
import type { Kind } from '../../api/modules.ts';

const LABEL = /^\w(?:[\w-]{0,61}\w)?$/;
const ADDRESS = /^\[[0-9A-Fa-f:.]{2,45}\]$/;

/** An address in brackets, or a name, perhaps with a wildcard before it. */
function isHost(sent: string): boolean {
  if (ADDRESS.test(sent)) return true;
  const labels = sent.replace(/^\*\./, '').split('.');
  return labels.every((label) => LABEL.test(label));
}

export function isHostport(sent: string): boolean {
  const colon = sent.lastIndexOf(':');
  const port = sent.slice(colon + 1);
  return /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535 && isHost(sent.slice(0, Math.max(colon, 0)));
}

/** `x > ' '` excludes the space and what ASCII has before it. The byte order mark is not white space of Unicode. */
const isPathCharacter = (character: string) =>
  character > ' ' && !'?#\u007f\u0085'.includes(character) && (character === '\ufeff' || !/\s/.test(character));

export function isMatch(sent: string): boolean {
  const slash = sent.indexOf('/');
  const host = slash < 0 ? sent : sent.slice(0, slash);
  const path = slash < 0 ? '' : sent.slice(slash);
  return (slash === 0 || isHost(host)) && Array.from(path).every(isPathCharacter);
}

export const isId = (sent: string) => /^[\w-]+$/.test(sent);

export const isEventType = (sent: string) => /^[a-z][a-z0-9_]*\.v(?:0|[1-9][0-9]*)$/.test(sent);

const PARTS = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^@]*)@)?(?:\[([^\]]*)\]|([^:@[\]]*))(?::[0-9]*)?$/;
const FUTURE_ADDRESS = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** Text of unreserved characters, subdelimiters, percent-encoded bytes, and `more`. */
const made = (more: string) => new RegExp(`^(?:[\\w.~!$&'()*+,;=${more}-]|%[0-9A-Fa-f]{2})*$`);
const [REGISTERED, USER, PATH, QUERY] = ['', ':', ':@/', ':@/?'].map(made) as [RegExp, RegExp, RegExp, RegExp];

function isAuthority(text: string): boolean {
  const parts = AUTHORITY.exec(text);
  if (parts === null) return false;
  const [, user = '', address, name = ''] = parts;
  if (!USER.test(user) || !REGISTERED.test(name)) return false;
  // `isIPv6` accepts a zone, which a URI does not have in this form.
  return address === undefined || FUTURE_ADDRESS.test(address) || (isIPv6(address) && !address.includes('%'));
}

/** Absolute URIs (RFC 3986), which unlike IRIs are ASCII alone. */
function isUri(text: string): boolean {
  const parts = PARTS.exec(text);
  if (parts === null) return false;
  const [, authority, path = '', query = '', fragment = ''] = parts;
  if (authority !== undefined && !isAuthority(authority)) return false;
  return PATH.test(path) && QUERY.test(query) && QUERY.test(fragment);
}

function isExpression(sent: string): boolean {
  try {
    RE2JS.compile(sent);
    return true;
  } catch {
    return false;
  }
}

/** The root of a well-formed XML document without a document type; undefined for a text that is no such document. */
function rootOf(text: string): string | undefined {
  let root: string | undefined;
  const refuse = () => {
    throw new Error('This is no such document.');
  };
  const parser = new SaxesParser();
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name }) => (root ??= name));
  try {
    parser.write(text).close();
    return root;
  } catch {
    return undefined;
  }
}

export const FORMS: Record<NonNullable<Kind['form']>, (sent: string) => boolean> = {
  id: isId,
  'header name': (sent) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(sent),
  'header value': (sent) => !/[\r\n\0]/.test(sent),
  'webhook provider': (sent) => /^[a-z0-9_]+$/.test(sent),
  team: (sent) => /^[^/]+\/[^/]+$/.test(sent),
  uri: isUri,
  re2: isExpression,
  'idp metadata': (sent) => /^(?:[^:]+:)?EntityDescriptor$/.test(rootOf(sent) ?? ''),
};
