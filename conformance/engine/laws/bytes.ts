/**
 * Laws of bytes: those that are sent to a path are read there again, and neither empty files nor
 * odd names of files break a service.
 */
import { isUtf8 } from 'node:buffer';
import type { Contract } from '../contract/load.ts';
import { isMultipart, isRaw, mediaTypesAt } from '../contract/media-types.ts';
import { type Operation, operationsOf, successOf } from '../contract/operations.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues } from '../generate/bodies.ts';
import { accepted, possible } from '../generate/filter.ts';
import { type CallInput, requestOf } from '../http/call.ts';
import { succeed } from '../http/expect-response.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import {
  CLAUSE,
  forAll,
  forEach,
  type Requirement,
  requirementOf,
  statedIn,
} from '../requirements/requirement.ts';
import { uploadLaws } from './uploaded-bytes.ts';

export function byteLaws(contract: Contract): Requirement[] {
  const sending = operationsOf(contract).filter(
    ({ requestBody, unsupported }) => requestBody && !unsupported,
  );
  const all = sending.flatMap((one) =>
    possible(() => [...keptBy(contract, one), ...filesOf(one)]).flat(),
  );
  return statedIn('engine/laws/bytes.ts', all);
}

function keptBy(contract: Contract, operation: Operation): Requirement[] {
  const { operationId, method, path } = operation;
  const { mediaType } = operation.requestBody!;
  if (!/^(PUT|POST)$/.test(method) || !isRaw(mediaType) || mediaType.startsWith('text/')) {
    return [];
  }
  const isShown = (type: string) => mediaType.startsWith(type.replace(/\*.*/, ''));
  const isRead = (one: Operation) =>
    one.method === 'GET' &&
    one.path === path &&
    !one.unsupported &&
    mediaTypesAt(contract, successOf(one).pointer).some(isShown);
  const read = operationsOf(contract).find(isRead);
  if (!read) {
    return uploadLaws(contract, operation);
  }
  const check = async (json: unknown, session: Session): Promise<void> => {
    const call = await validCall(session, operationId);
    const bytes = Buffer.from(String(json), 'latin1');
    const all = method === 'PUT' ? [bytes, inverted(bytes)] : [bytes];
    for (const sent of all) {
      await trySending(session, { operationId, call, bytes: sent }, read);
    }
  };
  const sentence = `${read.operationId} returns the bytes that ${operationId} was sent.`;
  const stated = requirementOf(operation, 'bytes', {
    stated: read,
    sentence,
    properties: ({ hints }) => {
      const isBinary = (json: unknown) => !isUtf8(Buffer.from(String(json), 'latin1'));
      const values = bodyValues(asRequest(contract), operation.requestBody!, hints);
      return [
        forAll(
          'bytes that are no text',
          accepted(values, 'bytes that are no UTF-8', isBinary),
          check,
        ),
      ];
    },
  });
  return [{ ...stated, weight: CLAUSE }];
}

/** Bytes that an operation is sent, and what else its call has. */
interface SendingBytes {
  operationId: string;
  call: CallInput;
  bytes: Buffer;
}

/** The bytes are sent, and must be read again. */
async function trySending(
  session: Session,
  { operationId, call, bytes }: SendingBytes,
  read: Operation,
): Promise<void> {
  const json = bytes.toString('latin1');
  const input = withRequired(session.implementation, read, call.path ? { path: call.path } : {});
  for (let tries = 1; ; tries++) {
    const { status } = await session.call(operationId, { ...call, json });
    if (status >= 300) {
      throw new NotPossible(`${operationId} refuses bytes that the contract allows (${status})`);
    }
    const { content } = await succeed(session, read.operationId, input, 'It was sent.');
    // Other clients may have sent bytes in between, but not each time.
    if (content.equals(bytes) || tries === MOST_TRIES) {
      const [expected, got] = [bytes, content].map((part) => part.toString('hex'));
      const what = 'The response has other bytes than were sent.';
      expectThat(got === expected, what, { expected, got });
      return;
    }
  }
}

const MOST_TRIES = 3;

/** Other bytes, as many as these. */
const inverted = (bytes: Buffer): Buffer => bytes.map((byte) => 255 - byte) as Buffer;

const ODD_NAMES = ['', '.', '../a.bin', 'a\\b', '%00', ' ', 'é😀.bin', `${'a'.repeat(300)}.bin`];

function filesOf(operation: Operation): Requirement[] {
  const { operationId } = operation;
  const { mediaType, fields } = operation.requestBody!;
  const files = Object.keys(fields).filter((name) => fields[name]!.isFile);
  if (!isMultipart(mediaType) || files.length === 0) {
    return [];
  }
  const check = async (odd: string | undefined, session: Session) => {
    const call = await validCall(session, operationId);
    const all = (content: string) => Object.fromEntries(files.map((name) => [name, content]));
    const json =
      odd === undefined
        ? { ...Object(call.json), ...all('') }
        : { ...all('a'), ...Object(call.json) };
    const sending = requestOf(operation, { ...call, json });
    // As bytes: they contain the name of a file.
    const name = Buffer.from(odd ?? 'empty.bin').toString('latin1');
    const written = (sending.body as Buffer)
      .toString('latin1')
      .replaceAll(/(filename=)"[^"]*"/g, `$1"${name}"`);
    const response = await session.send({ ...sending, body: Buffer.from(written, 'latin1') });
    session.made(operationId, { ...call, json }, response);
    const details = { expected: 'a success or a refusal', got: response.status };
    expectThat(response.status < 500, 'The service fails at a file.', details);
  };
  const sentence = `${operationId} takes an empty file, and one with an odd name, or refuses it.`;
  const properties = () =>
    forEach('an empty file, or an odd name', [undefined, ...ODD_NAMES], check);
  return [requirementOf(operation, 'files', { stated: operation, sentence, properties })];
}
