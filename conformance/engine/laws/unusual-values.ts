/** The law of values that services tend to change. */
import { type Shape, strictest, texts } from '../contract/shape.ts';
import { sentencesIn, wordsAt } from '../contract/words.ts';
import { letters } from '../generate/fresh.ts';
import { expectSuccess } from '../http/expect-response.ts';
import { expectSame } from '../http/nonconformity.ts';
import { isFree, isSet } from './inference/plain-values.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf, upper } from './resource.ts';
import type { Steps } from './steps.ts';

/** Values that services tend to change. */
export const unusualValueLaws = {
  unusualValues: {
    needs: ['create', 'read'],
    applies: () => true,
    sentence: ({ one }) =>
      `${upper(one)} shows what it took: outer spaces, letters of any kind, large numbers.`,
    properties: (resource) => forEach('an unusual value', unusual(factsOf(resource)), tryValue),
  },
} satisfies Record<string, Law>;

/** Sends a value that the service may refuse for its own reasons; if it takes it, it shows it. */
async function tryValue([name, value]: readonly [string, unknown], steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const json = { ...place.bodies[0], [name]: value };
  const response = await session.call(resource.calls.create, { path: place.path, json });
  if (response.status >= 400 && response.status < 500) {
    return;
  }
  expectSuccess(implementation, session.operation(resource.calls.create), response);
  const item = steps.itemIn(place, response);
  const due = { [name]: value };
  if (!resource.silent?.includes('create')) {
    expectSame('The response is not what was sent', item.shown, due);
  }
  expectSame('A read does not show the value that was sent', await steps.read(item), due);
}

/** Values that a service tends to change, by member. */
function unusual(facts: Facts): (readonly [string, unknown])[] {
  const { sent, members, bodies, isValid } = facts;
  const full = bodies().full();
  const areKept = promisesExactTexts(facts);
  return members.flatMap((name) => {
    const shape = sent.properties.get(name)!;
    const candidates = unusualOf(shape);
    if (isFree(shape) && shape.types.has('string') && (areKept || isKept(shape))) {
      candidates.push(`${letters(3)}${DECOMPOSED}`);
    }
    if (!isMoney(name)) {
      candidates.push(...exactOf(shape));
    }
    return candidates
      .filter((value) => isValid({ ...full, [name]: value }))
      .map((value) => [name, value] as const);
  });
}

/** Letters that another form of Unicode writes in one character, or in another one. */
const DECOMPOSED = 'e\u0301\u212b\u1100\u1161';

/** As in "Texts are kept exactly as they were sent." */
const KEPT = /\bexactly as (it|they) (is|are|was|were) sent\b|\bbyte for byte\b|\bverbatim\b/i;
const NOT_KEPT = /\bnot\b|\bexcept|\bunless\b|\bnormali[sz]/i;

const saysKept = (sentence: string): boolean => KEPT.test(sentence) && !NOT_KEPT.test(sentence);

/** Whether the description of the text says that it is kept as it was sent. */
const isKept = (shape: Shape): boolean =>
  texts(shape, 'description').flatMap(sentencesIn).some(saysKept);

/** Whether the contract, or the words of the operation, say so of all texts. */
function promisesExactTexts({ contract, create }: Facts): boolean {
  const sentences = sentencesIn(wordsAt(contract, '/info', create.pointer));
  return sentences.some((sentence) => ABOUT_TEXTS.test(sentence) && saysKept(sentence));
}

const ABOUT_TEXTS = /\b(texts?|strings?|values?)\b/i;

function unusualOf(shape: Shape): unknown[] {
  if (shape.choices !== undefined || shape.alternatives.length > 0) {
    return [];
  }
  if (isFree(shape) && shape.types.has('string')) {
    const most = strictest(shape, 'maxLength') ?? LONG;
    const isTrimmed = texts(shape, 'description').some((text) => /trim|strip|space/i.test(text));
    const spaced = isTrimmed ? [] : [` ${letters(2)} ${letters(2)} `];
    return [
      ...spaced,
      `aB${letters(3)}Éß漢😀`,
      ...(most > LONG ? [] : ['😀'.repeat(most)]),
      '007',
      '',
    ];
  }
  const isNumber = shape.types.has('number');
  if (isNumber || shape.types.has('integer')) {
    const bounds = [strictest(shape, 'minimum'), strictest(shape, 'maximum')].filter(
      (one) => one !== undefined,
    );
    const isShort = texts(shape, 'format').includes('float');
    const whole = [
      2 ** 31 + 11,
      -(2 ** 31) - 11,
      2 ** 53 - 1,
      2 ** 64,
      ...bounds.filter(Number.isSafeInteger),
    ];
    return [
      ...(isShort ? [] : whole),
      ...(isNumber ? [0.25, 1.5, ...(isShort ? [] : [19.99, 1_234_567.89])] : []),
    ];
  }
  // A set has no order: many services keep it sorted.
  if (shape.types.has('array') && shape.items && isFree(shape.items) && !isSet(shape)) {
    return [['b', 'a', 'c']];
  }
  return [];
}

const OF_MONEY = /price|amount|cost|total|fee|balance|money|salary/i;

/** Services keep amounts of money in cents, whatever their contract says. */
const isMoney = (name: string): boolean => OF_MONEY.test(name);

/** Numbers with more than two decimals, which a float of each size holds exactly. */
function exactOf(shape: Shape): number[] {
  const isChosen = shape.choices !== undefined || shape.alternatives.length > 0;
  const isRounded = texts(shape, 'description').some((text) => ROUNDED.test(text));
  if (!shape.types.has('number') || isChosen || isRounded) {
    return [];
  }
  return [0.125, 20.0625];
}

const ROUNDED = /round|decimal|precision|digit|\bcents?\b|currency/i;

/** The most characters of a text that is worth sending. */
const LONG = 300;
