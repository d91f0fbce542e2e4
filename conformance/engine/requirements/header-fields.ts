/** Fields that frameworks act on: they change nothing where the contract says so, and break nothing elsewhere. */
import fc from 'fast-check';
import { type Contract, perContract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { credentialsOf } from '../contract/credentials.ts';
import type { CallInput } from '../http/call.ts';
import { expectSuccess } from '../http/expect-response.ts';
import { type Implementation, operationBeside } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, sendable, validCall } from './calls.ts';
import { forAll, requirementOf, type Requirement } from './requirement.ts';
import { bodiesOf } from './statuses.ts';

type Fields = Readonly<Record<string, string>>;

const OTHER_HOST = 'forwarded.example.com';
/** The `Accept` of a browser. */
export const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** In a row, no field hides another one, such as a condition that counts only where another one is absent. */
const ROWS = [
  [
    'if-match: "conformance" | range: bytes=0-0 | prefer: return=minimal | idempotency-key: conformance',
    'accept-language: fr;q=0.5 | x-requested-with: XMLHttpRequest | content-type: application/json | content-length: 0',
    `accept: ${BROWSER} | x-http-method-override: DELETE | x-original-url: /x | x-forwarded-host: ${OTHER_HOST}`,
    'x-forwarded-proto: https | x-forwarded-ssl: on | front-end-https: on | x-url-scheme: https',
    'origin: https://other.example.com | sec-fetch-site: cross-site | sec-fetch-mode: cors',
    'access-control-request-method: PUT | accept-encoding: gzip;q=0, br;q=0',
  ],
  [
    'if-none-match: * | range: items=0-0 | prefer: respond-async, wait=1 | x-idempotency-key: conformance',
    'accept: application/json;version=2;indent=4, */*;q=0.1 | accept-charset: iso-8859-1 | expect: 100-continue',
    'content-type: text/plain | x-http-method-override: PUT | x-rewrite-url: / | x-forwarded-prefix: /conformance',
    `forwarded: for=203.0.113.7;host=${OTHER_HOST} | x-method-override: DELETE | accept-encoding: identity, *;q=0`,
    // No server can switch to this protocol.
    'connection: upgrade | upgrade: conformance/1',
  ],
  [
    'if-modified-since: Fri, 01 Jan 2100 00:00:00 GMT | prefer: handling=lenient | cookie: session=x; lang=fr',
    'accept: application/json; charset=utf-16, */* | accept-encoding: gzip, deflate, br | x-forwarded-port: 1',
    `api-version: 99 | accept-version: 99.0.0 | x-http-method-override: GET | x-host: ${OTHER_HOST}`,
  ],
  [
    'if-unmodified-since: Thu, 01 Jan 1970 00:00:00 GMT | if-range: "x" | range: bytes=1- | connection: close',
    'accept-encoding: gzip;q=0.5, identity | accept-language: xx, *;q=0 | cache-control: no-cache | te: trailers',
    'x-forwarded-for: 203.0.113.7 | x-real-ip: 203.0.113.7 | x-http-method-override: HEAD | x-http-method: PUT',
    `x-original-host: ${OTHER_HOST} | x-forwarded-server: ${OTHER_HOST} | save-data: on`,
  ],
].map((lines) =>
  lines.flatMap((line) =>
    line.split(' | ').map((one) => one.split(/: (.*)/, 2) as [string, string]),
  ),
);

/** Statuses that RFC 9110 gives to conditions and ranges. */
const CONDITIONAL = [206, 304, 412, 416];

/** Names that the contract gives a meaning, in lower case. */
const documentedNames = perContract((contract: Contract): ReadonlySet<string> => {
  const operations = operationsOf(contract);
  const schemes = operations
    .flatMap(({ security }) => security.flat())
    .map((name) => credentialsOf(contract, name));
  const places = [...operations.flatMap(({ parameters }) => parameters), ...schemes];
  const named = places.filter((one) => typeof one !== 'string');
  return new Set(named.map((one) => (one.in === 'cookie' ? 'cookie' : one.name.toLowerCase())));
});

/** Whether the field means nothing to the operation. */
function isNothingTo(
  { requestBody }: Operation,
  { contract, client }: Implementation,
  name: string,
): boolean {
  // A body has its own type and length, and only a body is waited for.
  if (requestBody ? name.startsWith('content-') : name === 'expect') {
    return false;
  }
  return !documentedNames(contract).has(name) && (name === 'accept' || !(name in client.headers));
}

/** A row of fields that change nothing for any service: none of them makes a request conditional, or asks for a part. */
export function fieldsOfRow(
  operation: Operation,
  implementation: Implementation,
  index: number,
): Fields {
  const isSent = ([name]: [string, string]) =>
    isNothingTo(operation, implementation, name) && !/^(if-|range$)/.test(name);
  return Object.fromEntries(ROWS[index % ROWS.length]!.filter(isSent));
}

export function headerFieldRequirements(operation: Operation, api: Api): Requirement[] {
  const { ignoresFields } = api;
  // Nothing says what a change does with a field.
  if (!ignoresFields && operation.method !== 'GET') {
    return [];
  }
  const how = ignoresFields ? 'as to the same request without them' : 'without an error of its own';
  const sentence = `${operation.operationId} responds to header fields that the contract does not name ${how}.`;
  const stated = requirementOf(
    operation,
    'header-fields',
    ignoresFields ?? operation,
    sentence,
    (implementation) => {
      const json = bodiesOf(operation, api, implementation) ?? fc.constant(undefined);
      return ROWS.map((row, index) => {
        const headers = shrinkable(
          row.filter(([name]) => isNothingTo(operation, implementation, name)),
        );
        const check = (sent: Sent, session: Session) =>
          (ignoresFields ? expectIgnored : expectNoError)(session, operation, sent, api);
        return {
          ...forAll(`row ${index + 1} of fields`, fc.record({ headers, json }), check),
          once: true,
        };
      });
    },
  );
  return [{ ...stated, ...(ignoresFields?.words ? { words: ignoresFields.words } : {}) }];
}

/** All of the fields; a failure needs fewer. */
function shrinkable(pairs: [string, string][]): fc.Arbitrary<Fields> {
  const kept = { weight: 2 ** 24, arbitrary: fc.constant(true) };
  const isSent = fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant(false) },
    kept,
  );
  const chosen = fc.tuple(...pairs.map(() => isSent));
  return chosen.map((sent) => Object.fromEntries(pairs.filter((_, index) => sent[index])));
}

type Sent = { headers: Fields; json?: unknown };

async function expectIgnored(
  session: Session,
  operation: Operation,
  { headers, json }: Sent,
  api: Api,
) {
  const { operationId, method } = operation;
  const isRead = method === 'GET';
  const call = await (isRead ? callToRefuse : validCall)(session, operationId);
  const body = json === undefined ? {} : { json: sendable(session, operation, call, json) };
  const input = { ...call, ...body, headers: { ...call.headers, ...headers } };
  const plain = isRead ? await session.call(operationId, call) : undefined;
  const response = await session.call(operationId, input);
  if (CONDITIONAL.includes(response.status) && (await actsOnValidators(session, operation, call))) {
    return;
  }
  const names = Object.keys(headers).join(', ');
  const why = names === '' ? '' : `The contract does not name ${names}.`;
  expectSuccess(session.implementation, operation, response, why);
  expectAccepted(response, headers['accept-encoding']);
  const shown = `${response.text}${response.headers['location'] ?? ''}`;
  const details = { expected: `no ${OTHER_HOST}`, got: shown };
  expectThat(!shown.includes(OTHER_HOST), 'A response names the host of a header field.', details);
  // A list in which others write at the same time may differ by itself.
  if (plain && response.text !== plain.text && operation.path.includes('{')) {
    const again = await session.call(operationId, call);
    if (again.text === plain.text) {
      expectSame('With header fields, something else is shown', response.json, plain.json);
    }
  }
  if (method === 'DELETE') {
    await expectGone(session, operation, call);
  } else if (!isRead) {
    api.expectEcho?.(operation, input.json, response);
  }
  if (method !== 'POST' || !Object.keys(headers).some((name) => name.endsWith('idempotency-key'))) {
    return;
  }
  const { status, text } = await session.call(operationId, input);
  const isOwn = status >= 300 || text === '' || text !== response.text;
  expectThat(isOwn, 'A second request gets the response to the first.', {
    expected: 'its own',
    got: text,
  });
}

/** RFC 9110, 12.5.3: the coding of a response is one that the field accepts. */
function expectAccepted({ headers }: HttpResponse, accepted = '*'): void {
  // In any case, and `x-gzip` is another name (8.4.1).
  const coding = (headers['content-encoding'] ?? 'identity').toLowerCase().replace(/^x-/, '');
  const elements = accepted.split(',').map((one) => one.trim());
  const deciding =
    elements.find((one) => one.split(';')[0] === coding) ??
    elements.find((one) => one.startsWith('*'));
  const isAccepted =
    coding === 'identity' || (deciding !== undefined && !/q=0(\.0*)?$/.test(deciding));
  expectThat(isAccepted, 'The coding is not accepted.', { expected: accepted, got: coding });
}

/** Without a promise, a field may name another method or URL, and so change what somebody else has: it is not sent. */
async function expectNoError(
  session: Session,
  { operationId }: Operation,
  { headers }: Sent,
): Promise<void> {
  const call = await callToRefuse(session, operationId);
  const safe = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('x-')),
  );
  const { status } = await session.call(operationId, {
    ...call,
    headers: { ...call.headers, ...safe },
  });
  expectThat(status < 500, 'A header field makes the service fail.', {
    expected: 'a status below 500',
    got: status,
  });
}

/** The GET of the same path shows nothing any more, where it says so with a status. */
async function expectGone(session: Session, operation: Operation, call: CallInput): Promise<void> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (!read || !('404' in read.responses)) {
    return;
  }
  const { status } = await session.call(read.operationId, { path: call.path ?? {} });
  expectThat(status >= 400, 'A DELETE with header fields removes nothing.', {
    expected: 404,
    got: status,
  });
}

/** RFC 9110 (13, 14): a service that sends validators, or offers ranges, may act on conditions and ranges. */
async function actsOnValidators(
  session: Session,
  operation: Operation,
  call: CallInput,
): Promise<boolean> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (read) {
    await session.call(read.operationId, { path: call.path ?? {} });
  }
  const names = ['etag', 'last-modified', 'accept-ranges'];
  return session.exchanges.some(({ response }) =>
    names.some((name) => name in (response?.headers ?? {})),
  );
}
