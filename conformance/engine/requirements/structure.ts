/** Bodies that JSON readers give up on (RFC 8259): refused as documented, or accepted where their schema allows it. */
import { stringifyJson } from '../contract/json-numbers.ts';
import { clausesOf } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { isJson } from '../contract/media-types.ts';
import { isObject } from '../contract/pointers.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { expectEither, expectRefusal } from '../http/expect-response.ts';
import type { Session } from '../http/session.ts';
import { callToRefuse, refusalsOf, validCall } from './calls.ts';
import { once, requirementOf, type Requirement } from './requirement.ts';

type Labelled<T> = readonly [label: string, one: T][];

/** JSON values that are no texts, so that each is wrong where a text is due. */
const NESTING = [100, 1_000, 10_000].flatMap((depth): Labelled<string> => [
  [`${depth} lists`, `${'['.repeat(depth)}${']'.repeat(depth)}`],
  [`${depth} lists that do not end`, '['.repeat(depth)],
  [`${depth} objects`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
]);
const NUMBERS: Labelled<string> = [
  ['5,000 digits', '9'.repeat(5_000)],
  ['5,000 digits below zero', `-${'1'.repeat(5_000)}`],
  ['5,000 decimals', `0.${'3'.repeat(5_000)}`],
  ...byThemselves('1e400', '-1e400', '1e-400', '1E+999999999', '1e-999999999', '-0'),
];

/** Names that readers cut, fold or format, as they are written in JSON. */
function oddNames(known: string): Labelled<string> {
  const wide = known.replaceAll(/[!-~]/g, (char) =>
    String.fromCharCode(char.charCodeAt(0) + 0xfee0),
  );
  const folded = known.replaceAll('s', '\u017f').replaceAll('k', '\u212a');
  const nearly = [`${known}\\u0000`, `${known}\u200b`, wide, ...(folded === known ? [] : [folded])];
  const names = byThemselves(...nearly, '\\u0000', '\\ud800', '%n%s%x', `'\\"\`\\\\`);
  return [...names, ['50,000 letters', 'n'.repeat(50_000)]];
}

function byThemselves(...texts: string[]): Labelled<string> {
  return texts.map((text) => [text, text]);
}

/** The JSON text in UTF-16 and UTF-32, in both orders of bytes, with and without a byte order mark. */
export function otherEncodings(json: string): Labelled<Buffer> {
  return ['', '\ufeff'].flatMap((mark): Labelled<Buffer> => {
    const units = Buffer.from(mark + json, 'utf16le');
    const words = Buffer.from(Uint32Array.from(mark + json, (char) => char.codePointAt(0)!).buffer);
    const label = mark === '' ? '' : ' with a byte order mark';
    return [
      [`UTF-16LE${label}`, units],
      [`UTF-16BE${label}`, Buffer.from(units).swap16()],
      [`UTF-32LE${label}`, words],
      [`UTF-32BE${label}`, Buffer.from(words).swap32()],
    ];
  });
}

/** A body that is made from the one of a valid call, by its label. */
type Unusual = readonly [
  label: string,
  bodyOf: (json: unknown) => string | Buffer,
  isForbidden: boolean,
];

export function structureRequirements(contract: Contract, operation: Operation): Requirement[] {
  const { operationId, requestBody, pointer, origin } = operation;
  if (!requestBody || !isJson(requestBody.mediaType)) {
    return [];
  }
  const sent = asRequest(contract);
  const { properties, allows, types } = shapeOf(sent, requestBody.pointer);
  const stated = { origin, pointer: `${pointer}/requestBody` };
  const closed = clausesOf(sent, requestBody.pointer).find(
    ({ id }) => id === 'additionalProperties',
  );
  const requirement = (
    part: string,
    what: string,
    bodies: readonly Unusual[],
    at = closed ?? stated,
  ) =>
    requirementOf(
      operation,
      `body.${part}`,
      at,
      `${operationId} reads or refuses a body ${what}.`,
      () =>
        bodies.map((unusual) =>
          once(unusual[0], (session) => tryBody(session, operation, unusual)),
        ),
    );
  const isText = ({ types: held }: Shape) =>
    [...held].every((type) => type === 'string' || type === 'null');
  const known = [...properties].find(([, child]) => isText(child))?.[0];
  const place = known ?? 'conformance';
  const isForbidden = known !== undefined || !allows(place);
  const withValues = (values: Labelled<string>) =>
    values.map(([label, json]): Unusual => [
      label,
      (body) => withMember(body, place, json),
      isForbidden,
    ]);
  const names = oddNames(place).map(([label, name]): Unusual => {
    const bodyOf = (body: unknown) =>
      withMember(body, name, stringifyJson((isObject(body) && body[place]) || ''));
    return [label, bodyOf, !allows(JSON.parse(`"${name}"`) as string)];
  });
  const encodings = otherEncodings('').map(([label], index): Unusual => {
    return [label, (body) => otherEncodings(stringifyJson(body))[index]![1], false];
  });
  const ofObjects = () => [
    requirement(
      'nesting',
      'with 100 to 10,000 lists or objects within each other',
      withValues(NESTING),
    ),
    requirement('numbers', 'with a number that no machine number holds', withValues(NUMBERS)),
    requirement('names', 'with an odd name', names),
  ];
  const inUtf8 = requirement('utf-8', 'in another encoding than UTF-8', encodings, stated);
  return types.has('object') ? [...ofObjects(), inUtf8] : [inUtf8];
}

/** The body as JSON text, with one more member. */
function withMember(body: unknown, name: string, value: string): string {
  const others = Object.entries(isObject(body) ? body : {}).filter(([one]) => one !== name);
  const members = others.map(([one, held]) => `${stringifyJson(one)}:${stringifyJson(held)}`);
  return `{${[...members, `"${name}":${value}`].join(',')}}`;
}

async function tryBody(
  session: Session,
  operation: Operation,
  [, bodyOf, isForbidden]: Unusual,
): Promise<void> {
  const { json, ...call } = await (isForbidden ? callToRefuse : validCall)(
    session,
    operation.operationId,
  );
  const response = await session.call(operation.operationId, { ...call, body: bodyOf(json) });
  // Where nothing says how large a body may be, 60,000 bytes may be too many; an encoding belongs to the media type.
  // Many a reader gives up with 400, before anything looks at the operation.
  const statuses = [...refusalsOf(operation), 400, 413, ...(isForbidden ? [] : [415])];
  if (!isForbidden && response.status >= 400 && !statuses.includes(response.status)) {
    await session.implementation.api.instead?.(session, operation, call, response);
  }
  const why = isForbidden
    ? 'The body breaks the contract.'
    : 'The service need not read such a body.';
  (isForbidden ? expectRefusal : expectEither)(
    session.implementation,
    operation,
    response,
    statuses,
    why,
  );
}
