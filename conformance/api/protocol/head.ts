/** HEAD beside GET (RFC 9110, 9.3.2): queries, refusals, and URLs that responses give. */
import type { Operation } from '../../engine/contract/operations.ts';
import { requestTargetOf } from '../../engine/http/call.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { once } from '../../engine/laws/law.ts';
import { pagedListOf, type Json } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { reachable } from '../../engine/laws/uris.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import { comparedValue } from '../../engine/requirements/head.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { define, INFO } from '../define.ts';
import { resourcesOf, unknownValue } from '../implementation.ts';
import { required } from '../required.ts';

/** Fields that say the same of both, if GET says the same each time. */
const SAME_FIELDS = [
  'content-type',
  'content-language',
  'content-location',
  'etag',
  'last-modified',
  'cache-control',
  'www-authenticate',
  'allow',
  'link',
  'location',
];
/** A response with 401 must have it (RFC 9110, 15.5.2). HEAD may leave out any other field. */
const NEEDED = 'www-authenticate';
/** GETs that must have the value of a field, too, before HEAD without it is a failure. */
const MORE_READS = 3;

type Headers = Record<string, string>;

/** A target, and the fields that are sent. */
interface Asked {
  target: string;
  headers?: Headers;
}

/** HEAD between two GETs that say the same. @throws Nonconformity */
export async function expectHeadLikeGet(
  session: Session,
  { target, headers = {} }: Asked,
): Promise<HttpResponse> {
  const get = await session.send({ method: 'GET', target, headers });
  const head = await session.send({ method: 'HEAD', target, headers });
  const again = await session.send({ method: 'GET', target, headers });
  if (again.status !== get.status) {
    return get;
  }
  expectSame('HEAD has another status than GET', head.status, get.status);
  expectThat(head.bytes === 0, 'The response to HEAD has a body.', {
    expected: 'no body',
    got: head.text,
  });
  for (const name of SAME_FIELDS) {
    const [due, got, later] = [get, head, again].map((one) => comparedValue(one, name));
    const isLeftOut = got === undefined && name !== NEEDED;
    if (isLeftOut || got === due || due !== later) {
      continue;
    }
    if (await isSteady(session, { target, headers }, { name, due })) {
      expectSame(`HEAD has another ${name} than GET`, got, due);
    }
  }
  const length = head.headers['content-length'];
  const isCoded = [get, head].some((one) => one.headers['content-encoding'] !== undefined);
  if (length !== undefined && get.text === again.text && !isCoded) {
    const details = { expected: String(get.bytes), got: length };
    const isRight = length === String(get.bytes);
    expectThat(isRight, 'HEAD has another Content-Length than GET.', details);
  }
  return get;
}

interface Field {
  name: string;
  due: string | undefined;
}

/** Whether more GETs have this value, too: some services take a new one for each response. */
async function isSteady(session: Session, asked: Asked, { name, due }: Field): Promise<boolean> {
  for (let read = 0; read < MORE_READS; read++) {
    const response = await session.send({ method: 'GET', ...asked });
    if (comparedValue(response, name) !== due) {
      return false;
    }
  }
  return true;
}

/** Queries and fields of requests that are answered in different ways. */
function cases(operation: Operation, token: string | undefined): Record<string, Partial<Asked>> {
  const all: Record<string, Partial<Asked>> = {
    'an unknown parameter': { target: '?x=1' },
    'an empty query': { target: '?' },
    'Accept: text/html': { headers: { accept: 'text/html' } },
    'Accept: application/json': { headers: { accept: 'application/json' } },
  };
  if (operation.parameters.some(({ name }) => name === 'limit')) {
    all['a limit'] = { target: '?limit=1' };
    all['a limit that is too large'] = { target: '?limit=101' };
    all['a cursor that nobody issued'] = { target: '?cursor=conformance' };
  }
  if (token !== undefined) {
    all['no token'] = { headers: { authorization: '' } };
    all['a wrong token'] = { headers: { authorization: 'Bearer conformance-wrong-token' } };
  }
  return all;
}

/** @param operation a GET */
export function headLikeGet(operation: Operation): Requirement {
  const { operationId, level } = operation;
  return define(level)(
    {
      id: `${operationId}.head.responses`,
      origin: 'D29',
      clause: INFO,
      quotes: ['`HEAD` works wherever `GET` does'],
      sentence:
        `HEAD has the status and the header fields of GET where ${operationId} is asked with a ` +
        'query or refused, and at URLs that responses give (RFC 9110).',
    },
    ({ token }) => propertiesOf(operation, token),
  );
}

function propertiesOf(operation: Operation, token: string | undefined): Property[] {
  const properties = Object.entries(cases(operation, token)).map(([label, asked]) =>
    once(label, async (session: Session) => {
      const target = await targetFrom(session, operation);
      const { target: query = '', headers = {} } = asked;
      await expectHeadLikeGet(session, { target: `${target}${query}`, headers });
    }),
  );
  if (operation.path.endsWith('}')) {
    const check = (session: Session): Promise<void> => headOfUnknown(session, operation);
    properties.push(once('what does not exist', check));
  }
  return [...properties, once('URLs in responses', (session) => headOfUrls(session, operation))];
}

/** All cases look at one resource. */
function targetFrom(session: Session, operation: Operation): Promise<string> {
  return session.shared(async (maker) =>
    requestTargetOf(operation, await validCall(maker, operation.operationId)),
  );
}

async function headOfUnknown(session: Session, operation: Operation): Promise<void> {
  const { path = {} } = await validCall(session, operation.operationId);
  const [name = ''] = Object.keys(path).slice(-1);
  const target = requestTargetOf(operation, { path: { ...path, [name]: unknownValue(name) } });
  await expectHeadLikeGet(session, { target });
}

/** The `uri` of an item, its `Location`, and the link to the next page. */
async function headOfUrls(session: Session, { operationId }: Operation): Promise<void> {
  const resource = required(
    resourcesOf(session.implementation.contract).find(
      ({ calls }) => calls.read === operationId || calls.list === operationId,
    ),
    `${operationId} reads no resource`,
  );
  const steps = new Steps(session, resource);
  const { place, items } = await steps.createSome({ items: 2, atLeast: 1 });
  if (operationId === resource.calls.read) {
    const { shown } = required(items[0], 'no item was created');
    await expectHeadLikeGet(session, { target: reachable(session, shown['uri']) });
    return;
  }
  const { next } = pagedListOf(resource);
  const first = await steps.succeed('list', { path: place.path, query: { limit: '1' } });
  const page = first.json as Json;
  for (const uri of [page['uri'], page[next]]) {
    if (typeof uri === 'string') {
      await expectHeadLikeGet(session, { target: reachable(session, uri) });
    }
  }
}
