/** Formats by what they say of a value. */

/** Formats that refuse some texts, with the length of the shortest text that each allows. */
const SHORTEST = {
  uri: 3,
  'uri-reference': 0,
  'date-time': 20,
  date: 10,
  email: 3,
  uuid: 36,
  ipv4: 7,
  ipv6: 2,
  re2: 0,
  hostname: 1,
};

export type TextFormat = keyof typeof SHORTEST;

export const BYTE_FORMAT = /^max-([1-9]\d*)-utf8-bytes$/;

export function isTextFormat(name: string): name is TextFormat {
  return Object.hasOwn(SHORTEST, name);
}

export function shortestOf(format: TextFormat): number {
  return SHORTEST[format];
}
