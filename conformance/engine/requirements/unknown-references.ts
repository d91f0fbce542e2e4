/**
 * Members of a body that name other items, such as `site_id`: where a documented refusal says that
 * there may be no such item, a body that names nothing is refused.
 */
import { randomInt } from 'node:crypto';
import { memberOf } from '../contract/by-name.ts';
import { escapeRegExp } from '../contract/escape-reg-exp.ts';
import { spelt } from '../contract/item-keys.ts';
import { branchesOf } from '../contract/kinds.ts';
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import { nounOf, resourceNamed, singular } from '../contract/nouns.ts';
import {
  type Operation,
  pathParameters,
  type RequestBody,
  type Response,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { type Shape, texts } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { sentencesIn, wordsAt } from '../contract/words.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { callToRefuse, refuseChangedBody } from './calls.ts';
import { basedRequirement, once, type Requirement } from './requirement.ts';
import { unknownText } from './unknown-ids.ts';

/** A member of a body that must name something. */
interface Reference {
  sent: Contract;
  operation: Operation;
  name: string;
  shape: Shape;
  /** JSON Pointer of the response that refuses what names nothing. */
  pointer: string;
}

export function unknownReferenceRequirements(
  contract: Contract,
  operation: Operation,
): Requirement[] {
  const { method, requestBody: body, responses } = operation;
  const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (!isWrite || !body || !isJson(body.mediaType) || '202' in responses) {
    return [];
  }
  const sent = asRequest(contract);
  const references: Reference[] = [];
  for (const [name, shape] of membersOf(sent, body)) {
    const refusal = refusalOf(contract, operation, name);
    if (refusal !== undefined && mayName(shape)) {
      references.push({ sent, operation, name, shape, pointer: refusal.pointer });
    }
  }
  return references.map(requirementFor);
}

/** The members of a body of any kind. */
function membersOf(sent: Contract, { pointer }: RequestBody): Map<string, Shape> {
  return new Map(branchesOf(sent, pointer).flatMap(({ properties }) => [...properties]));
}

function requirementFor(reference: Reference): Requirement {
  const { operation, name, pointer } = reference;
  return basedRequirement(operation, `body.${name}.unknown`, {
    stated: { origin: operation.origin, pointer },
    sentence: `${operation.operationId}: a body whose \`${name}\` names nothing is refused.`,
    properties: () => [once('a new name', (session) => tryUnknown(session, reference))],
  });
}

/** Whether its values may be ids. */
function mayName(shape: Shape): boolean {
  const isScalar = shape.types.has('string') || shape.types.has('integer');
  const isOfForm = texts(shape, 'format').every((format) => FORMATS_OF_IDS.has(format));
  return isScalar && isOfForm && shape.choices === undefined;
}

const FORMATS_OF_IDS: ReadonlySet<string> = new Set(['uuid', 'int32', 'int64']);

/** The statuses with which services refuse what names nothing; a 409 may have other reasons. */
const REFUSALS: readonly number[] = [404, 422, 400, 410];

/** The documented response that is about this member; undefined: none is. */
function refusalOf(contract: Contract, operation: Operation, name: string): Response | undefined {
  const documented = REFUSALS.flatMap((status) => operation.responses[String(status)] ?? []);
  return documented.find(({ pointer }) => {
    const sentences = sentencesIn(wordsAt(contract, pointer));
    return sentences.some((sentence) => saysUnknown(sentence, operation, name));
  });
}

const NAMES_NOTHING = new RegExp(
  "\\b(?:names? (?:nothing|no)|(?:does|do) not (?:exist|name|refer)|(?:does|do)n[’']t exist" +
    '|not found|(?:is|are) (?:unknown|not known)|unknown|no such)\\b',
  'i',
);

function saysUnknown(sentence: string, operation: Operation, name: string): boolean {
  const isNamed = new RegExp(`[\`"']${escapeRegExp(name)}[\`"']`).test(sentence);
  if (isNamed) {
    return NAMES_NOTHING.test(sentence);
  }
  const noun = nounMeant(operation, name);
  return noun !== undefined && saysThereIsNo(sentence, noun);
}

/** The noun of what the member names: `site` of `site_id`. None that the path is about, too. */
function nounMeant(operation: Operation, name: string): string | undefined {
  if (!/(id|uuid)$/.test(spelt(name))) {
    return undefined;
  }
  const noun = resourceNamed(name);
  const own = pathParameters(operation).map((one) => resourceNamed(one.name));
  own.push(singular(nounOf(operation) ?? ''));
  return own.includes(noun) ? undefined : noun;
}

/** As in `There is no such room.`, `Unknown room`, and `The guest or the room does not exist.` */
function saysThereIsNo(sentence: string, noun: string): boolean {
  const others = '(?:,? (?:or|and) (?:the )?\\w+)?';
  const verbs =
    "(?:does not exist|doesn[’']t exist|do not exist|(?:was |is )?not found|is unknown)";
  const before = `\\b(?:no such|there is no|unknown) ${noun}\\b(?! (?:for|in|at|of|that|with))`;
  const behind = `\\b${noun}${others} ${verbs}\\b`;
  return new RegExp(`${before}|${behind}`, 'i').test(sentence);
}

async function tryUnknown(session: Session, reference: Reference): Promise<void> {
  const { operation, name } = reference;
  const call = await callToRefuse(session, operation.operationId);
  const changed = (base: unknown): unknown => {
    if (!isObject(base)) {
      throw new NotPossible(`no body of ${operation.operationId} is known`);
    }
    return { ...base, [name]: unknownName(reference, memberOf(base, name)) };
  };
  const due = { statuses: statusesOf(operation), why: `\`${name}\` names nothing.` };
  await refuseChangedBody(session, operation, { call, changed }, due);
}

/** @param known a value that is accepted @throws NotPossible */
function unknownName({ sent, name, shape }: Reference, known: unknown): string | number {
  const isValid = (value: unknown): boolean => satisfies(sent, shape.roots, value);
  const candidates: (string | number | undefined)[] = [];
  if (shape.types.has('string') && typeof known !== 'number') {
    candidates.push(unknownText(shape, [String(known ?? '')], isValid));
  } else {
    candidates.push(randomInt(2 ** 30, 2 ** 31));
  }
  const found = candidates.find(isValid);
  if (found === undefined) {
    throw new NotPossible(`no long random value fits \`${name}\``);
  }
  return found;
}

/** Another documented refusal may come first, such as that of somebody who may not know. */
function statusesOf({ responses }: Operation): number[] {
  const all = [...REFUSALS, 403, 409];
  return all.filter((status) => String(status) in responses);
}
