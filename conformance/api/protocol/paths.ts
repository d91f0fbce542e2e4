/** Paths: unknown ones, their encoding, and other spellings of them (D29). */
import type { Operation } from '../../engine/contract/operations.ts';
import { mayBeRefusedBelow } from '../../engine/http/below-application.ts';
import { requestTargetOf } from '../../engine/http/call.ts';
import {
  expectRefusal,
  expectRefusedAnyhow,
  expectStatus,
  expectSuccess,
} from '../../engine/http/expect-response.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { once } from '../../engine/laws/law.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import {
  eachText,
  type Property,
  type Requirement,
} from '../../engine/requirements/requirement.ts';
import { AT, core, INFO, ofOperation } from '../define.ts';
import { expectProblem } from '../errors/problem.ts';
import { unknownId } from '../implementation.ts';
import { required } from '../required.ts';

/**
 * A GET of each path has one of the statuses; a 200 shows the edge.
 * @param paths `{id}` in them is the id of an edge that exists, and `{unknown}` one that does not
 */
function reads(paths: readonly string[], due: readonly number[], why: string): Property[] {
  return eachText(paths, async (path, session) => {
    const id = path.includes('{id}') ? await idOfEdge(session) : '';
    const target = path.replace('{id}', id).replace('{unknown}', unknownId());
    const send = () => session.send({ method: 'GET', target });
    if (mayBeRefusedBelow(target)) {
      return expectReadOrRefused(send, id, due);
    }
    const response = await send();
    expectStatus(response, due, why);
    if (response.status === 200) {
      expectSame('Another edge is shown', response.json, { id });
    } else {
      expectProblem(session.implementation, response);
    }
  });
}

/** The server below the application may refuse the path, in any form. */
async function expectReadOrRefused(
  send: () => Promise<HttpResponse>,
  id: string,
  due: readonly number[],
): Promise<void> {
  const sendAndLook = async (): Promise<HttpResponse> => {
    const response = await send();
    if (response.status === 200) {
      expectSame('Another edge is shown', response.json, { id });
    }
    return response;
  };
  await expectRefusedAnyhow(sendAndLook, 'An HTTP server may refuse such a path.', due);
}

async function idOfEdge(session: Session): Promise<string> {
  const { path } = await validCall(session, 'getEdge');
  return required(path?.['edge_id'], 'getEdge has no id of an edge');
}

const UNKNOWN_PATHS = [
  '/edges',
  '/edges/http',
  '/edges/https/{unknown}/y/z',
  '/event_subscriptions',
  '/event_subscriptions/{unknown}',
  '/{unknown}',
  '/Edges/Https/{unknown}',
];

const unknownPath = core(
  {
    id: 'protocol.404',
    origin: 'D29',
    clause: `${AT.responses}/NotFound`,
    quotes: ['Every error response', 'A problem may have four more'],
    sentence: 'A path that the contract does not have gets 404.',
  },
  reads(UNKNOWN_PATHS, [404], 'There is no such path.'),
);

const UNDECODABLE_PATHS = [
  'edges/https/%E0%A4%A',
  'edges/https/%',
  'edges/https/%zz',
  'event_subscriptions/%ff/sources',
  '%C3%28',
];

const undecodable = core(
  {
    id: 'protocol.path.undecodable',
    origin: 'D29',
    clause: INFO,
    quotes: ['The HTTP server below'],
    sentence: 'A path that is not valid percent-encoding is refused.',
  },
  eachText(UNDECODABLE_PATHS, (path, session) => {
    const send = () => session.send({ method: 'GET', target: `/${path}` });
    return expectRefusedAnyhow(send, 'The path cannot be decoded.');
  }),
);

const ENCODED_SLASHES = [
  '/edges%2Fhttps%2F{id}',
  '/edges/https%2F{id}',
  '/edges/https%2f{id}',
  '/edges%2fhttps/{id}',
  '/edges/https/{id}%2F',
];

const encodedSlash = core(
  {
    id: 'protocol.path.encoded-slash',
    origin: 'D29',
    clause: INFO,
    quotes: ['A path is split into segments', 'The HTTP server below'],
    sentence: '`%2F` never separates two segments of a path.',
  },
  reads(ENCODED_SLASHES, [400, 404], 'An encoded slash is a part of a segment.'),
);

const OTHER_SPELLINGS = [
  '/edges/https/{id}/',
  '/edges//https/{id}',
  '/edges/./https/{id}',
  '/edges/https/../https/{id}',
  '/edges/https/%2e/{id}',
  '/%65dges/https/{id}',
  '/edges/https/{id};a=b',
  '/edges/https;a=b/{id}',
  '/edges;a/https;b/{id};',
  '/edges/https/{id}?',
  '/edges/https/{id}?&',
  '/EDGES/https/{id}',
];

const spellings = core(
  {
    id: 'protocol.path.spellings',
    origin: 'D29',
    clause: INFO,
    quotes: ['Other spellings of a path', 'What follows `;`'],
    sentence: 'Another spelling of a path is understood, or refused with 400 or 404.',
  },
  reads(OTHER_SPELLINGS, [200, 400, 404], 'It may be understood or not.'),
);

export const pathRequirements: readonly Requirement[] = [
  unknownPath,
  undecodable,
  encodedSlash,
  spellings,
];

/** Percent-encoded path parameters. @param operation has parameters in its path */
export function decodingRequirement(operation: Operation): Requirement {
  return ofOperation(operation)(
    {
      part: 'path.decoding',
      origin: 'D29',
      clause: INFO,
      quotes: ['A path is split into segments'],
      sentence: 'takes percent-encoded path parameters for what they stand for (RFC 3986).',
    },
    once('every character encoded', (session) => expectDecoded(operation, session, encodeAll)),
    once('every character encoded, in lower case', (session) =>
      expectDecoded(operation, session, encodeAllInLowerCase),
    ),
    once('encoded twice', (session) => expectDecodedOnce(operation, session)),
  );
}

async function expectDecoded(
  operation: Operation,
  session: Session,
  encode: (text: string) => string,
): Promise<void> {
  const { operationId } = operation;
  const call = await validCall(session, operationId);
  const encoded = { ...call, encode };
  const why = `${requestTargetOf(operation, encoded)} is ${requestTargetOf(operation, call)}.`;
  const response = await session.call(operationId, encoded);
  expectSuccess(session.implementation, operation, response, why);
}

async function expectDecodedOnce(operation: Operation, session: Session): Promise<void> {
  const { operationId, method } = operation;
  const { json, ...call } = await validCall(session, operationId);
  const encode = (text: string) => encodeURIComponent(encodeAll(text));
  const target = requestTargetOf(operation, { ...call, encode });
  const headers = { 'content-type': 'application/json' };
  const content = json === undefined ? {} : { body: JSON.stringify(json), headers };
  const response = await session.send({ method, target, ...content });
  const why = `${target} is decoded once: a percent sign is in no name.`;
  expectRefusal(session.implementation, operation, response, { statuses: [400, 404], why });
}

/** Every byte of the text percent-encoded, in the case that RFC 3986 recommends. */
function encodeAll(text: string): string {
  return encodeAllInLowerCase(text).toUpperCase();
}

/** The hexadecimal digits mean the same in either case (RFC 3986, 2.1). */
export function encodeAllInLowerCase(text: string): string {
  const bytes = Buffer.from(text).toString('hex');
  return bytes.replaceAll(/../g, '%$&');
}
