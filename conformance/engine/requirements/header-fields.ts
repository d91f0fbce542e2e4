/**
 * Header fields on which frameworks act by themselves: conditions, ranges, preferences, overrides of the method, the URL and
 * the host, versions, and the negotiation of language and encoding. Where the contract says that a field which it does not
 * name changes nothing, the response and its effect are those of the request without it. Where it does not, a service may
 * act on each, and must not fail.
 */
import fc from 'fast-check';
import { type Contract, perContract } from '../contract/load.ts';
import { credentialsOf, type Operation, operationsOf } from '../contract/operations.ts';
import { asRequest } from '../contract/variants.ts';
import { validValues } from '../generate/valid.ts';
import type { CallInput } from '../http/call.ts';
import { expectSuccess } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, sendable, validCall } from './calls.ts';
import { forAll, requirementOf, type Requirement } from './requirement.ts';

type Fields = Readonly<Record<string, string>>;

const EPOCH = 'Thu, 01 Jan 1970 00:00:00 GMT';
const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT';
const OTHER_HOST = 'forwarded.example.com';
/** The `Accept` of a browser. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

function overriding(method: string, path: string): Fields {
  const names = ['x-http-method-override', 'x-http-method', 'x-method-override'];
  const urls = ['x-original-url', 'x-rewrite-url', 'x-forwarded-prefix', 'x-forwarded-uri', 'x-forwarded-path'];
  return Object.fromEntries([...names.map((name) => [name, method]), ...urls.map((name) => [name, path])]);
}

/** No field hides another one of its row, such as a condition that is looked at only where another one is absent. */
const ROWS: readonly Fields[] = [
  {
    ...{ 'if-match': '"conformance"', range: 'bytes=0-0', prefer: 'return=minimal', 'idempotency-key': 'conformance' },
    ...{ accept: BROWSER, 'accept-language': 'fr;q=0.5', 'x-requested-with': 'XMLHttpRequest', 'content-length': '0' },
    ...{ 'content-type': 'application/json', 'x-forwarded-host': OTHER_HOST, ...overriding('DELETE', '/conformance') },
  },
  {
    ...{
      'if-none-match': '*',
      range: 'items=0-0',
      prefer: 'respond-async, wait=1',
      'x-idempotency-key': 'conformance',
    },
    ...{
      accept: 'application/json;version=2;indent=4, */*;q=0.1',
      'accept-charset': 'iso-8859-1',
      expect: '100-continue',
    },
    ...{ 'content-type': 'text/plain', forwarded: `for=203.0.113.7;host=${OTHER_HOST}`, ...overriding('PUT', '/') },
  },
  {
    ...{ 'if-modified-since': FUTURE, prefer: 'handling=lenient, count=exact', cookie: 'session=conformance; lang=fr' },
    ...{
      accept: 'application/json; charset=utf-16, */*',
      'accept-encoding': 'gzip, deflate, br',
      'x-forwarded-port': '1',
    },
    ...{ 'api-version': '99', 'accept-version': '99.0.0', 'x-host': OTHER_HOST, ...overriding('GET', '//conformance') },
  },
  {
    ...{ 'if-unmodified-since': EPOCH, 'if-range': EPOCH, range: 'bytes=1-', 'accept-language': 'xx, *;q=0' },
    ...{ 'accept-encoding': 'gzip;q=0.5, identity', 'cache-control': 'no-cache', pragma: 'no-cache', te: 'trailers' },
    ...{ 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', connection: 'close', 'save-data': 'on' },
    ...{ 'x-http-method-override': 'HEAD', 'x-original-host': OTHER_HOST, 'x-forwarded-server': OTHER_HOST },
  },
];

/** Statuses that RFC 9110 gives to conditions and ranges. */
const CONDITIONAL = [206, 304, 412, 416];

/** Names that the contract gives a meaning, in lower case. */
const documentedFields = perContract((contract: Contract): ReadonlySet<string> => {
  const operations = operationsOf(contract);
  const schemes = operations.flatMap(({ security }) => security.flat()).map((name) => credentialsOf(contract, name));
  const places = [...operations.flatMap(({ parameters }) => parameters), ...schemes];
  return new Set(
    places.flatMap((one) => {
      if (typeof one === 'string') return [];
      return one.in === 'cookie' ? ['cookie'] : one.in === 'header' ? [one.name.toLowerCase()] : [];
    }),
  );
});

/** Those of the row that mean nothing to the operation. */
function sentTo({ requestBody }: Operation, { contract, client }: Implementation, row: Fields): Fields {
  const isSent = (name: string) =>
    !documentedFields(contract).has(name) &&
    (name === 'accept' || !(name in client.headers)) &&
    // A body has its own, and only a body is waited for.
    (name.startsWith('content-') ? requestBody === null : name !== 'expect' || requestBody !== null);
  return Object.fromEntries(Object.entries(row).filter(([name]) => isSent(name)));
}

export function headerFieldRequirements(operation: Operation, api: Api): Requirement[] {
  const { operationId, method } = operation;
  // Nothing says what such an operation does with a field.
  if (!api.ignoresFields && method !== 'GET') return [];
  const stated = api.ignoresFields ?? operation;
  const part = api.ignoresFields ? 'as to the same request without them' : 'without an error of its own';
  const sentence = `${operationId} responds to header fields that the contract does not name ${part}.`;
  const requirement = requirementOf(operation, 'header-fields', stated, sentence, (implementation) => {
    const bodies = bodiesOf(operation, api, implementation);
    const expect = api.ignoresFields ? expectIgnored : expectNoError;
    return ROWS.map((row, index) => {
      const values = fc.record({ headers: shrinkable(sentTo(operation, implementation, row)), json: bodies });
      const check = ({ headers, json }: { headers: Fields; json: unknown }, session: Session) =>
        expect(session, operation, api, headers, json);
      return { ...forAll(`row ${index + 1} of fields`, values, check), once: true };
    });
  });
  return [{ ...requirement, ...(api.ignoresFields?.words ? { words: api.ignoresFields.words } : {}) }];
}

/** All of the fields; a failure needs fewer. */
function shrinkable(row: Fields): fc.Arbitrary<Fields> {
  const kept = { weight: 2 ** 24, arbitrary: fc.constant(true) };
  const isSent = fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: fc.constant(false) }, kept);
  const pairs = Object.entries(row);
  return fc
    .tuple(...pairs.map(() => isSent))
    .map((sent) => Object.fromEntries(pairs.filter((_, index) => sent[index])));
}

/** Bodies with which a change shows. */
function bodiesOf(operation: Operation, api: Api, implementation: Implementation): fc.Arbitrary<unknown> {
  if (!operation.requestBody) return fc.constant(undefined);
  if (api.bodies) return api.bodies(operation, implementation) ?? fc.constant(undefined);
  return validValues(asRequest(implementation.contract), operation.requestBody.pointer, implementation.hints);
}

async function expectIgnored(session: Session, operation: Operation, api: Api, headers: Fields, json: unknown) {
  const { operationId, method } = operation;
  const call = await (method === 'GET' ? callToRefuse : validCall)(session, operationId);
  const body = json === undefined ? {} : { json: sendable(session, operation, call, json) };
  const input = { ...call, ...body, headers: { ...call.headers, ...headers } };
  const plain = method === 'GET' ? await session.call(operationId, call) : undefined;
  const response = await session.call(operationId, input);
  if (CONDITIONAL.includes(response.status) && (await actsOnValidators(session, operation, call))) return;
  const why = `The contract does not name ${Object.keys(headers).join(', ')}.`;
  expectSuccess(session.implementation, operation, response, why);
  const shown = `${response.text}${response.headers['location'] ?? ''}`;
  const isForeign = shown.includes(OTHER_HOST);
  expectThat(!isForeign, 'A response names the host of a header field.', { expected: `no ${OTHER_HOST}`, got: shown });
  if (plain) await expectAlike(session, operation, call, response, plain);
  else if (method === 'DELETE') await expectGone(session, operation, call);
  else api.expectEcho?.(operation, input.json, response);
  if (method === 'POST' && Object.keys(headers).some((name) => name.endsWith('idempotency-key')))
    await expectAnother(session, operation, input, response);
}

/** A list in which others write at the same time may differ by itself. */
async function expectAlike(
  session: Session,
  operation: Operation,
  call: CallInput,
  got: HttpResponse,
  due: HttpResponse,
) {
  if (got.text === due.text || !operation.path.includes('{')) return;
  const again = await session.call(operation.operationId, call);
  if (again.text === due.text) expectSame('With header fields, something else is shown', got.json, due.json);
}

/** The GET of the same path shows nothing any more, where it says so with a status. */
async function expectGone(session: Session, operation: Operation, call: CallInput): Promise<void> {
  const read = readOf(session, operation);
  if (!read || !('404' in read.responses)) return;
  const { status } = await session.call(read.operationId, { path: call.path ?? {} });
  expectThat(status >= 400, 'A DELETE with header fields removes nothing.', { expected: 404, got: status });
}

/** A second creation is refused or makes another one. */
async function expectAnother(session: Session, operation: Operation, input: CallInput, first: HttpResponse) {
  const second = await session.call(operation.operationId, input);
  const isOwn = second.status >= 300 || second.text === '' || second.text !== first.text;
  expectThat(isOwn, 'A second request gets the response to the first.', { expected: 'its own', got: second.text });
}

async function expectNoError(session: Session, operation: Operation, _: Api, headers: Fields): Promise<void> {
  const call = await callToRefuse(session, operation.operationId);
  const response = await session.call(operation.operationId, { ...call, headers: { ...call.headers, ...headers } });
  const { status } = response;
  if (status === 200) expectSuccess(session.implementation, operation, response);
  expectThat(status < 500, 'A header field makes the service fail.', { expected: 'a status below 500', got: status });
}

/** RFC 9110 (13, 14): a service that sends validators, or offers ranges, may act on conditions and ranges. */
async function actsOnValidators(session: Session, operation: Operation, call: CallInput): Promise<boolean> {
  const read = readOf(session, operation);
  if (read) await session.call(read.operationId, { path: call.path ?? {} });
  const names = ['etag', 'last-modified', 'accept-ranges'];
  return session.exchanges.some(({ response }) => names.some((name) => response?.headers[name] !== undefined));
}

/** The operation that reads what the path names. */
function readOf({ implementation: { operations, level } }: Session, { path }: Operation): Operation | undefined {
  const reads = [...operations.values()].filter((one) => one.path === path && one.method === 'GET');
  return reads.find((one) => one.level === 'core' || level === 'extended');
}
