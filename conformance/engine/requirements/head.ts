/**
 * HEAD beside GET: it responds as GET does, without the content (RFC 9110, 9.3.2). No service must
 * have HEAD, unless it responds to it: then the responses say the same.
 */
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Operation, operationsOf } from '../contract/operations.ts';
import { type CallInput, requestOf, type Sending } from '../http/call.ts';
import { expectSame, expectThat, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { callToRefuse } from './calls.ts';
import { unknownPath } from './unknown-ids.ts';
import { CLAUSE, each, type Requirement, requirementOf, statedIn } from './requirement.ts';
import { withoutOwnCredentials } from './statuses.ts';

/** Whether a service, or what stands before it, refuses HEAD: it need not have it. */
const isRefusal = ({ status }: HttpResponse): boolean =>
  (status >= 400 && status < 500) || status === 501;

/** Fields that do not depend on the content: if both responses have them, they are the same. */
const FIELDS = ['content-type', 'content-language', 'content-location', 'location', 'allow'];

export function headRequirements(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  const isStated = ({ path }: Operation): boolean =>
    operations.some((one) => one.method === 'HEAD' && one.path === path);
  const reads = operations.filter(
    (one) => one.method === 'GET' && one.unsupported === undefined && !isStream(one),
  );
  const all = reads.filter((one) => !isStated(one)).map(headRequirement);
  return statedIn('engine/requirements/head.ts', all);
}

/** Whether a response may never end. */
function isStream({ responses }: Operation): boolean {
  const types = Object.values(responses).flatMap(({ content }) => Object.keys(content));
  return types.some((type) => /event-stream|ndjson/.test(type));
}

function headRequirement(operation: Operation): Requirement {
  const { operationId, path } = operation;
  const sentence =
    `If the service has HEAD, it has the status and the header fields of ${operationId}, and no ` +
    'content (RFC 9110, 9.3.2).';
  const cases: Record<string, Ask> = { 'what GET reads': asValid };
  if (path.includes('{') && documentedFor(operation, 404)) {
    cases['what does not exist'] = askUnknown;
  }
  if (documentedFor(operation, 401)) {
    cases['without credentials'] = askUnauthorized;
  }
  const stated = requirementOf(operation, 'head', {
    stated: operation,
    sentence,
    properties: () => each(cases, (ask, session) => tryHead(session, operation, ask)),
  });
  return { ...stated, weight: CLAUSE, base: operationId };
}

/** Makes the request of a case from a valid call; undefined if there is none. */
type Ask = (session: Session, operation: Operation, valid: CallInput) => CallInput | undefined;

const asValid: Ask = (_session, _operation, valid) => valid;

const askUnknown: Ask = ({ implementation }, operation, valid) => {
  const path = unknownPath(implementation.contract, operation);
  if (path === undefined) {
    return undefined;
  }
  return { ...valid, path };
};

const askUnauthorized: Ask = ({ implementation }, operation, valid) =>
  withoutOwnCredentials(implementation, operation, valid);

async function tryHead(session: Session, operation: Operation, ask: Ask): Promise<void> {
  const valid = await callToRefuse(session, operation.operationId);
  await expectHead(session, requestOf(operation, valid));
  const asked = ask(session, operation, valid);
  if (ask !== asValid && asked !== undefined) {
    await expectLikeGet(session, requestOf(operation, asked));
  }
}

/** @throws NotPossible if the service has no HEAD here */
async function expectHead(session: Session, valid: Sending): Promise<void> {
  const { get, head } = await expectLikeGet(session, valid);
  if (get.status < 400 && isRefusal(head)) {
    throw new NotPossible(`the service has no HEAD here (${head.status})`);
  }
}

/** A GET, and the HEAD behind it. */
interface Both {
  get: HttpResponse;
  head: HttpResponse;
}

/** HEAD behind two GETs that say the same. @throws Nonconformity; NotPossible if they do not */
async function expectLikeGet(session: Session, asked: Sending): Promise<Both> {
  const { client } = session.implementation;
  // HEAD is no operation of the contract: it gets the credentials of GET.
  const sending = client.authorized(asked);
  const get = await session.send(sending);
  const again = await session.send(sending);
  if (get.status !== again.status) {
    throw new NotPossible(`a second GET has another status (${get.status}, ${again.status})`);
  }
  const head = await session.send({ ...sending, method: 'HEAD' });
  expectThat(head.bytes === 0, 'The response to HEAD has content.', {
    expected: 'no content',
    got: head.text,
  });
  if (isRefusal(head)) {
    return { get, head };
  }
  expectNoServerError(head);
  expectSame('HEAD has another status than GET', head.status, get.status);
  for (const name of FIELDS) {
    const [due, got, later] = [get, head, again].map((one) => comparedValue(one, name));
    const isSent = due !== undefined && got !== undefined;
    if (isSent && due === later) {
      expectSame(`HEAD has another \`${name}\` than GET`, got, due);
    }
  }
  return { get, head };
}

/** @throws Nonconformity for an error of the service, whatever GET gets */
function expectNoServerError({ status }: HttpResponse): void {
  if (status >= 500) {
    throw new Nonconformity('The service fails at HEAD.', {
      expected: 'any status below 500',
      got: String(status),
      kind: 'status',
    });
  }
}

/** The value of a field, without differences in spelling; undefined if it is not sent or empty. */
export function comparedValue(response: HttpResponse, name: string): string | undefined {
  const { headers, mediaType } = response;
  const value = headers[name];
  if (value === undefined || value === '') {
    return undefined;
  }
  if (name === 'content-type') {
    return mediaType;
  }
  if (name === 'allow') {
    const methods = value.split(',').map((method) => method.trim());
    return methods.toSorted().join(', ');
  }
  return value;
}
