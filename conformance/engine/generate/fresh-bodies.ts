/**
 * Bodies whose texts nobody has sent before: a service may refuse two things with the same name,
 * address or code, also within one request.
 */
import { setMember } from '../contract/by-name.ts';
import { shapeOfValue } from '../contract/kinds.ts';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { freshText } from './fresh.ts';
import { CHANCE, type Random } from './random.ts';

/** The texts that a body keeps, and the source of its other texts. */
export interface Freshness {
  /** Names of members that stay as they are, with what is inside of them; default: none. */
  keep?: readonly string[] | undefined;
  /** Names of members whose texts are under test, in the body and inside of it; default: none. */
  tested?: readonly string[] | undefined;
  /** Default: chance. */
  random?: Random | undefined;
  /** Texts that are not used again; those of the body are added. Default: none before it. */
  taken?: Set<string> | undefined;
}

/** The freshness of a body, with its defaults. */
interface Renewal {
  contract: Contract;
  /** Whether a member stays, with what is inside of it. */
  isKept(name: string): boolean;
  tested: readonly string[];
  random: Random;
  taken: Set<string>;
}

type Members = Record<string, unknown>;

/**
 * A body as valid as this one, with other texts in its members and in those inside of it, if the
 * schema allows other ones. Texts of one body differ from each other.
 */
export function freshBody(
  contract: Contract,
  pointers: readonly string[],
  body: unknown,
  { keep = [], tested = [], random = CHANCE, taken = new Set() }: Freshness = {},
): unknown {
  const isKept = (name: string) => keep.includes(name);
  return freshValue(pointers, body, { contract, isKept, tested, random, taken });
}

function freshValue(pointers: readonly string[], value: unknown, renewal: Renewal): unknown {
  if (Array.isArray(value)) {
    return freshItems(pointers, value, renewal);
  }
  if (isObject(value)) {
    return freshMembers(pointers, value, renewal);
  }
  return value;
}

function freshItems(
  pointers: readonly string[],
  items: readonly unknown[],
  renewal: Renewal,
): unknown[] {
  const { prefix, items: others } = shapeOf(renewal.contract, ...pointers);
  const inside = { ...renewal, isKept: namesAnother };
  return items.map((item, index) => {
    const rules = prefix[index] ?? others;
    return rules === undefined ? item : freshValue(rules.roots, item, inside);
  });
}

function freshMembers(pointers: readonly string[], members: Members, renewal: Renewal): Members {
  const { contract, isKept } = renewal;
  const shape = shapeOfValue(contract, pointers, members);
  const fresh: Members = { ...members };
  for (const [name, value] of Object.entries(members)) {
    const rules = shape.property(name);
    if (rules === undefined || isKept(name)) {
      continue;
    }
    const isAllowed = (other: unknown) =>
      satisfies(contract, pointers, { ...fresh, [name]: other });
    if (typeof value === 'string') {
      setMember(fresh, name, freshMember(rules, { name, text: value, isAllowed }, renewal));
    } else if (shape.properties.has(name)) {
      const inside = freshValue(rules.roots, value, { ...renewal, isKept: namesAnother });
      if (isAllowed(inside)) {
        setMember(fresh, name, inside);
      }
    }
  }
  return fresh;
}

/** A text of an object. */
interface TextMember {
  name: string;
  text: string;
  isAllowed(text: string): boolean;
}

function freshMember(rules: Shape, member: TextMember, renewal: Renewal): string {
  const { name, text, isAllowed } = member;
  const { contract, tested, random, taken } = renewal;
  const shape = shapeOfValue(contract, rules.roots, text);
  if (tested.includes(name) || shape.choices !== undefined) {
    return text;
  }
  return freshText(shape, text, { random, taken, isAllowed });
}

/** `productId`, `product_id`: what is inside of a body may name what exists. */
const NAME_OF_ANOTHER = /[a-z0-9](_id|_ids|Id|Ids|ID|IDs)$/;

const namesAnother = (name: string): boolean => NAME_OF_ANOTHER.test(name);
