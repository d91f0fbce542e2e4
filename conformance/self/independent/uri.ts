/** Absolute URIs (RFC 3986), which unlike IRIs are ASCII alone. */
import { isIPv6 } from 'node:net';
import type { Form } from './check.ts';

const PARTS = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^@]*)@)?(?:\[([^\]]*)\]|([^:@[\]]*))(?::[0-9]*)?$/;
const FUTURE_ADDRESS = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** Text of unreserved characters, subdelimiters, percent-encoded bytes, and `more`. */
const made = (more: string) => new RegExp(`^(?:[\\w.~!$&'()*+,;=${more}-]|%[0-9A-Fa-f]{2})*$`);
const NAME = made('');
const USER = made(':');
const PATH = made(':@/');
const QUERY = made(':@/?');

function isAuthority(text: string): boolean {
  const parts = AUTHORITY.exec(text);
  if (parts === null) return false;
  const [, user = '', address, name = ''] = parts;
  if (!USER.test(user) || !NAME.test(name)) return false;
  // `isIPv6` lets a zone pass, which a URI does not have in this form.
  return address === undefined || FUTURE_ADDRESS.test(address) || (isIPv6(address) && !address.includes('%'));
}

function isUri(text: string): boolean {
  const parts = PARTS.exec(text);
  if (parts === null) return false;
  const [, authority, path = '', query = '', fragment = ''] = parts;
  if (authority !== undefined && !isAuthority(authority)) return false;
  return PATH.test(path) && QUERY.test(query) && QUERY.test(fragment);
}

export const URI: Form = { shortest: 1, longest: 2048, fits: isUri, words: 'an absolute URI' };
