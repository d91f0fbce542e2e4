/**
 * Bodies that JSON readers give up on (RFC 8259): refused as documented, or accepted if their
 * schema allows it.
 */
import { memberOf } from '../contract/by-name.ts';
import { clausesOf } from '../contract/clauses.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import type { Operation, RequestBody } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { expectEither, expectRefusal } from '../http/expect-response.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { callToRefuse, refusalStatuses, respondWithoutConflict, validCall } from './calls.ts';
import { basedRequirement, once, type Requirement } from './requirement.ts';

interface Labelled {
  label: string;
  /** JSON text. */
  text: string;
}

const itself = (text: string): Labelled => ({ label: text, text });

/** Lists and objects within each other, to this depth. Each is wrong in place of a text. */
function nested(depth: number): Labelled[] {
  const opened = '['.repeat(depth);
  const lists = opened + ']'.repeat(depth);
  const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  return [
    { label: `${depth} lists`, text: lists },
    { label: `${depth} lists that do not end`, text: opened },
    { label: `${depth} objects`, text: objects },
  ];
}

const NESTING = [100, 1_000, 10_000].flatMap(nested);

/** Each is wrong in place of a text. */
const NUMBERS: readonly Labelled[] = [
  { label: '5,000 digits', text: '9'.repeat(5_000) },
  { label: '5,000 digits below zero', text: `-${'1'.repeat(5_000)}` },
  { label: '5,000 decimals', text: `0.${'3'.repeat(5_000)}` },
  itself('1e400'),
  itself('-1e400'),
  itself('1e-400'),
  itself('1E+999999999'),
  itself('1e-999999999'),
  itself('-0'),
];

const PRINTABLE = /[!-~]/g;
/** From an ASCII character to its full-width form. */
const TO_WIDE = 0xfee0;

/**
 * Names that readers cut, fold or format, as they are written in JSON.
 * @param known the name of a property
 */
function oddNames(known: string): Labelled[] {
  const wide = known.replaceAll(PRINTABLE, (char) =>
    String.fromCharCode(char.charCodeAt(0) + TO_WIDE),
  );
  // The long s and the Kelvin sign are s and k in lower case.
  const folded = known.replaceAll('s', '\u017f').replaceAll('k', '\u212a');
  const names = [`${known}\\u0000`, `${known}\u200b`, wide];
  if (folded !== known) {
    names.push(folded);
  }
  names.push('\\u0000', '\\ud800', '%n%s%x', `'\\"\`\\\\`);
  return [...names.map(itself), { label: '50,000 letters', text: 'n'.repeat(50_000) }];
}

type Encoded = readonly [label: string, bytes: Buffer];

/**
 * The JSON text in UTF-16 and UTF-32, in both orders of bytes, with and without a byte order mark.
 */
export function otherEncodings(json: string): Encoded[] {
  return [...encoded(json, ''), ...encoded(`\ufeff${json}`, ' with a byte order mark')];
}

function encoded(text: string, mark: string): Encoded[] {
  const units = Buffer.from(text, 'utf16le');
  const codePoints = Uint32Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const words = Buffer.from(codePoints.buffer);
  return [
    [`UTF-16LE${mark}`, units],
    [`UTF-16BE${mark}`, Buffer.from(units).swap16()],
    [`UTF-32LE${mark}`, words],
    [`UTF-32BE${mark}`, Buffer.from(words).swap32()],
  ];
}

/** A body that is made from the one of a valid call. */
interface UnusualBody {
  label: string;
  bodyOf(json: unknown): string | Buffer;
  /** Whether the contract forbids it; if not, the service may read it. */
  isForbidden: boolean;
  /** JSON Pointer of the rule that it breaks, if the contract states it more exactly. */
  broken?: string;
}

export function structureRequirements(contract: Contract, operation: Operation): Requirement[] {
  const { requestBody } = operation;
  if (!requestBody || !isJson(requestBody.mediaType)) {
    return [];
  }
  const inUtf8 = basedRequirement(operation, 'body.utf-8', {
    stated: statedBody(operation),
    sentence: sentenceOf(operation, 'in another encoding than UTF-8'),
    properties: () => propertiesOf(operation, inOtherEncodings()),
  });
  const shape = shapeOf(asRequest(contract), requestBody.pointer);
  if (!shape.types.has('object')) {
    return [inUtf8];
  }
  return [...ofObjects(contract, operation, requestBody, shape), inUtf8];
}

/** The place at which the contract states the body of an operation. */
const statedBody = ({ origin, pointer }: Operation) => ({
  origin,
  pointer: `${pointer}/requestBody`,
});

const sentenceOf = ({ operationId }: Operation, what: string): string =>
  `${operationId} reads or refuses a body ${what}.`;

const propertiesOf = (operation: Operation, bodies: readonly UnusualBody[]) =>
  bodies.map((body) => once(body.label, (session) => tryBody(session, operation, body)));

const isText = ({ types }: Shape): boolean =>
  [...types].every((type) => type === 'string' || type === 'null');

function ofObjects(
  contract: Contract,
  operation: Operation,
  body: RequestBody,
  { properties, allows }: Shape,
): Requirement[] {
  const closed = clausesOf(asRequest(contract), body.pointer).find(
    ({ id }) => id === 'additionalProperties',
  );
  const stated = closed ?? statedBody(operation);
  const [known, text] = [...properties].find(([, child]) => isText(child)) ?? [];
  const [place] = text?.roots ?? [];
  const broken = place === undefined ? {} : { broken: `${place}/type` };
  const name = known ?? 'conformance';
  const isForbidden = known !== undefined || !allows(name);
  const withValues = (values: readonly Labelled[]): UnusualBody[] =>
    values.map(({ label, text: value }) => ({
      label,
      bodyOf: (json) => withMember(json, name, value),
      isForbidden,
      ...broken,
    }));
  const requirement = (part: string, what: string, bodies: readonly UnusualBody[]): Requirement =>
    basedRequirement(operation, `body.${part}`, {
      stated,
      sentence: sentenceOf(operation, what),
      properties: () => propertiesOf(operation, bodies),
    });
  const nesting = 'with 100 to 10,000 lists or objects within each other';
  const names = oddNames(name).map((odd) => withName(odd, name, allows));
  return [
    requirement('nesting', nesting, withValues(NESTING)),
    requirement('numbers', 'with a number that no machine number holds', withValues(NUMBERS)),
    requirement('names', 'with an odd name', names),
  ];
}

/** The body with an odd name beside a property, and the value of that property. */
function withName(
  { label, text }: Labelled,
  property: string,
  allows: Shape['allows'],
): UnusualBody {
  const bodyOf = (json: unknown): string => {
    const value = (isObject(json) && memberOf(json, property)) || '';
    return withMember(json, text, stringifyJson(value));
  };
  const name = JSON.parse(`"${text}"`) as string;
  return { label, bodyOf, isForbidden: !allows(name) };
}

function inOtherEncodings(): UnusualBody[] {
  return otherEncodings('').map(([label], index): UnusualBody => {
    const bodyOf = (json: unknown): Buffer => {
      const [, bytes = Buffer.alloc(0)] = otherEncodings(stringifyJson(json))[index] ?? [];
      return bytes;
    };
    return { label, bodyOf, isForbidden: false };
  });
}

/**
 * The body as JSON text, with one more member.
 * @param name as it is written in JSON
 * @param value JSON text
 */
function withMember(body: unknown, name: string, value: string): string {
  const members: string[] = [];
  for (const [other, held] of Object.entries(isObject(body) ? body : {})) {
    if (other !== name) {
      members.push(`${stringifyJson(other)}:${stringifyJson(held)}`);
    }
  }
  members.push(`"${name}":${value}`);
  return `{${members.join(',')}}`;
}

async function tryBody(session: Session, operation: Operation, body: UnusualBody): Promise<void> {
  const { operationId } = operation;
  const { implementation } = session;
  const { isForbidden } = body;
  const valid = isForbidden
    ? await callToRefuse(session, operationId)
    : await validCall(session, operationId);
  const { json, ...call } = valid;
  const response = await respondWithoutConflict(session, operation, (accepted) => {
    return { ...call, body: body.bodyOf(accepted ?? json) };
  });
  // If nothing says how large a body may be, 60,000 bytes may be too many. Many readers of JSON
  // give up with 400, before anything looks at the operation.
  const statuses = [...refusalStatuses(operation), 400, 413];
  if (isForbidden) {
    const why = 'The body breaks the contract.';
    return withClause(body.broken, () =>
      expectRefusal(implementation, operation, response, { statuses, why }),
    );
  }
  // An encoding belongs to the media type.
  statuses.push(415);
  if (response.status >= 400 && !statuses.includes(response.status)) {
    await implementation.api.instead?.(session, operation, call, response);
  }
  const why = 'The service need not read such a body.';
  expectEither(implementation, operation, response, { statuses, why });
}

/** @throws what `check` throws; a Nonconformity names the clause */
function withClause(clause: string | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof Nonconformity && clause !== undefined) {
      error.details.clause ??= clause;
    }
    throw error;
  }
}
