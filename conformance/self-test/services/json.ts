/** Kinds that write other JSON of the same meaning, or with more members. */
import { isObject } from '../../engine/contract/pointers.ts';
import { escape } from '../independent/response.ts';
import { jsonOf } from '../messages.ts';
import { changingResponse } from '../mutation/operator.ts';
import { changingJson, type Group } from './kind.ts';

const moreMembers = changingJson((name, value) => {
  if (isObject(value) && name !== 'add') {
    return { ...value, _self: null, items: [], Id: 1 };
  }
  return value;
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
  'times of another zone, in nanoseconds, by a slow clock': otherZone,
  'JSON in escapes, exponents and white space': unusualJson,
};
