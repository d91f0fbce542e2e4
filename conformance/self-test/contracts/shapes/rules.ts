/** The rules of the contract about bodies. */
import { isObject } from '../../../engine/contract/pointers.ts';
import type { Json } from '../../messages.ts';

/** Whether the value of each name is right. */
type Rules = Record<string, (value: unknown) => boolean>;

const isWhole = (value: unknown): value is number => Number.isInteger(value);

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && [...value].length <= most;

function isPoint(value: unknown): boolean {
  if (!isObject(value)) {
    return false;
  }
  return isWhole(value['x']) && isWhole(value['y']) && Object.keys(value).length === 2;
}

const isLength = (value: unknown) => isWhole(value) && value >= 1;

/** The property that each kind needs, beside the common ones. */
const RULES_OF_KIND: Record<string, Rules> = {
  circle: { radius: isLength },
  square: { side: isLength },
  path: {
    points: (points) => Array.isArray(points) && points.length >= 2 && points.every(isPoint),
  },
};

const NO_COLOURS = ['', 'none', 'transparent'];

const COMMON_RULES: Rules = {
  kind: (kind) => typeof kind === 'string' && Object.hasOwn(RULES_OF_KIND, kind),
  colour: (colour) => isText(colour, 20) && !NO_COLOURS.includes(colour),
  note: (note) => isText(note, 30),
  weight(weight) {
    if (typeof weight !== 'number' || !Number.isInteger(weight * 2)) {
      return false;
    }
    return weight > 0 && weight < 100;
  },
  size(size) {
    if (isWhole(size)) {
      return size >= 1 && size <= 9;
    }
    return isText(size, 1) && /^[SML]$/.test(size);
  },
};

/** The name of a member that is missing, unknown or wrong. */
export function wrongIn(body: Json): string | undefined {
  const { kind } = body;
  const ownRules = typeof kind === 'string' ? RULES_OF_KIND[kind] : undefined;
  const rules: Rules = { ...COMMON_RULES, ...ownRules };
  const needed = ['kind', ...Object.keys(ownRules ?? {})];
  const isWrong = (name: string) => {
    const isRight = rules[name];
    if (!Object.hasOwn(body, name) || !Object.hasOwn(rules, name) || !isRight) {
      return true;
    }
    return !isRight(body[name]);
  };
  return [...needed, ...Object.keys(body)].find(isWrong);
}
