/**
 * The credentials that operations ask for, and their place in a request for each security scheme.
 */
import { memberOf } from './by-name.ts';
import type { Contract } from './load.ts';
import { type Operation, operationsOf } from './operations.ts';
import { dereference, isObject, joinPointer, valueAt } from './pointers.ts';

/** The place in a request for the credentials of a security scheme. */
export interface Credentials {
  in: 'header' | 'query' | 'cookie';
  /** In lower case for a header. */
  name: string;
  /** The name of the security scheme. */
  of?: string;
  /** The word before a token. */
  scheme?: 'Bearer' | 'Basic';
  /** The endpoint at which OAuth 2 gives tokens to clients, and the scopes that it knows. */
  tokenUrl?: string;
  scope?: string;
}

const schemeOf = ({ document }: Contract, name: string) =>
  valueAt(document, dereference(document, joinPointer('/components/securitySchemes', name)));

/** Whether the scheme asks for a certificate of the client. */
export const isMutualTls = (contract: Contract, scheme: string): boolean =>
  Object(schemeOf(contract, scheme))['type'] === 'mutualTLS';

/**
 * The word before the credentials in `Authorization` (RFC 9110, 11.6.2), in lower case, if it is
 * one for which the suite makes none, such as `digest`; else undefined.
 */
export function otherHttpScheme(contract: Contract, scheme: string): string | undefined {
  const { type, scheme: http } = Object(schemeOf(contract, scheme)) as Record<string, unknown>;
  const word = String(http).toLowerCase();
  const isOther = type === 'http' && word !== 'basic' && word !== 'bearer';
  if (isOther) {
    return word;
  }
  return undefined;
}

/**
 * The credentials that the security scheme of this name asks for, or the reason why the suite
 * cannot send them.
 */
export function credentialsOf(contract: Contract, scheme: string): Credentials | string {
  const found = schemeOf(contract, scheme);
  if (!isObject(found)) {
    return `the contract has no security scheme ${scheme}`;
  }
  const { type, in: place, name, scheme: http } = found;
  if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie')) {
    const written = place === 'header' ? String(name).toLowerCase() : String(name);
    return { in: place, name: written, of: scheme };
  }
  const isHttp = (kind: string) => type === 'http' && String(http).toLowerCase() === kind;
  const authorization = { in: 'header', name: 'authorization', of: scheme } as const;
  if (isHttp('bearer') || type === 'oauth2' || type === 'openIdConnect') {
    return { ...authorization, scheme: 'Bearer', ...tokenSourceOf(found['flows']) };
  }
  if (isHttp('basic')) {
    return { ...authorization, scheme: 'Basic' };
  }
  const kind = [type, http].filter(Boolean).join(' ');
  return `the security scheme ${scheme} (${kind}) does not take a token`;
}

/** Such as `apiKey in the header x-api-key`; the name alone if the suite makes no such ones. */
export function schemeInWords(contract: Contract, scheme: string): string {
  if (isMutualTls(contract, scheme)) {
    return `${scheme} as a certificate`;
  }
  const credentials = credentialsOf(contract, scheme);
  if (typeof credentials === 'string') {
    return scheme;
  }
  switch (credentials.scheme) {
    case 'Bearer':
      return `${scheme} as a bearer token`;
    case 'Basic':
      return `${scheme} as USER:PASSWORD`;
    default:
      return `${scheme} in the ${PLACES[credentials.in]} ${credentials.name}`;
  }
}

const PLACES = { header: 'header', query: 'query parameter', cookie: 'cookie' };

/** The names of all schemes that operations ask for. */
export const schemesInUse = (contract: Contract): Set<string> =>
  new Set(operationsOf(contract).flatMap(({ security }) => security.flat()));

/** The endpoint of the OAuth 2 flow for clients without a user. */
function tokenSourceOf(flows: unknown): Pick<Credentials, 'tokenUrl' | 'scope'> {
  const flow = Object(Object(flows)['clientCredentials']) as { tokenUrl?: string; scopes?: object };
  if (flow.tokenUrl === undefined) {
    return {};
  }
  return { tokenUrl: flow.tokenUrl, scope: Object.keys(flow.scopes ?? {}).join(' ') };
}

/** Whether nobody calls the operation without credentials. */
export const isGuarded = ({ security }: Operation): boolean =>
  security.length > 0 && security.every((names) => names.length > 0);

/** Header fields by name. */
type Fields = Record<string, string>;

interface Request {
  /** Upper case. */
  method: string;
  /** The path, possibly with a host before it, and the query. */
  target: string;
}

/**
 * Finds the header fields with the credentials that a request needs.
 * @param given header fields by security scheme
 * @returns a function that takes a request; an empty field is not sent
 */
export function fieldsFor(
  contract: Contract,
  given: Readonly<Record<string, Fields>>,
): (request: Request) => Fields {
  const countOfParameters = ({ path }: Operation) => path.split('{').length;
  // An operation at a fixed path is more specific than one with a parameter in that place.
  const operations = operationsOf(contract).toSorted(
    (one, other) => countOfParameters(one) - countOfParameters(other),
  );
  const shared = sharedFields(given);
  return ({ method, target }) => {
    const [path = ''] = target.split('?', 1);
    const segments = segmentsOf(path);
    const atPath = operations.filter((one) => matches(templateOf(one), segments));
    const operation = atPath.find((one) => one.method === method) ?? atPath[0];
    const ways = (operation?.security ?? []).filter((schemes) =>
      schemes.every((name) => memberOf(given, name)),
    );
    // Where credentials are optional (`{}`), those that are given are sent.
    const way = ways.find(({ length }) => length > 0) ?? [];
    const fields: Fields = {};
    if (ways.length > 0) {
      // A field with the credentials of a scheme that the operation does not name may be refused.
      for (const name of shared) {
        fields[name] = '';
      }
    }
    for (const name of way) {
      Object.assign(fields, memberOf(given, name));
    }
    return fields;
  };
}

/** The header fields to which credentials of several schemes go. */
function sharedFields(given: Readonly<Record<string, Fields>>): string[] {
  const names = Object.values(given).flatMap((fields) => Object.keys(fields));
  return names.filter((name, index) => names.indexOf(name) < index);
}

/** Whether the segments of a path template describe those of a path. */
function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((one, index) => one.includes('{') || one === segments[index])
  );
}

/** The segments of the path of an operation, after the path of its server, if it states one. */
const templateOf = ({ path, serverPath = '' }: Operation): string[] =>
  segmentsOf(serverPath + path.replace(/[?#].*$/s, ''));

const HOST = /^https?:\/\/[^/]*/i;

/** The segments of a path; of a URL, those after its host. */
const segmentsOf = (target: string): string[] => target.replace(HOST, '').split('/');

/**
 * The credentials that most operations ask for, and that the suite can send. If it can send none,
 * the reason for the scheme that most ask for; undefined if no operation asks for any.
 */
export function mostUsed(contract: Contract): Credentials | string | undefined {
  const uses = new Map<string, number>();
  for (const { security } of operationsOf(contract)) {
    for (const name of new Set(security.flat())) {
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  const byUse = [...uses].toSorted(([, one], [, other]) => other - one);
  const all = byUse.map(([name]) => credentialsOf(contract, name));
  return all.find((one) => typeof one !== 'string') ?? all[0];
}
