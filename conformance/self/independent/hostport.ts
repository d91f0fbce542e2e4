/** Hosts, which stand before the port of a hostport and before the path of a route's match. */
import type { Form } from './check.ts';

const LABEL = /^\w(?:[\w-]{0,61}\w)?$/;
const ADDRESS = /^\[[0-9A-Fa-f:.]{2,45}\]$/;
const PORT = /^[1-9][0-9]{0,4}$/;
/** `x > ' '` leaves out the space and what ASCII has before it. The byte order mark is no white space of Unicode. */
const isPathCharacter = (character: string) =>
  character > ' ' && !'?#\u007f\u0085'.includes(character) && (character === '\ufeff' || !/\s/.test(character));

/** An address in brackets, or a name, perhaps with a wildcard before it. */
function isHost(sent: string): boolean {
  if (ADDRESS.test(sent)) return true;
  return sent
    .replace(/^\*\./, '')
    .split('.')
    .every((label) => LABEL.test(label));
}

export const HOSTPORT: Form = {
  shortest: 3,
  longest: 259,
  fits: (sent) => {
    const colon = sent.lastIndexOf(':');
    const port = sent.slice(colon + 1);
    const isPort = PORT.test(port) && Number(port) <= 65_535;
    return isPort && isHost(sent.slice(0, Math.max(colon, 0)));
  },
  words: 'a host name, perhaps behind *., or an address in brackets, then a colon and a port from 1 to 65535',
};

export const MATCH: Form = {
  shortest: 1,
  longest: 1024,
  fits: (sent) => {
    const slash = sent.indexOf('/');
    const host = slash < 0 ? sent : sent.slice(0, slash);
    const path = slash < 0 ? '' : sent.slice(slash);
    return (slash === 0 || isHost(host)) && Array.from(path).every(isPathCharacter);
  },
  words: 'a path, a host, or a host and a path, without white space and without ? or #',
};
