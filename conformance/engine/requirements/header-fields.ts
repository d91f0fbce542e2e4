/**
 * Fields that frameworks act on: they change nothing if the contract says so, and cause no error in
 * any service.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { credentialsOf } from '../contract/credentials.ts';
import { isNameOfKey } from '../contract/idempotency-keys.ts';
import { type Contract, perContract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import { expectSuccess } from '../http/expect-response.ts';
import { type Implementation, operationBeside } from '../http/implementation.ts';
import { knownResponse } from '../http/known-members.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, sendable, validCall } from './calls.ts';
import { type Fields, OTHER_HOST, OTHER_PREFIX, ROWS } from './header-field-rows.ts';
import { basedRequirement, forAll, type Property, type Requirement } from './requirement.ts';
import { acceptableBodies } from './statuses.ts';

/** Statuses that RFC 9110 gives to conditions and ranges. */
const CONDITIONAL = [206, 304, 412, 416];

/** Names that the contract gives a meaning, in lower case. */
const documentedNames = perContract((contract: Contract): ReadonlySet<string> => {
  const names = new Set<string>();
  const add = (place: string, name: string) =>
    names.add(place === 'cookie' ? 'cookie' : name.toLowerCase());
  for (const { parameters, security } of operationsOf(contract)) {
    for (const parameter of parameters) {
      add(parameter.in, parameter.name);
    }
    for (const scheme of security.flat()) {
      const credentials = credentialsOf(contract, scheme);
      if (typeof credentials !== 'string') {
        add(credentials.in, credentials.name);
      }
    }
  }
  return names;
});

/** Whether the field has no meaning for the operation. */
function isNothingTo(
  { requestBody }: Operation,
  { contract, client }: Implementation,
  name: string,
): boolean {
  // A body has its own type and length, and only a body is waited for.
  const isOfBody = requestBody ? name.startsWith('content-') : name === 'expect';
  if (isOfBody || documentedNames(contract).has(name)) {
    return false;
  }
  return name === 'accept' || !(name in client.headers);
}

/** Fields that make a request conditional, or ask for a part. */
const ASKS_FOR_LESS = /^(if-|range$)/;

/**
 * A row of fields that change nothing for any service: none of them makes a request conditional,
 * asks for a part, or may be a reason to refuse it.
 */
export function fieldsOfRow(
  operation: Operation,
  implementation: Implementation,
  index: number,
): Fields {
  const row = ROWS[index % ROWS.length] ?? {};
  const mayMatter = (name: string) => ASKS_FOR_LESS.test(name) || name in REFUSED_BY;
  return fieldsThat(
    row,
    (name) => isNothingTo(operation, implementation, name) && !mayMatter(name),
  );
}

function fieldsThat(fields: Fields, isKept: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

/** The fields and the body that are sent with the path of a valid call. */
interface FieldsAndBody {
  headers: Fields;
  /** Undefined: the body of a valid call, if it has one. */
  json?: unknown;
}

export function headerFieldRequirements(operation: Operation, api: Api): Requirement[] {
  const { ignoresFields } = api;
  // The contract does not say how a field affects a change.
  if (!ignoresFields && operation.method !== 'GET') {
    return [];
  }
  const how = ignoresFields
    ? 'as to the same request without them'
    : 'without an error of the service';
  const fields = 'header fields that the contract does not name';
  const sentence = `${operation.operationId} responds to ${fields} ${how}.`;
  const stated = basedRequirement(operation, 'header-fields', {
    stated: ignoresFields ?? operation,
    sentence,
    properties: (implementation) => propertiesOf(operation, api, implementation),
  });
  if (ignoresFields?.words) {
    stated.words = ignoresFields.words;
  }
  return [stated];
}

/** One for each row. */
function propertiesOf(operation: Operation, api: Api, implementation: Implementation): Property[] {
  const json = acceptableBodies(operation, api, implementation) ?? fc.constant(undefined);
  const check = (sent: FieldsAndBody, session: Session): Promise<void> => {
    if (api.ignoresFields) {
      return expectIgnored(session, operation, sent, api);
    }
    return expectNoError(session, operation, sent);
  };
  return ROWS.map((row, index) => {
    const headers = shrinkable(
      fieldsThat(row, (name) => isNothingTo(operation, implementation, name)),
    );
    const values = fc.record({ headers, json });
    return { ...forAll(`row ${index + 1} of fields`, values, check), once: true };
  });
}

/** All of the fields; a failure needs fewer. */
function shrinkable(fields: Fields): fc.Arbitrary<Fields> {
  const left = { weight: 1, arbitrary: fc.constant(false) };
  const kept = { weight: 2 ** 24, arbitrary: fc.constant(true) };
  const isSent = fc.oneof({ withCrossShrink: true }, left, kept);
  const pairs = Object.entries(fields);
  const chosen = fc.tuple(...pairs.map(() => isSent));
  return chosen.map((sent) => Object.fromEntries(pairs.filter((_, index) => sent[index])));
}

/**
 * Fields that RFC 9110 defines for every request, and the status by which a service may refuse each
 * of them: so they are not without a meaning.
 */
const REFUSED_BY: Readonly<Record<string, number>> = {
  expect: 417,
  'accept-charset': 406,
  'accept-encoding': 406,
  'accept-language': 406,
  'content-type': 415,
};

/** A call with fields, and the response to it. */
interface CallWithFields {
  input: CallInput;
  response: HttpResponse;
}

/** Sends the call with the fields, except those by which the service may refuse it. */
async function sendWithFields(
  session: Session,
  operation: Operation,
  call: CallInput,
  sent: FieldsAndBody,
): Promise<CallWithFields> {
  const input = await withFields(session, operation, call, sent);
  const response = await session.call(operation.operationId, input);
  const { status } = response;
  const mayRefuse = status === EXPECTATION_FAILED || String(status) in operation.responses;
  const others = fieldsThat(sent.headers, (name) => REFUSED_BY[name] !== status);
  const isWithout = Object.keys(others).length < Object.keys(sent.headers).length;
  if (mayRefuse && isWithout) {
    return sendWithFields(session, operation, call, { ...sent, headers: others });
  }
  return { input, response };
}

/** No operation documents it: it is about `Expect` alone. */
const EXPECTATION_FAILED = 417;

async function expectIgnored(
  session: Session,
  operation: Operation,
  sent: FieldsAndBody,
  api: Api,
): Promise<void> {
  const { operationId, method } = operation;
  const isRead = method === 'GET';
  const call = isRead
    ? await callToRefuse(session, operationId)
    : await validCall(session, operationId);
  const plain = isRead ? await session.call(operationId, call) : undefined;
  if (plain !== undefined && plain.status >= 400) {
    throw new NotPossible(`${operationId} refuses the request without the fields, too`);
  }
  const { input, response } = await sendWithFields(session, operation, call, sent);
  if (!isRead && response.status >= 400) {
    await expectAcceptedWithout(session, operation, sent);
  }
  if (CONDITIONAL.includes(response.status) && (await actsOnValidators(session, operation, call))) {
    return;
  }
  expectOwnResponse(session.implementation, operation, response, sent.headers);
  if (plain) {
    await expectSameRead(session, operation, call, { plain, response });
  } else if (method === 'DELETE') {
    await expectGone(session, operation, call);
  } else {
    api.expectEcho?.(session.implementation.contract, operation, input.json, response);
  }
  if (method === 'POST' && Object.keys(sent.headers).some(isNameOfKey)) {
    await expectOtherResponse(session, operationId, input, response);
  }
}

/** @throws NotPossible if the same request is refused without fields, too */
async function expectAcceptedWithout(
  session: Session,
  operation: Operation,
  { json }: FieldsAndBody,
): Promise<void> {
  const { operationId } = operation;
  const call = await validCall(session, operationId);
  const plain = await withFields(session, operation, call, { headers: {}, json });
  const { status } = await session.call(operationId, plain);
  if (status >= 400) {
    throw new NotPossible(`${operationId} refuses the request without the fields, too (${status})`);
  }
}

async function withFields(
  session: Session,
  operation: Operation,
  call: CallInput,
  { headers, json }: FieldsAndBody,
): Promise<CallInput> {
  const input = { ...call, headers: { ...call.headers, ...headers } };
  const { body } = session.implementation.survey[operation.operationId]?.recipe ?? {};
  if (json === undefined || body?.asShown !== undefined) {
    return input;
  }
  return { ...input, json: await sendable(session, operation, call, json) };
}

/**
 * The documented success, in a coding that the fields accept, which does not name a host of the
 * fields.
 */
function expectOwnResponse(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  fields: Fields,
): void {
  expectSuccess(implementation, operation, response, whyIgnored(fields));
  expectAccepted(response, fields['accept-encoding']);
  const shown = `${response.text}${response.headers['location'] ?? ''}`;
  const host = { expected: `no ${OTHER_HOST}`, got: shown };
  expectThat(!shown.includes(OTHER_HOST), 'A response names the host of a header field.', host);
  const isPrefixed = shown.includes(`${OTHER_PREFIX}/`);
  const prefix = { expected: `no ${OTHER_PREFIX}`, got: shown };
  expectThat(!isPrefixed, 'A response has a path with the prefix of a header field.', prefix);
}

/** Why the fields change nothing, in words. */
function whyIgnored(fields: Fields): string {
  const names = Object.keys(fields).filter((name) => name !== 'accept');
  const reasons: string[] = [];
  if (names.length > 0) {
    reasons.push(`The contract does not name ${names.join(', ')}.`);
  }
  if (fields['accept'] !== undefined) {
    reasons.push('`Accept` takes any media type.');
  }
  return reasons.join(' ');
}

/** Responses to the same read, without and with fields. */
interface TwoReads {
  plain: HttpResponse;
  response: HttpResponse;
}

/**
 * A list in which others write at the same time may differ by itself: what differs is read once
 * more.
 */
async function expectSameRead(
  session: Session,
  operation: Operation,
  call: CallInput,
  { plain, response }: TwoReads,
): Promise<void> {
  if (response.text === plain.text || !operation.path.includes('{')) {
    return;
  }
  const { contract } = session.implementation;
  const again = await session.call(operation.operationId, call);
  const known = ({ json }: HttpResponse) => knownResponse(contract, operation, json);
  if (isDeepStrictEqual(known(again), known(plain))) {
    expectSame('With header fields, something else is shown', known(response), known(plain));
  }
}

/** A second POST with a key that the contract does not name gets its own response. */
async function expectOtherResponse(
  session: Session,
  operationId: string,
  input: CallInput,
  first: HttpResponse,
): Promise<void> {
  const { status, text } = await session.call(operationId, input);
  const isOther = status >= 300 || text === '' || text !== first.text;
  const details = { expected: 'its own', got: text };
  expectThat(isOther, 'A second request gets the response to the first.', details);
}

/** A weight of 0 at the end of an element of `Accept-Encoding`. */
const NOT_ACCEPTED = /q=0(\.0*)?$/;

/** RFC 9110, 12.5.3: the coding of a response is one that the field accepts. */
function expectAccepted({ headers }: HttpResponse, accepted = '*'): void {
  // Codings are case-insensitive, and `x-gzip` is another name of `gzip` (8.4.1).
  const coding = (headers['content-encoding'] ?? 'identity').toLowerCase().replace(/^x-/, '');
  if (coding === 'identity') {
    return;
  }
  const elements = accepted.split(',').map((one) => one.trim());
  const named = elements.find((one) => one.split(';')[0] === coding);
  const deciding = named ?? elements.find((one) => one.startsWith('*'));
  const isAccepted = deciding !== undefined && !NOT_ACCEPTED.test(deciding);
  expectThat(isAccepted, 'The coding is not accepted.', { expected: accepted, got: coding });
}

/**
 * The fields cause no error of the service. If the contract does not say that they change nothing,
 * a field may name another method or URL, and so change resources of others: such fields are not
 * sent.
 */
async function expectNoError(
  session: Session,
  { operationId }: Operation,
  { headers }: FieldsAndBody,
): Promise<void> {
  const call = await callToRefuse(session, operationId);
  const safe = fieldsThat(headers, (name) => !name.startsWith('x-'));
  const plain = await session.call(operationId, call);
  if (plain.status >= 500) {
    throw new NotPossible(`${operationId} fails without the fields, too (${plain.status})`);
  }
  const input = { ...call, headers: { ...call.headers, ...safe } };
  const { status } = await session.call(operationId, input);
  const details = { expected: 'a status below 500', got: status };
  expectThat(status < 500, 'A header field makes the service fail.', details);
}

/** The GET of the same path does not find the item any more, if it documents a status for that. */
async function expectGone(session: Session, operation: Operation, call: CallInput): Promise<void> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (!read || !('404' in read.responses)) {
    return;
  }
  const { status } = await session.call(read.operationId, { path: call.path ?? {} });
  const details = { expected: 404, got: status };
  expectThat(status >= 400, 'A DELETE with header fields removes nothing.', details);
}

const VALIDATORS = ['etag', 'last-modified', 'accept-ranges'];

/**
 * RFC 9110 (13, 14): a service that sends validators, or offers ranges, may act on conditions and
 * ranges.
 */
async function actsOnValidators(
  session: Session,
  operation: Operation,
  call: CallInput,
): Promise<boolean> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (read) {
    await session.call(read.operationId, { path: call.path ?? {} });
  }
  return session.exchanges.some(({ response }) => {
    const headers = response?.headers ?? {};
    return VALIDATORS.some((name) => name in headers);
  });
}
