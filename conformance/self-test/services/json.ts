/** Kinds that write other JSON of the same meaning, or with more members. */
import { isObject } from '../../engine/contract/pointers.ts';
import { randomInt, randomUUID } from 'node:crypto';
import { escape } from '../independent/response.ts';
import { jsonOf } from '../messages.ts';
import { changingResponse } from '../mutation/operator.ts';
import { changingJson, type Group } from './kind.ts';

/** Maps, which have no other members than those that were sent. */
const MAPS = ['add', 'details'];

const moreMembers = changingJson((name, value) => {
  if (isObject(value) && name !== 'add') {
    return { ...value, _self: null, items: [], Id: 1 };
  }
  return value;
});

/**
 * Members that are new in each response, with values that a check could take for known ones. They
 * have no objects, which would get such members, too. Every second object has none.
 */
const newMembers = changingJson((name, value) => {
  if (!isObject(value) || MAPS.includes(name) || randomInt(2) === 0) {
    return value;
  }
  const added: Record<string, unknown> = { served_at: Date.now(), etag: randomUUID() };
  added[`x_${randomInt(1_000)}`] = [randomUUID(), null];
  if (randomInt(2) === 0) {
    added['links'] = randomInt(1_000);
  }
  return { ...added, ...value };
});

/**
 * Names of members and parameters that the contract has elsewhere. The service shows all members of
 * a resource, so that no place has one of these names by chance.
 */
const NAMES_OF_OTHERS = [
  'edge_id',
  'hostports',
  'https_edges',
  'limit',
  'match',
  'route_id',
  'routes',
  'saml',
  'sources',
  'subscription_id',
];

const membersOfOthers = changingJson((name, value) => {
  if (!isObject(value) || MAPS.includes(name)) {
    return value;
  }
  const added = NAMES_OF_OTHERS.map((one, index) => [one, index % 2 === 0 ? null : randomInt(10)]);
  return { ...Object.fromEntries(added), ...value };
});

/** Names that every object has, or that programs look for. */
const NAMES_OF_OBJECTS = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'length',
  'prototype',
  'then',
  'toJSON',
  'toString',
  'valueOf',
];

const ADDED_NAMES = NAMES_OF_OBJECTS.map((name, index) => `${JSON.stringify(name)}:${index}`);

/** Written by hand: `JSON.stringify` calls a `toJSON`. @param name of the member with the value */
function withNamesOfObjects(value: unknown, name = ''): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => withNamesOfObjects(item)).join(',')}]`;
  }
  if (!isObject(value)) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).map(
    ([inner, held]) => `${JSON.stringify(inner)}:${withNamesOfObjects(held, inner)}`,
  );
  const added = MAPS.includes(name) ? [] : ADDED_NAMES;
  return `{${[...added, ...members].join(',')}}`;
}

const namesOfObjects = changingResponse((response) => {
  const json: unknown = jsonOf(response);
  if (json === undefined) {
    return response;
  }
  return { ...response, body: withNamesOfObjects(json) };
});

const ZONE_MS = 5.5 * 3_600_000;
const CLOCK_DELAY_MS = 45_000;

const otherZone = changingJson((name, value) => {
  if (name !== 'created_at') {
    return value;
  }
  const local = Date.parse(String(value)) + ZONE_MS - CLOCK_DELAY_MS;
  return new Date(local).toISOString().replace(/\..*/, '.123456789+05:30');
});

const MINUTE_MS = 60_000;

const wholeMinutes = changingJson((name, value) => {
  if (name !== 'created_at') {
    return value;
  }
  const minutes = Math.round(Date.parse(String(value)) / MINUTE_MS);
  return new Date(minutes * MINUTE_MS).toISOString();
});

/**
 * A string of one word, which is captured, any other string, or an integer. Longer texts are not
 * escaped: a response could have more than 8 MiB then.
 */
const JSON_TOKEN = /"(\w{1,64})"|"(?:[^"\\]|\\.)*"|(?<=\s)-?\d+(?=[,\s])/g;

function inOtherForm(token: string, word?: string): string {
  if (word) {
    return `"${word.replaceAll(/./g, escape)}"`;
  }
  if (token.startsWith('"')) {
    return token;
  }
  return `${token}E+0`;
}

const unusualJson = changingResponse((response) => {
  const json: unknown = jsonOf(response);
  if (json === undefined) {
    return response;
  }
  const text = JSON.stringify(json, null, ' \r\n\t').replaceAll(JSON_TOKEN, inOtherForm);
  return { ...response, body: `\r\n ${text}` };
});

export const JSON_FORMS: Group = {
  'members that the contract does not name': moreMembers,
  'members that are new in each response': newMembers,
  'members with the names of those that every object has': namesOfObjects,
  'members with the names of those of other resources': membersOfOthers,
  'times of another zone, in nanoseconds, by a slow clock': otherZone,
  'times in whole minutes': wholeMinutes,
  'JSON in escapes, exponents and white space': unusualJson,
};
