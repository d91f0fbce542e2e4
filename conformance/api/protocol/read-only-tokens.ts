/** Tokens that may only read (D28): what they permit, and that other requests are refused. */
import type { Contract } from '../../engine/contract/load.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { refusedCalls } from '../../engine/laws/unchanged.ts';
import type { Resource } from '../../engine/laws/resource.ts';
import { propertiesOn, once } from '../../engine/laws/law.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import {
  type Property,
  type Requirement,
  withoutReadOnlyToken,
} from '../../engine/requirements/requirement.ts';
import { AT, core, extended, ofOperation } from '../define.ts';
import { offers, resourcesOf, targetFor } from '../implementation.ts';
import { required } from '../required.ts';
import { edgesOf } from '../resources/edges.ts';
import { FULL_ROUTE, routesOf } from '../resources/routes.ts';
import { sourcesOf } from '../resources/sources.ts';
import { expectChallenge, SCHEMES } from './authentication.ts';

const FORBIDDEN = `${AT.responses}/Forbidden`;
const WRITING = ['create', 'update', 'delete'] as const;
const MAY_READ = 'A token that may only read may read everything.';

/** @param operations all of the contract */
export function readOnlyTokenRequirements(operations: readonly Operation[]): Requirement[] {
  const changing = operations.filter(
    ({ method, responses }) => method !== 'GET' && responses['403'] !== undefined,
  );
  const reading = operations.filter(({ method }) => method === 'GET');
  const requirements = [
    ...changing.map(forbidden),
    ...changing.map(forbiddenSpelled),
    sourcesStay,
    edgesStay,
    ...reading.map(readable),
    ...reading.map(readableSpelled),
  ];
  return requirements.map((requirement) => ({ ...requirement, skip: withoutReadOnlyToken }));
}

type Headers = Record<string, string>;

/** Headers with the read-only token, in place of the token that is sent with every request. */
function asReader({ implementation }: Session): Headers {
  return { authorization: `Bearer ${implementation.readOnlyToken}` };
}

function forbidden(operation: Operation): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    {
      part: '403',
      origin: 'D28',
      clause: FORBIDDEN,
      quotes: ['A token may be read-only', '| 403 |'],
      sentence: 'returns 403 with `WWW-Authenticate` to a token that may only read.',
    },
    once('a valid change', async (session) => {
      const change = await changingCall(operationId, session);
      const call = { ...change, headers: asReader(session) };
      const why = 'The token is valid, and may only read.';
      expectChallenge(await refuse(session, operationId, call, { statuses: [403], why }));
    }),
  );
}

/** The read-only token in each spelling of its scheme, and the statuses that refuse a change. */
function spelledAs({ implementation }: Session): [authorization: string, due: number[]][] {
  const { readOnlyToken } = implementation;
  const inCase = SCHEMES.map((scheme): [string, number[]] => [`${scheme} ${readOnlyToken}`, [403]]);
  // Several spaces may be read as one.
  const spaced = ['Bearer  ', 'bearer    '].map((scheme): [string, number[]] => {
    return [`${scheme}${readOnlyToken}`, [401, 403]];
  });
  return [...inCase, ...spaced];
}

function forbiddenSpelled(operation: Operation): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    {
      part: '403.scheme',
      origin: 'D28',
      clause: FORBIDDEN,
      quotes: ['A token may be read-only', 'The name of the authentication'],
      sentence: 'refuses a read-only token, however its scheme is written.',
    },
    once('a valid change', async (session) => {
      const change = await changingCall(operationId, session);
      for (const [authorization, statuses] of spelledAs(session)) {
        const call = { ...change, headers: { authorization } };
        const why = 'The token may only read, however its scheme is written.';
        expectChallenge(await refuse(session, operationId, call, { statuses, why }));
      }
    }),
  );
}

function readableSpelled(operation: Operation): Requirement {
  const { operationId, pointer } = operation;
  return ofOperation(operation)(
    {
      part: 'read-only-token.scheme',
      origin: 'D28',
      clause: pointer,
      quotes: ['It can read all', 'The name of the authentication'],
      sentence: 'responds to a read-only token, however its scheme is written.',
    },
    once('GET and HEAD', async (session) => {
      const target = await targetFor(session, operationId);
      for (const [authorization, [first]] of spelledAs(session)) {
        const statuses = first === 401 ? [200, 401] : [200];
        for (const method of ['GET', 'HEAD']) {
          const response = await session.send({ method, target, headers: { authorization } });
          expectStatus(response, statuses, MAY_READ);
        }
      }
    }),
  );
}

/** A valid call that changes something: a PATCH without members may succeed. */
async function changingCall(operationId: string, session: Session): Promise<CallInput> {
  const resource = resourcesOf(session.implementation.contract).find(
    ({ calls }) => calls.update === operationId,
  );
  if (!resource) {
    return validCall(session, operationId);
  }
  const steps = new Steps(session, resource);
  const [first] = await steps.createMixed(2);
  const item = required(first, 'no item was created');
  return { path: item.path, json: steps.otherOf(item.place) };
}

/** Properties of all calls that change the items of a resource. */
function refusedIn(resource: Resource): Property[] {
  return propertiesOn(resource, refusedCalls(resource, WRITING, 403));
}

const sourcesStay = core(
  {
    id: 'authentication.read-only-token.sources-stay',
    origin: 'D28',
    clause: FORBIDDEN,
    sentence: 'A change of event sources that the token does not permit has changed nothing.',
  },
  ({ contract }) => refusedIn(sourcesOf(contract)),
);

const edgesStay = extended(
  {
    id: 'authentication.read-only-token.edges-stay',
    origin: 'D28',
    clause: FORBIDDEN,
    sentence: 'A change of edges or routes that the token does not permit has changed nothing.',
  },
  ({ contract }) => refusedIn(edgesOf(contract)),
  ({ contract }) => refusedIn(routesOf(contract)),
);

function readable(operation: Operation): Requirement {
  const { operationId, pointer } = operation;
  return ofOperation(operation)(
    {
      part: 'read-only-token',
      origin: 'D28',
      clause: pointer,
      quotes: ['It can read all'],
      sentence: 'responds to a read-only token as to any other.',
    },
    once('GET', async (session) => {
      const read = await readerOf(operationId, session);
      const whole = await read({});
      const seen = await read(asReader(session));
      expectSame('A token that may only read is shown something else', seen, whole);
    }),
    once('HEAD', async (session) => {
      const target = await targetFor(session, operationId);
      const { status } = await session.send({ method: 'HEAD', target });
      const headers = asReader(session);
      const response = await session.send({ method: 'HEAD', target, headers });
      expectStatus(response, [status], MAY_READ);
    }),
  );
}

type Read = (headers: Headers) => Promise<unknown>;

/**
 * Creates items.
 * @returns a function that reads one of them or their list, as the operation does, with these
 * headers
 */
async function readerOf(operationId: string, session: Session): Promise<Read> {
  const { contract } = session.implementation;
  const resource = resourceReadBy(operationId, contract);
  const steps = new Steps(session, resource);
  const items = await steps.createMixed(2);
  const first = required(items[0], 'no item was created');
  const { place, path } = first;
  const { children } = resource;
  if (children !== undefined && offers(session.implementation, 'createRoute')) {
    const inside = children.placeIn(first, 1);
    await steps.on(children.resource).createAll(inside, [FULL_ROUTE]);
  }
  if (operationId === resource.calls.read) {
    return async (headers) => {
      const response = await steps.succeed('read', { path, headers }, MAY_READ);
      return steps.itemIn(place, response).shown;
    };
  }
  return async (headers) => {
    const listing = await steps.list(place, items, { headers });
    steps.expectListed(listing, items);
    // Items of others, which may come and go, do not count.
    return steps.ownIn(listing, items);
  };
}

function resourceReadBy(operationId: string, contract: Contract): Resource {
  const found = resourcesOf(contract).find(
    ({ calls }) => operationId === calls.read || operationId === calls.list,
  );
  return required(found, `${operationId} reads no resource`);
}
