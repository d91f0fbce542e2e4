/** Hosts, which stand before the port of a hostport and before the path of a route's match. */
import type { Form } from './check.ts';

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const PORT = /^[1-9][0-9]{0,4}$/;
/** `x > ' '` leaves out the space and what ASCII has before it. */
const isPathCharacter = (character: string) => character > ' ' && !'?#\u007f'.includes(character);

/** Perhaps with a wildcard before it. */
function isHost(sent: string): boolean {
  return sent
    .replace(/^\*\./, '')
    .split('.')
    .every((label) => LABEL.test(label));
}

export const HOSTPORT: Form = {
  shortest: 3,
  longest: 259,
  fits: (sent) => {
    const [host = '', port = '', ...rest] = sent.split(':');
    const isPort = PORT.test(port) && Number(port) <= 65_535;
    return isPort && rest.length === 0 && isHost(host);
  },
  words: 'a host name, perhaps behind *., then a colon and a port from 1 to 65535',
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
