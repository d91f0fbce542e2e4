/** The credentials that operations ask for, and where each security scheme wants them. */
import type { Contract } from './load.ts';
import { type Operation, operationsOf } from './operations.ts';
import { dereference, isObject, joinPointer, valueAt } from './pointers.ts';

/** Where a security scheme wants its credentials. */
export interface Credentials {
  in: 'header' | 'query' | 'cookie';
  /** In lower case for a header. */
  name: string;
  /** The security scheme. */
  of?: string;
  /** The word before a token. */
  scheme?: 'Bearer' | 'Basic';
  /** Where OAuth 2 gives tokens to clients, and the scopes that it knows. */
  tokenUrl?: string;
  scope?: string;
}

const schemeOf = ({ document }: Contract, name: string) =>
  valueAt(document, dereference(document, joinPointer('/components/securitySchemes', name)));

/** Whether a certificate of the client is what a scheme wants. */
export const isMutualTls = (contract: Contract, scheme: string): boolean =>
  Object(schemeOf(contract, scheme))['type'] === 'mutualTLS';

/** The credentials of a scheme of this name, or why the suite has none such. */
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
  const isBearer =
    (type === 'http' && /^bearer$/i.test(String(http))) ||
    type === 'oauth2' ||
    type === 'openIdConnect';
  const flow = Object(Object(found['flows'])['clientCredentials']) as {
    tokenUrl?: string;
    scopes?: object;
  };
  const scope = Object.keys(flow.scopes ?? {}).join(' ');
  const given = flow.tokenUrl === undefined ? {} : { tokenUrl: flow.tokenUrl, scope };
  const authorization = { in: 'header', name: 'authorization', of: scheme } as const;
  if (isBearer) {
    return { ...authorization, scheme: 'Bearer', ...given };
  }
  if (type === 'http' && /^basic$/i.test(String(http))) {
    return { ...authorization, scheme: 'Basic' };
  }
  const kind = [type, http].filter(Boolean).join(' ');
  return `the security scheme ${scheme} (${kind}) does not take a token`;
}

/** @param given header fields by security scheme @returns those that a request needs, by the operation at its path */
export function fieldsFor(
  contract: Contract,
  given: Readonly<Record<string, Record<string, string>>>,
) {
  const isFilled = (path: readonly string[], target: readonly string[]) =>
    path.length === target.length &&
    path.every((one, index) => one.includes('{') || one === target[index]);
  const count = ({ path }: Operation) => path.split('{').length;
  const operations = operationsOf(contract).toSorted((one, other) => count(one) - count(other));
  return ({ method, target }: { method: string; target: string }): Record<string, string> => {
    const [path = ''] = target.split('?', 1);
    const beside = operations.filter((one) => isFilled(templateOf(one), segmentsOf(path)));
    const { security = [] } = beside.find((one) => one.method === method) ?? beside[0] ?? {};
    const way = security.find((names) => names.every((name) => given[name])) ?? [];
    return Object.assign({}, ...way.map((name) => given[name])) as Record<string, string>;
  };
}

/** The segments of the path of an operation, behind the path of its own server, if it has one. */
const templateOf = ({ path, serverPath = '' }: Operation): string[] =>
  segmentsOf(serverPath + path);

/** The segments of a path; of a URL, those behind its host. */
const segmentsOf = (target: string): string[] =>
  target.replace(/^https?:\/\/[^/]*/i, '').split('/');

/** The scheme that most operations ask for, of those that can be used; a reason where there are only others. */
export function mostUsed(contract: Contract): Credentials | string | undefined {
  const uses = new Map<string, number>();
  for (const { security } of operationsOf(contract)) {
    for (const name of new Set(security.flat())) {
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  const all = [...uses]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name]) => credentialsOf(contract, name));
  return all.find((one) => typeof one !== 'string') ?? all[0];
}
