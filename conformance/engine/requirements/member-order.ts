/**
 * The order of two members of a body, as far as the description of one of them states it, such as
 * "Must be after `check_in`": a body that breaks it is refused.
 */
import { memberOf } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import { exactBound } from '../contract/exact-bounds.ts';
import { isJson } from '../contract/media-types.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject, joinPointer, replacedAt, valueAt } from '../contract/pointers.ts';
import { type Shape, shapeOf, texts } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { sentencesIn } from '../contract/words.ts';
import { timesInOrder } from '../generate/times.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { callToRefuse, refusalStatuses, refuseChangedBody } from './calls.ts';
import { basedRequirement, once, type Property, type Requirement } from './requirement.ts';

type Members = Record<string, unknown>;

/** What the description of a member states about another member of the same object. */
interface Rule {
  /** The path of the object in the body. */
  path: readonly string[];
  holder: Shape;
  /** The member whose description states the rule. */
  member: string;
  lower: string;
  higher: string;
  mayBeEqual: boolean;
  /** JSON Pointer of the description. */
  pointer: string;
}

/** An operation that takes a body with such a rule. */
interface Subject {
  operation: Operation;
  rule: Rule;
}

export function memberOrderRequirements(contract: Contract, operation: Operation): Requirement[] {
  const { method, requestBody: body } = operation;
  const isWhole = method === 'POST' || method === 'PUT';
  if (!isWhole || !body || !isJson(body.mediaType)) {
    return [];
  }
  const sent = asRequest(contract);
  const rules = rulesIn(shapeOf(sent, body.pointer), []);
  return rules.map((rule) => requirementFor({ operation, rule }));
}

function requirementFor(subject: Subject): Requirement {
  const { operation, rule } = subject;
  const { path, member, lower, higher, mayBeEqual, pointer } = rule;
  const place = [...path, member].join('.');
  const order = mayBeEqual ? 'is not less than' : 'is greater than';
  const properties: Property[] = [
    once('both the other way round', (session) => tryReversed(session, subject)),
  ];
  if (!mayBeEqual) {
    properties.push(once('both the same', (session) => tryEqual(session, subject)));
  }
  return basedRequirement(operation, `body.${place}.order`, {
    stated: { origin: operation.origin, pointer },
    sentence:
      `${operation.operationId}: \`${higher}\` ${order} \`${lower}\`. ` +
      'A body that breaks this rule is refused.',
    properties: () => properties,
  });
}

const tryReversed = (session: Session, subject: Subject): Promise<void> =>
  refuseWith(session, subject, (low, high) => ({ low: high, high: low }));

/** Equal to the other member: the one whose description states the rule. */
function tryEqual(session: Session, subject: Subject): Promise<void> {
  const { member, higher } = subject.rule;
  return refuseWith(session, subject, (low, high) => {
    const value = member === higher ? low : high;
    return { low: value, high: value };
  });
}

interface Pair {
  low: unknown;
  high: unknown;
}

/** Sends an accepted body with other values of both members, which break the rule alone. */
async function refuseWith(
  session: Session,
  { operation, rule }: Subject,
  broken: (low: unknown, high: unknown) => Pair,
): Promise<void> {
  const { path, lower, higher } = rule;
  const call = await callToRefuse(session, operation.operationId);
  const changed = (base: unknown): unknown => {
    const holder = valueAt(base, joinPointer('', ...path));
    if (!isObject(holder)) {
      throw new NotPossible(`no body with \`${lower}\` and \`${higher}\` is known`);
    }
    const right = pairIn(holder, rule);
    const { low, high } = broken(right.low, right.high);
    return replacedAt(base, path, { ...holder, [lower]: low, [higher]: high });
  };
  const why = `The order of \`${lower}\` and \`${higher}\` is not the one that is stated.`;
  const due = { statuses: refusalStatuses(operation), why };
  await refuseChangedBody(session, operation, { call, changed }, due);
}

/** The values of both members, or other ones if they are not there in the right order. */
function pairIn(members: Members, { holder, lower, higher }: Rule): Pair {
  const low = memberOf(members, lower);
  const high = memberOf(members, higher);
  if (isBefore(low, high)) {
    return { low, high };
  }
  // Times come in the order of the contract, which may name the later one first.
  const times = timesInOrder(holder, { [lower]: '', [higher]: '' });
  const [first, second] = Object.values(times).toSorted();
  if (second !== undefined) {
    return { low: first, high: second };
  }
  const least = Math.max(1, ...minimaOf(holder, lower), ...minimaOf(holder, higher));
  return { low: least, high: least + 1 };
}

function minimaOf(holder: Shape, name: string): number[] {
  const { parts = [] } = holder.properties.get(name) ?? {};
  const minima = parts.map(({ schema }) => exactBound(schema, 'minimum'));
  return minima.filter((one) => typeof one === 'number');
}

function isBefore(low: unknown, high: unknown): boolean {
  if (typeof low === 'number' && typeof high === 'number') {
    return low < high;
  }
  return typeof low === 'string' && typeof high === 'string' && Date.parse(low) < Date.parse(high);
}

/** Objects that are nested deeper are not looked at: a schema may be within itself. */
const DEEPEST = 2;

type RuleInWords = Omit<Rule, 'path' | 'holder'>;

function rulesIn(holder: Shape, path: readonly string[]): Rule[] {
  const rules: Rule[] = [];
  for (const [member, shape] of holder.properties) {
    const rule = ruleOf(holder, member, shape);
    if (rule !== undefined) {
      rules.push({ ...rule, path, holder });
    }
    if (path.length < DEEPEST && shape.types.has('object')) {
      rules.push(...rulesIn(shape, [...path, member]));
    }
  }
  return rules;
}

function ruleOf(holder: Shape, member: string, shape: Shape): RuleInWords | undefined {
  for (const { pointer, schema } of shape.parts) {
    const { description } = schema as { description?: unknown };
    const stated = typeof description === 'string' ? orderIn(description) : undefined;
    if (stated === undefined || !areComparable(shape, holder.properties.get(stated.other))) {
      continue;
    }
    const { isHigher, mayBeEqual, other } = stated;
    const lower = isHigher ? other : member;
    const higher = isHigher ? member : other;
    return { member, lower, higher, mayBeEqual, pointer: joinPointer(pointer, 'description') };
  }
  return undefined;
}

/** Whether both are two members of one kind. */
function areComparable(shape: Shape, other: Shape | undefined): boolean {
  if (other === undefined || other === shape) {
    return false;
  }
  const kind = kindOf(shape);
  return kind !== undefined && kind === kindOf(other);
}

/** Undefined for members that cannot be compared. */
function kindOf(shape: Shape): string | undefined {
  const { types } = shape;
  if (types.has('string')) {
    return texts(shape, 'format').find((format) => format === 'date' || format === 'date-time');
  }
  return types.has('number') || types.has('integer') ? 'number' : undefined;
}

/** What a sentence says of a member, and the name of the other one. */
interface Stated {
  isHigher: boolean;
  mayBeEqual: boolean;
  other: string;
}

/** Sentences that do not state the rule of each body. */
const CONDITION = /\b(if|when|where|may|can|for)\b/i;

/** Descriptions whose other sentences may limit the rule. */
const EXCEPTION = /\b(unless|except|exception|only)\b/i;

const HIGHER = 'after|later than|greater than|larger than|higher than|more than';
const LOWER = 'before|earlier than|less than|smaller than|lower than';
const SAME = '(?:on|at|equal(?: to)?|the same as)';

/** As in "must be on or after `start`": the name of the other member ends a part of a sentence. */
const ORDER = new RegExp(
  `\\b(?:must|has to) (?<not>not )?(?:be|come|lie) (?:strictly )?(?<before>${SAME} or )?` +
    `(?:(?<higher>${HIGHER})|(?:${LOWER}))(?<behind>,? or ${SAME})? ` +
    '(?:`(?<quoted>[^`]+)`|(?<bare>[\\w-]+))(?=\\s*(?:[.;,)]|$))',
  'i',
);

function orderIn(description: string): Stated | undefined {
  if (EXCEPTION.test(description)) {
    return undefined;
  }
  for (const sentence of sentencesIn(description)) {
    const { groups } = ORDER.exec(sentence) ?? {};
    if (groups === undefined || CONDITION.test(sentence)) {
      continue;
    }
    const { not, before, higher, behind, quoted, bare = '' } = groups;
    const isSaidEqual = before !== undefined || behind !== undefined;
    const isNegated = not !== undefined;
    return {
      isHigher: (higher !== undefined) !== isNegated,
      // What must not be after may be equal; what must not be after or equal may not.
      mayBeEqual: isSaidEqual !== isNegated,
      other: quoted ?? bare,
    };
  }
  return undefined;
}
